import type { FindDeprecations, ValidDocument } from '../../graphql/usage/deprecations.ts';
import type { Caller } from './graphql-request.ts';
import type { GraphQLResponse } from './graphql-response.ts';

/** Adds `extensions.deprecations` to the response if the client asks for it with `X-Deprecations: true`. */
export function withDeprecations(
  response: GraphQLResponse,
  document: ValidDocument,
  { headers }: Pick<Caller, 'headers'>,
  deprecationsOf: FindDeprecations,
): GraphQLResponse {
  if (headers['x-deprecations'] !== 'true') return response;
  const deprecations = deprecationsOf(document);
  return { ...response, body: { ...response.body, extensions: { ...response.body.extensions, deprecations } } };
}
