import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../../tracing/span.ts';
import { isTrustedPeer, type TrustedProxies } from './request-id.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, parent of all spans of its work; null if nothing is traced. */
    span: Span | null;
  }
}

export type TraceDependencies = { tracing?: Tracing | undefined; trustProxy: TrustedProxies };

/** Traces each request except those of monitoring. A request of a trusted proxy continues the proxy's trace. */
export function traceRequests(app: FastifyInstance, { tracing, trustProxy }: TraceDependencies): void {
  app.decorateRequest('span', null);
  if (!tracing) return;
  const isTrusted = isTrustedPeer(trustProxy);
  app.addHook('onRequest', (request, _, done) => {
    if (!request.routeOptions.config?.isProbe) request.span = start(tracing, request, isTrusted(request.raw));
    done();
  });
}

function start(tracing: Tracing, request: FastifyRequest, isTrusted: boolean): Span {
  const { traceparent } = request.headers;
  const route = request.routeOptions.url;
  return tracing.start(
    route ? `${request.method} ${route}` : request.method,
    'server',
    { 'http.request.method': request.method, 'http.route': route, 'commerce.request.id': request.id },
    { parent: isTrusted && typeof traceparent === 'string' ? traceparent : undefined },
  );
}
