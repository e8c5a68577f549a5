import type { FastifyRequest } from 'fastify';
import { scopeIsGranted } from '../../app-scope.ts';
import { invalidAt } from '../../errors.ts';
import { MAX_REQUEST_COST } from '../../graphql/cost/request-cost.ts';
import type { DeprecatedUse } from '../../graphql/usage/deprecations.ts';
import { type NeededScope, neededScopes } from '../../graphql/schema/needed-scopes.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import type { GraphQLResponse } from './graphql-response.ts';
import type { ValidRequest } from './run-operation.ts';

type PreflightDependencies = {
  schema: GraphQLSchema;
  pointLimiter: PointLimiter | undefined;
  deprecations: readonly DeprecatedUse[];
};

type CheckedScope = NeededScope & { readonly isGranted: boolean };

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
  const { document, node } = operation;
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
