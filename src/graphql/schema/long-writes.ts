import type { GraphQLField, GraphQLSchema } from 'graphql';
import { directiveOf } from '../directives.ts';

/**
 * The operations with `@transaction(isLong: true)`. Throws if an operation that changes data lacks the directive, so
 * that none runs unnoticed on the connections of short ones.
 */
export function findLongWrites(schema: GraphQLSchema): ReadonlySet<string> {
  const operations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const long = operations.filter(isLong);
  return new Set(long.map(({ name }) => name));
}

function isLong(operation: GraphQLField<unknown, unknown>): boolean {
  const value = directiveOf(operation, 'transaction')?.['isLong'];
  if (typeof value !== 'boolean') throw new Error(`Mutation.${operation.name} has no @transaction`);
  return value;
}
