import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** What has to be so before requests are taken; a check throws, or answers false, when it is not. */
export type ReadinessChecks = Record<string, () => Promise<boolean>>;

export type Health = { checks: ReadinessChecks; isDraining: () => boolean; metrics: Metrics };

export function healthRoutes(app: FastifyInstance, { checks, isDraining, metrics }: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isDraining()) return await reply.code(503).send({ status: 'draining' });
    const results = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const));
    const isReady = results.every(([, result]) => result);
    const parts = Object.fromEntries(results.map(([name, result]) => [name, result ? 'ok' : 'failed']));
    return await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks: parts });
  });
  app.get('/metrics', async (_, reply) => await reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
}

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.answered({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime);
    done();
  });
}

async function holds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
