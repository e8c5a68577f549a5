import type { DeprecatedUse } from '../../graphql/usage/deprecations.ts';
import type { GraphQLResponse } from './graphql-response.ts';
import type { ValidRequest } from './run-operation.ts';

/** Whether the client asks for `extensions.deprecations`. */
export function asksForDeprecations({ caller: { headers } }: ValidRequest): boolean {
  return headers['x-deprecations'] === 'true';
}

export function withDeprecations(response: GraphQLResponse, deprecations: readonly DeprecatedUse[]): GraphQLResponse {
  return { ...response, body: { ...response.body, extensions: { ...response.body.extensions, deprecations } } };
}
