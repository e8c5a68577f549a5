import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import { collectFields, type Fragments } from './collect-fields.ts';

export type { OperationDefinitionNode };

/** The operation to execute, or an error with the same message as in graphql-js. */
export function findOperation(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | GraphQLError {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  const [first, second] = operations;
  if (!first) return new GraphQLError('Must provide an operation.');
  if (name === null || name === undefined) {
    return second ? new GraphQLError('Must provide operation name if query contains multiple operations.') : first;
  }
  return (
    operations.find((operation) => operation.name?.value === name) ??
    new GraphQLError(`Unknown operation named "${name}".`)
  );
}

/**
 * The distinct names of the root fields, also from fragments, and also those that a directive may leave out. Introspection
 * fields are among them only if there are no others: many clients add `__typename` to each selection set.
 */
export function rootFieldNames(operation: OperationDefinitionNode, fragments: Fragments): readonly string[] {
  const fields = collectFields([operation.selectionSet], fragments);
  const names = [...new Set(fields.map(({ name }) => name.value))];
  const others = names.filter((name) => !isIntrospectionField(name));
  return others.length > 0 ? others : names;
}

/** Whether all of the root fields are introspection fields. */
export function isIntrospection(rootFields: readonly string[]): boolean {
  return rootFields.every(isIntrospectionField);
}

function isIntrospectionField(name: string): boolean {
  return name.startsWith('__');
}
