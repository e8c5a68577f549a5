import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

const durationBucketsS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What has to be so before requests are taken; a check throws, or answers false, when it is not. */
export type ReadinessChecks = Record<string, () => Promise<boolean>>;

export type Health = { checks: ReadinessChecks; isDraining: () => boolean; metrics: Registry };

export function healthRoutes(app: FastifyInstance, { checks, isDraining, metrics }: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isDraining()) return await reply.code(503).send({ status: 'draining' });
    const results = await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const));
    const isReady = results.every(([, result]) => result);
    const parts = Object.fromEntries(results.map(([name, result]) => [name, result ? 'ok' : 'failed']));
    return await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks: parts });
  });
  app.get('/metrics', async (_, reply) => await reply.type(metrics.contentType).send(await metrics.metrics()));
}

/** A registry of the server's own, so that two servers in one process count apart. */
export function measureRequests(app: FastifyInstance): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: durationBucketsS,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    duration.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  return registry;
}

async function holds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await check();
  } catch {
    return false;
  }
}
