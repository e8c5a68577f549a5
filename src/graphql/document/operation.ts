import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import { collectFields, fragmentsOf } from './collect-fields.ts';

export type { OperationDefinitionNode };

const namesByOperation = new WeakMap<OperationDefinitionNode, readonly string[]>();

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

/** Whether an operation selects only introspection fields. */
export function isIntrospection(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return rootFieldNames(document, operation).every((name) => name.startsWith('__'));
}

/** The distinct names of the root fields, also from fragments, and also those that a directive may leave out. */
export function rootFieldNames(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const found = namesByOperation.get(operation);
  if (found) return found;
  const fields = collectFields([operation.selectionSet], fragmentsOf(document));
  const names = [...new Set(fields.map(({ name }) => name.value))];
  namesByOperation.set(operation, names);
  return names;
}
