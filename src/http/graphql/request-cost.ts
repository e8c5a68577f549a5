import { CommerceError } from '../../errors.ts';
import {
  type CostedRequest,
  type FieldCost,
  MAX_REQUEST_COST,
  type RequestCosts,
} from '../../graphql/cost/request-cost.ts';
import { JsonText } from '../../values/json-text.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import type { Caller } from './graphql-request.ts';

/** `pointLimiter`: without it, apps may spend points at any rate. */
export type CostDependencies = { readonly costs: RequestCosts; readonly pointLimiter?: PointLimiter };

type Body = { data?: unknown; extensions?: Record<string, unknown> };

/**
 * Takes the points of the request from the bucket of its app. Returns the refusal if the request costs more than one
 * may, or more than is in the bucket.
 */
export function spendPoints(
  request: CostedRequest,
  { session }: Pick<Caller, 'session'>,
  { costs, pointLimiter }: CostDependencies,
): CommerceError | null {
  const points = costs.requested(request);
  if (points > MAX_REQUEST_COST) return costTooHigh(costs.mostExpensiveField(request), points);
  return session && pointLimiter ? pointLimiter.spend(session, points) : null;
}

/** Adds `extensions.cost` to the response if the client asks for it with `X-Request-Cost: true`. */
export function withCostExtension<Response extends { body: Body }>(
  response: Response,
  request: CostedRequest,
  { session, headers }: Pick<Caller, 'session' | 'headers'>,
  { costs, pointLimiter }: CostDependencies,
): Response {
  if (headers['x-request-cost'] !== 'true') return response;
  const { data, extensions } = response.body;
  const cost = {
    requestedQueryCost: costs.requested(request),
    actualQueryCost: data ? costs.actual(request, recordOf(data)) : null,
    throttleStatus: session && pointLimiter ? pointLimiter.status(session) : null,
  };
  return { ...response, body: { ...response.body, extensions: { ...extensions, cost } } };
}

function recordOf(data: unknown): Record<string, unknown> {
  return (data instanceof JsonText ? JSON.parse(data.text) : data) as Record<string, unknown>;
}

function costTooHigh({ key, name, points: exact }: FieldCost, points: number): CommerceError {
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
