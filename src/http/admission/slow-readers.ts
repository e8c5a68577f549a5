import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How often open responses are checked. A slow one is closed at most this much after its time. */
const CHECK_INTERVAL_MS = 1_000;

/** Closes connections whose client does not read its response in time, since the unread rest is held in memory. */
export function closeSlowReaders(app: FastifyInstance, timeoutMs: number): void {
  /** Open responses, each with the time of the first check after its headers were sent. */
  const open = new Map<ServerResponse, number | null>();
  app.addHook('onRequest', (_, { raw }, done) => {
    open.set(raw, null);
    raw.once('close', () => open.delete(raw));
    done();
  });
  const check = (): void => {
    const now = performance.now();
    for (const [response, sentAtMs] of open) {
      if (sentAtMs === null && response.headersSent) open.set(response, now);
      else if (sentAtMs !== null && now - sentAtMs > timeoutMs) response.destroy();
    }
  };
  const timer = setInterval(check, CHECK_INTERVAL_MS).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}
