import type { FastifyInstance } from 'fastify';
import { HttpError } from '../protocol/problem.ts';
import type { Metrics } from './metrics.ts';
import { type ReadinessChecks, ReadinessProbe } from './readiness.ts';

/**
 * Monitors ask every few seconds, some of them by HEAD. At the level `info` their lines would hide those of clients.
 */
const PROBE = { config: { isProbe: true }, exposeHeadRoute: true } as const;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Marks a route for monitoring. Its requests are logged at the level `debug` and not traced. */
    isProbe?: true;
  }
}

export type HealthDependencies = { checks: ReadinessChecks; isDraining: () => boolean; metrics: Metrics };

export function healthRoutes(app: FastifyInstance, { checks, isDraining, metrics }: HealthDependencies): void {
  const probe = new ReadinessProbe(checks);
  probe.measure(metrics);
  app.get('/healthz', PROBE, () => ({ status: 'ok' }));
  app.get<{ Querystring: { exclude?: string | string[] } }>('/readyz', PROBE, async ({ query }, reply) => {
    if (isDraining()) return await reply.code(503).send({ status: 'draining' });
    const { isReady, checks } = await probe.read(excludedChecks(probe, query.exclude));
    return await reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready', checks });
  });
  app.get(
    '/metrics',
    PROBE,
    async (_, reply) => await reply.type(metrics.registry.contentType).send(await metrics.read()),
  );
}

/** `?exclude=NAME`, once or several times, as Kubernetes' own servers have it. */
function excludedChecks({ names }: ReadinessProbe, given: string | string[] = []): ReadonlySet<string> {
  const excluded = new Set([given].flat());
  if ([...excluded].some((name) => !names.includes(name)))
    throw new HttpError(400, `\`exclude\` takes the name of a check: ${names.join(', ')}.`);
  return excluded;
}
