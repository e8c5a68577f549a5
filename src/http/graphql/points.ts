import type { FastifyRequest } from 'fastify';
import { scopeIsGranted } from '../../app-scope.ts';
import { CommerceError, invalidAt } from '../../errors.ts';
import { type FieldCost, MAX_REQUEST_COST } from '../../graphql/cost/request-cost.ts';
import { type NeededScope, neededScopes } from '../../graphql/schema/needed-scopes.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import type { DeprecatedUse } from '../../graphql/usage/deprecations.ts';
import { JsonText } from '../../values/json.ts';
import type { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import { HttpError } from '../protocol/problem.ts';
import type { GraphQLResponse } from './graphql-response.ts';
import type { ValidRequest } from './run-operation.ts';

type PreflightDependencies = {
  schema: GraphQLSchema;
  pointLimiter: PointLimiter | undefined;
  deprecations: readonly DeprecatedUse[];
};

type CheckedScope = NeededScope & { readonly isGranted: boolean };

type CostDependencies = { readonly pointLimiter?: PointLimiter; readonly blockingWork: BlockingWorkQueue };

/** Whether the client asks what a request needs, by `X-Preflight: true`. */
export function isPreflight({ headers }: FastifyRequest): boolean {
  const value = headers['x-preflight'];
  if (value !== undefined && value !== 'true') throw invalidAt(['X-Preflight'], 'must be true, or left out');
  return value !== undefined;
}

/** What a request needs, and whether its token may. Executes nothing and spends no points. */
export function preflightResponse(
  { graphql: { variables }, request: { session }, operation }: ValidRequest,
  { schema, pointLimiter, deprecations }: PreflightDependencies,
): GraphQLResponse {
  const { document, node } = operation.sent;
  const operations = neededScopes(schema, { document, operation: node }, variables).map((needed) => ({
    ...needed,
    isGranted:
      needed.requiredScope === null || (session !== null && scopeIsGranted(session.scopes, needed.requiredScope)),
  }));
  const requestedQueryCost = operation.cost.requested(variables);
  const preflight = {
    isAllowed: requestedQueryCost > MAX_REQUEST_COST ? false : areGranted(operations),
    operations,
    requestedQueryCost,
    maximumQueryCost: MAX_REQUEST_COST,
    throttleStatus: session && pointLimiter ? pointLimiter.status(session) : null,
    deprecations,
  };
  return { status: 200, headers: {}, body: { data: null, extensions: { preflight } } };
}

/** Whether the token has all scopes of the operations; null if that depends on the arguments. */
function areGranted(operations: readonly CheckedScope[]): boolean | null {
  if (operations.some(({ isGranted }) => !isGranted)) return false;
  return operations.some(({ dependsOnArguments }) => dependsOnArguments) ? null : true;
}

/**
 * Takes the points of the request from the bucket of its app. Returns the refusal if the request costs more than one
 * may, or more than is in the bucket.
 */
export function spendPoints(
  { operation: { cost }, graphql: { variables }, request: { session } }: ValidRequest,
  pointLimiter: PointLimiter | undefined,
): CommerceError | null {
  const points = cost.requested(variables);
  if (points > MAX_REQUEST_COST) return costTooHigh(cost.mostExpensiveField(variables), points);
  return session && pointLimiter ? pointLimiter.spend(session, points) : null;
}

/** Adds `extensions.cost` to the response if the client asks for it with `X-Request-Cost: true`. */
export async function withCostExtension(
  response: GraphQLResponse,
  valid: ValidRequest,
  { pointLimiter, blockingWork }: CostDependencies,
): Promise<GraphQLResponse> {
  const { operation, graphql, request } = valid;
  const { session, headers } = request;
  if (headers['x-request-cost'] !== 'true') return response;
  const { data, extensions } = response.body;
  const cost = {
    requestedQueryCost: operation.cost.requested(graphql.variables),
    actualQueryCost: data ? await actualCost(data, valid, blockingWork) : null,
    throttleStatus: session && pointLimiter ? pointLimiter.status(session) : null,
  };
  return { ...response, body: { ...response.body, extensions: { ...extensions, cost } } };
}

/**
 * Parses the text of the response and counts its lists, which blocks the event loop for half a second if the response is
 * as large as allowed. Null if the queue of such work is full: an error in place of the response would hide what a mutation
 * has done.
 */
async function actualCost(
  data: unknown,
  { operation, graphql: { variables }, request: { session }, client }: ValidRequest,
  blockingWork: BlockingWorkQueue,
): Promise<number | null> {
  try {
    return await blockingWork.run(session, client, () => operation.cost.actual(variables, recordOf(data)));
  } catch (error) {
    if (error instanceof HttpError) return null;
    throw error;
  }
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
