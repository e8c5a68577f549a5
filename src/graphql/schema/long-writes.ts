import type { DirectiveNode, GraphQLSchema } from 'graphql';

/**
 * The operations with `@transaction(isLong: true)`. Throws if an operation that changes data lacks the directive, so
 * that none runs unnoticed on the connections of short ones.
 */
export function findLongWrites(schema: GraphQLSchema): ReadonlySet<string> {
  const operations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const long = operations.filter(({ name, astNode }) => isLong(name, astNode?.directives ?? []));
  return new Set(long.map(({ name }) => name));
}

function isLong(operation: string, directives: readonly DirectiveNode[]): boolean {
  const transaction = directives.find(({ name }) => name.value === 'transaction');
  const value = transaction?.arguments?.find(({ name }) => name.value === 'isLong')?.value;
  if (value?.kind !== 'BooleanValue') throw new Error(`Mutation.${operation} has no @transaction`);
  return value.value;
}
