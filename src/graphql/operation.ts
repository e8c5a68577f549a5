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
  return areIntrospection(document, operation.selectionSet.selections);
}

/** The names of the operations of the schema that are asked for, for logs and metrics. */
export function operationNames(operation: OperationDefinitionNode): string[] {
  return operation.selectionSet.selections.flatMap((node) => (node.kind === 'Field' ? [node.name.value] : []));
}

function areIntrospection(document: DocumentNode, nodes: readonly SelectionNode[]): boolean {
  return nodes.every((node) => {
    if (node.kind === 'Field') return node.name.value.startsWith('__');
    if (node.kind === 'InlineFragment') return areIntrospection(document, node.selectionSet.selections);
    const fragment = document.definitions.find(
      (definition) => definition.kind === 'FragmentDefinition' && definition.name.value === node.name.value,
    );
    return fragment?.kind === 'FragmentDefinition' && areIntrospection(document, fragment.selectionSet.selections);
  });
}
