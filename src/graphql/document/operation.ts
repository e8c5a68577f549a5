import { type DocumentNode, GraphQLError, type OperationDefinitionNode } from 'graphql';
import { collectFields, fragmentsOf } from './collect-fields.ts';

export type { OperationDefinitionNode };

const known = new WeakMap<OperationDefinitionNode, readonly string[]>();

/** The operation of the document that is to be executed, or why there is none, as graphql-js words it. */
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

/** Whether an operation asks about the schema and for no data. */
export function isIntrospection(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return rootFieldNames(document, operation).every((name) => name.startsWith('__'));
}

/** The name of each selected root field once, from fragments too, also where a directive leaves it out. */
export function rootFieldNames(document: DocumentNode, operation: OperationDefinitionNode): readonly string[] {
  const found = known.get(operation);
  if (found) return found;
  const fields = collectFields([operation.selectionSet], fragmentsOf(document));
  const names = [...new Set(fields.map(({ name }) => name.value))];
  known.set(operation, names);
  return names;
}
