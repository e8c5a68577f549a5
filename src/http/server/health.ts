import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.ts';

/** A check that takes longer counts as failed, so that a probe does not wait for a database that does not respond. */
const CHECK_TIMEOUT_MS = 2_500;

/**
 * Monitors ask every few seconds, some of them by HEAD. At the level `info` their lines would hide those of clients.
 */
const PROBE = { config: { isProbe: true }, exposeHeadRoute: true } as const;

/** The service is ready if all are true. A check that throws has failed. */
export type ReadinessChecks = Record<string, () => Promise<boolean>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route for monitoring. Its requests are logged at the level `debug` and not traced. */
    isProbe?: true;
  }
}

export type HealthDependencies = { checks: ReadinessChecks; isDraining: () => boolean; metrics: Metrics };

export function healthRoutes(app: FastifyInstance, { checks, isDraining, metrics }: HealthDependencies): void {
  let running: Promise<Results> | null = null;
  // Concurrent requests share one run of the checks.
  const runChecks = async (): Promise<Results> => await (running ??= resultsOf(checks).finally(() => (running = null)));
  app.get('/healthz', PROBE, () => ({ status: 'ok' }));
  app.get('/readyz', PROBE, async (_, reply) => {
    if (isDraining()) return await reply.code(503).send({ status: 'draining' });
    const results = await runChecks();
    const isReady = results.every(([, result]) => result);
    const parts = Object.fromEntries(results.map(([name, result]) => [name, result ? 'ok' : 'failed']));
    return await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks: parts });
  });
  app.get(
    '/metrics',
    PROBE,
    async (_, reply) => await reply.type(metrics.registry.contentType).send(await metrics.read()),
  );
}

type Results = (readonly [name: string, isOk: boolean])[];

async function resultsOf(checks: ReadinessChecks): Promise<Results> {
  return await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await succeeds(check)] as const));
}

async function succeeds(check: () => Promise<boolean>): Promise<boolean> {
  try {
    return await Promise.race([check(), wait(CHECK_TIMEOUT_MS, false, { ref: false })]);
  } catch {
    return false;
  }
}
