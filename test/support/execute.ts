import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { Context } from '../../src/context.ts';
import { createExecuteOperation, type OperationResult } from '../../src/graphql/execute/execute-operation.ts';
import { PreparedDocument } from '../../src/graphql/prepared/document-cache.ts';
import { type PreparedOperation, schemaFacts } from '../../src/graphql/prepared/prepared-operation.ts';

type Request = {
  document: DocumentNode;
  variableValues?: Record<string, unknown> | undefined;
  contextValue?: Partial<Context> | undefined;
};

/** The operation of a valid document. Mutations of the schema need no `@transaction`. */
export function preparedOperation(schema: GraphQLSchema, document: DocumentNode, name?: string): PreparedOperation {
  const operation = new PreparedDocument(schemaFacts(schema, new Set()), document, null).operation(name);
  if (operation instanceof Error) throw operation;
  return operation;
}

/** Returns a function that executes a document and returns `data` and `errors` as `execute` of graphql-js does. */
export function createExecute(
  schema: GraphQLSchema,
  onGraphQLJs?: () => void,
): (request: Request) => Promise<{ errors?: readonly GraphQLError[]; data?: OperationResult['data'] }> {
  const execute = createExecuteOperation(schema, onGraphQLJs);
  return async ({ document, variableValues = {}, contextValue = {} }) => {
    const operation = preparedOperation(schema, document);
    const sent = { variables: variableValues, strings: {} };
    const { errors, data } = await execute({ operation, sent, contextValue });
    return { ...(errors && { errors }), ...(data !== undefined && { data }) };
  };
}
