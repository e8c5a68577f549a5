import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../../tracing/span.ts';
import type { EndedRequest } from './request-end.ts';
import { isTrustedPeer, type TrustedProxies } from './request-id.ts';

const SERVER_ERROR = 500;
/**
 * The name of a request with several operations, as in the metrics. A client cannot add names: others are root fields.
 */
const SEVERAL_OPERATIONS = 'several';
const MAX_LISTED = 20;

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

export function endSpan({ request, reply, isAborted }: EndedRequest): void {
  const { operations, errorCodes, session } = request;
  const failure = reply.statusCode >= SERVER_ERROR ? String(reply.statusCode) : null;
  request.span?.end({
    ...(operations?.length && { name: operations.length === 1 ? operations[0]! : SEVERAL_OPERATIONS }),
    attributes: {
      'http.response.status_code': reply.statusCode,
      'graphql.operations': operations?.slice(0, MAX_LISTED),
      'commerce.error_codes': errorCodes?.length ? errorCodes.slice(0, MAX_LISTED) : undefined,
      'commerce.merchant.id': session?.merchantId,
      'commerce.app.id': session?.authorizedAppId,
    },
    error: errorCodes?.[0] ?? (isAborted ? 'aborted' : failure),
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
