import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** How often answers under way are looked at; what takes too long ends this much later at most. */
const CHECKED_EVERY_MS = 1_000;

/** Closes connections whose client does not read its answer in time, as the rest of the answer waits in memory. */
export function cutSlowReaders(app: FastifyInstance, answerMs: number): void {
  /** Answers under way, with the time at which each was first seen to be sent. */
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
      else if (sentAtMs !== null && now - sentAtMs > answerMs) response.destroy();
    }
  };
  const timer = setInterval(check, CHECKED_EVERY_MS).unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });
}
