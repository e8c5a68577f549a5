import { type DocumentNode, GraphQLError, type OperationDefinitionNode, type SelectionNode } from 'graphql';

export type { OperationDefinitionNode };

/** The operation of the document that is to be executed, or why there is none, as graphql-js words it. */
export function findOperation(document: DocumentNode, name: string | null | undefined): OperationDefinitionNode | GraphQLError {
  const operations = document.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  const [first, second] = operations;
  if (!first) return new GraphQLError('Must provide an operation.');
  if (name === null || name === undefined) {
    return second ? new GraphQLError('Must provide operation name if query contains multiple operations.') : first;
  }
  return operations.find((operation) => operation.name?.value === name) ?? new GraphQLError(`Unknown operation named "${name}".`);
}

/** Whether an operation asks about the schema and for no data. */
export function isIntrospection(document: DocumentNode, operation: OperationDefinitionNode): boolean {
  return rootFieldNames(document, operation).every((name) => name.startsWith('__'));
}

/** The names of the operations of the schema that are asked for, for logs and metrics. */
export function operationNames(operation: OperationDefinitionNode): string[] {
  return operation.selectionSet.selections.flatMap((node) => (node.kind === 'Field' ? [node.name.value] : []));
}

/** Everything that is asked for at the top, by way of fragments too, also where a directive leaves it out. */
export function rootFieldNames(document: DocumentNode, operation: OperationDefinitionNode): IteratorObject<string> {
  return fieldNames(document, operation.selectionSet.selections);
}

function* fieldNames(document: DocumentNode, nodes: readonly SelectionNode[]): Generator<string> {
  for (const node of nodes) {
    if (node.kind === 'Field') yield node.name.value;
    else if (node.kind === 'InlineFragment') yield* fieldNames(document, node.selectionSet.selections);
    else yield* fieldNames(document, fragmentSelections(document, node.name.value));
  }
}

function fragmentSelections(document: DocumentNode, name: string): readonly SelectionNode[] {
  const fragment = document.definitions.find((definition) => definition.kind === 'FragmentDefinition' && definition.name.value === name);
  return fragment?.kind === 'FragmentDefinition' ? fragment.selectionSet.selections : [];
}
