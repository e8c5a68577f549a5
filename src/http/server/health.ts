import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** A check that takes longer has failed: who asks must not wait for a database that does not answer. */
const CHECK_TIMEOUT_MS = 2_500;

/** What has to be so before requests are taken; a check throws, or answers false, when it is not. */
export type ReadinessChecks = Record<string, () => Promise<boolean>>;

export type Health = { checks: ReadinessChecks; isDraining: () => boolean; metrics: Metrics };

export function healthRoutes(app: FastifyInstance, { checks, isDraining, metrics }: Health): void {
  let running: Promise<Results> | null = null;
  // Requests that come meanwhile share the checks, so that many of them cost as much as one.
  const runChecks = async (): Promise<Results> => await (running ??= resultsOf(checks).finally(() => (running = null)));
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_, reply) => {
    if (isDraining()) return await reply.code(503).send({ status: 'draining' });
    const results = await runChecks();
    const isReady = results.every(([, result]) => result);
    const parts = Object.fromEntries(results.map(([name, result]) => [name, result ? 'ok' : 'failed']));
    return await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks: parts });
  });
  app.get('/metrics', async (_, reply) => await reply.type(metrics.registry.contentType).send(await metrics.read()));
}

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.answered(
      { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode },
      reply.elapsedTime,
    );
    done();
  });
}

type Results = (readonly [name: string, holds: boolean])[];

async function resultsOf(checks: ReadinessChecks): Promise<Results> {
  return await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await holds(check)] as const));
}

async function holds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await Promise.race([check(), wait(CHECK_TIMEOUT_MS, false, { ref: false })]);
  } catch {
    return false;
  }
}
