import { type DocumentNode, getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { collectFields, fragmentsOf, isIncluded, responseKey, type Visit } from '../document/collect-fields.ts';
import type { DocumentResult } from './fast-path.ts';

/**
 * The response keys of a document with several mutations of which one failed: those that succeeded, and those without
 * an effect. A failed one is in neither list, but in the path of its error.
 */
export type ExecutedFields = { readonly executed: readonly string[]; readonly notExecuted: readonly string[] };

type Executed = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>> | null | undefined;
};

/**
 * Null unless the document has several mutations and one of them failed. Mutations are executed in their order. A failed
 * one whose type is non-null makes `data` null, and ends the execution. An error deeper in the result of a mutation says
 * that it succeeded and that its result could not be shown.
 */
export function executedFields(request: Executed, { data, errors }: DocumentResult): ExecutedFields | null {
  if (request.operation.operation !== 'mutation' || data === undefined || !errors?.length) return null;
  const keys = mutationKeys(request);
  if (keys.length < 2) return null;
  const named = new Set(errors.map(({ path }) => path?.[0]));
  const failed = new Set(errors.flatMap(({ path }) => (path?.length === 1 ? [path[0]] : [])));
  const begun = data === null ? keys.slice(0, keys.findLastIndex((key) => named.has(key)) + 1) : keys;
  return { executed: begun.filter((key) => !failed.has(key)), notExecuted: keys.slice(begun.length) };
}

/** The same when everything is rolled back together, as with an idempotency key. */
export function rolledBackFields({ executed, notExecuted }: ExecutedFields): ExecutedFields {
  return { executed: [], notExecuted: [...executed, ...notExecuted] };
}

function mutationKeys({ schema, document, operation, variables }: Executed): string[] {
  const { variableValues } = getVariableValues(schema, operation.variableDefinitions ?? [], variables ?? {});
  const visit: Visit = (node) =>
    node.kind === 'FragmentDefinition' || variableValues === undefined || isIncluded(node, variableValues);
  const fields = collectFields([operation.selectionSet], fragmentsOf(document), visit);
  return [...new Set(fields.filter(({ name }) => !name.value.startsWith('__')).map(responseKey))];
}
