import { CommerceError } from '../../errors.ts';
import {
  actualCost,
  type CostedRequest,
  mostExpensiveField,
  MAX_REQUEST_COST,
  requestedCost,
} from '../../graphql/cost/request-cost.ts';
import { JsonText } from '../../graphql/execute/execute.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import type { Caller } from './graphql-request.ts';

type Body = { data?: unknown; extensions?: Record<string, unknown> };

/**
 * Takes the points of the request from the bucket of its app. Returns the refusal if the request costs more than one
 * may, or more than is in the bucket.
 */
export function spendPoints(
  request: CostedRequest,
  { session }: Pick<Caller, 'session'>,
  limiter: PointLimiter | undefined,
): CommerceError | null {
  const points = requestedCost(request);
  if (points > MAX_REQUEST_COST) return costTooHigh(request, points);
  return session && limiter ? limiter.spend(session, points) : null;
}

/** Adds `extensions.cost` to the response if the client asks for it with `X-Request-Cost: true`. */
export function withCostExtension<Response extends { body: Body }>(
  response: Response,
  request: CostedRequest,
  { session, headers }: Pick<Caller, 'session' | 'headers'>,
  limiter: PointLimiter | undefined,
): Response {
  if (headers['x-request-cost'] !== 'true') return response;
  const { data, extensions } = response.body;
  const cost = {
    requestedQueryCost: requestedCost(request),
    actualQueryCost: data ? actualCost(request, recordOf(data)) : null,
    throttleStatus: session && limiter ? limiter.status(session) : null,
  };
  return { ...response, body: { ...response.body, extensions: { ...extensions, cost } } };
}

function recordOf(data: unknown): Record<string, unknown> {
  return (data instanceof JsonText ? JSON.parse(data.text) : data) as Record<string, unknown>;
}

function costTooHigh(request: CostedRequest, points: number): CommerceError {
  const { key, name, points: exact } = mostExpensiveField(request);
  const fieldCost = Math.ceil(exact);
  const message = `costs ${fieldCost} of the ${points} points of the request; a request may cost at most ${MAX_REQUEST_COST}`;
  return new CommerceError('ARGUMENT_VALIDATION_ERROR', `${key === name ? name : `${key} (${name})`} ${message}`, {
    issues: [{ path: [key], message }],
    field: name,
    fieldCost,
    requestedQueryCost: points,
    maximumQueryCost: MAX_REQUEST_COST,
  });
}
