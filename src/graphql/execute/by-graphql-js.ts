import {
  type DocumentNode,
  executeRootSelectionSet,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  validateExecutionArgs,
} from 'graphql';
import type { VariableValues } from '../input/variables.ts';
import type { RootField } from '../plan/operation-plan.ts';
import type { PreparedOperation } from '../prepared/prepared-operation.ts';
import type { Settled, SettledContext } from '../schema/scope.ts';

/** Why graphql-js executes a root field: it is introspection, or the executor cannot complete its result. */
export type GraphQLJsReason = 'introspection' | 'result';

type Requested = { operation: PreparedOperation; variableValues: VariableValues; contextValue: object };

/**
 * Lets graphql-js execute one root field. `settled` is the result of its resolver, which is not called again.
 */
export async function executeByGraphQLJs(
  schema: GraphQLSchema,
  { nodes }: RootField,
  settled: Settled | null,
  { operation, variableValues, contextValue }: Requested,
): Promise<ExecutionResult> {
  const context: SettledContext | object = settled ? { ...contextValue, settled } : contextValue;
  const { variableDefinitions: _, ...node } = operation.executed.node;
  const selectionSet = { kind: Kind.SELECTION_SET, selections: nodes } as const;
  const fragments = Object.values(operation.executed.fragments).flatMap((fragment) => fragment ?? []);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [{ ...node, selectionSet }, ...fragments] };
  const args = validateExecutionArgs({ schema, document, contextValue: context, hideSuggestions: true });
  if (!('schema' in args)) throw args[0] ?? new GraphQLError('The operation cannot be executed.');
  return await executeRootSelectionSet({ ...args, variableValues });
}
