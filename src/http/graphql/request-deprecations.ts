import type { DeprecatedUse } from '../../graphql/usage/deprecations.ts';
import type { GraphQLResponse } from './graphql-response.ts';
import type { ValidRequest } from './run-operation.ts';

/** Adds `extensions.deprecations` to the response if the client asks for it with `X-Deprecations: true`. */
export function withDeprecations(
  response: GraphQLResponse,
  valid: ValidRequest,
  deprecationsOf: (valid: ValidRequest) => readonly DeprecatedUse[],
): GraphQLResponse {
  if (valid.caller.headers['x-deprecations'] !== 'true') return response;
  const deprecations = deprecationsOf(valid);
  return { ...response, body: { ...response.body, extensions: { ...response.body.extensions, deprecations } } };
}
