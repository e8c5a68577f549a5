import type { FastifyBaseLogger } from 'fastify';
import type { Context, Session } from '../context.ts';
import { type CommerceError, loginRequired } from '../errors.ts';
import { documentErrors, executionErrors, type GraphQLFormattedError, isGraphQLError } from '../graphql/errors.ts';
import type { DocumentNode, Result } from '../graphql/execute.ts';
import { findOperation, isIntrospection, type OperationDefinitionNode, operationNames } from '../graphql/operation.ts';
import type { GraphQLSchema } from '../graphql/schema.ts';
import type { Anonymous } from '../graphql/scope.ts';
import { createEnvelope } from './envelope.ts';
import type { GraphQLRequest } from './graphql-request.ts';
import { graphqlMediaType, type ResponseMediaType } from './media-type.ts';
import { HttpError } from './problem.ts';

export type Caller = {
  session: Session | null;
  requestId: string;
  log: FastifyBaseLogger;
  mediaType: ResponseMediaType;
  /** A GET changes nothing. */
  isReadOnly: boolean;
  translate: (error: unknown) => CommerceError;
};

export type GraphQLResponse = {
  status: number;
  body: { data?: unknown; errors?: GraphQLFormattedError[]; extensions?: Record<string, unknown> };
  /** The operations that the document asks for, where it could be read. */
  operations: string[];
};

export type Execute = (request: GraphQLRequest, caller: Caller) => Promise<GraphQLResponse>;

/** Executes requests. What no GraphQL answer can tell about a whole request is thrown. */
export function createExecute(schema: GraphQLSchema, db: Context['db']): Execute {
  const enveloped = createEnvelope(schema);
  return async (request, caller) => {
    const envelope = enveloped(contextOf(db, caller));
    const prepared = prepare(schema, envelope, request);
    if (prepared.errors) return { status: refusalStatus(caller), body: { errors: prepared.errors }, operations: [] };
    checkCaller(prepared, caller);
    return await run(schema, envelope, request, prepared, caller);
  };
}

type Envelope = ReturnType<ReturnType<typeof createEnvelope>>;
type Prepared = { errors?: undefined; document: DocumentNode; operation: OperationDefinitionNode };
type Refused = { errors: GraphQLFormattedError[] };

function contextOf(db: Context['db'], { session, requestId, log }: Caller): Context | Anonymous {
  return session ? { db, log, requestId, session, merchantId: session.merchantId } : { session: null };
}

function prepare(schema: GraphQLSchema, { parse, validate }: Envelope, request: GraphQLRequest): Prepared | Refused {
  let document: DocumentNode;
  try {
    document = parse(request.query);
  } catch (error) {
    if (isGraphQLError(error)) return { errors: documentErrors([error], 'GRAPHQL_PARSE_FAILED') };
    throw error;
  }
  const invalid = validate(schema, document);
  if (invalid.length > 0) return { errors: documentErrors(invalid, 'GRAPHQL_VALIDATION_FAILED') };
  const operation = findOperation(document, request.operationName);
  if (isGraphQLError(operation)) return { errors: documentErrors([operation], 'GRAPHQL_VALIDATION_FAILED') };
  return { document, operation };
}

/** Questions about the schema need no token, unless the route has asked for one already. */
function checkCaller({ document, operation }: Prepared, { session, isReadOnly }: Caller): void {
  if (isReadOnly && operation.operation !== 'query') throw new HttpError(405, 'Mutations are sent with POST.', { allow: 'POST' });
  if (!session && !isIntrospection(document, operation)) throw loginRequired();
}

/** The one place where operations run: what holds for all mutation requests goes around its call. */
async function run(
  schema: GraphQLSchema,
  { execute, contextFactory }: Envelope,
  { operationName, variables }: GraphQLRequest,
  { document, operation }: Prepared,
  caller: Caller,
): Promise<GraphQLResponse> {
  const contextValue = await contextFactory();
  const result: Result = await execute({ schema, document, operationName, variableValues: variables, contextValue });
  const errors = result.errors && executionErrors(result.errors, caller.translate);
  const status = result.data === undefined ? refusalStatus(caller) : 200;
  return { status, body: { ...(errors && { errors }), ...(result.data !== undefined && { data: result.data }) }, operations: operationNames(operation) };
}

/** GraphQL over HTTP: clients of plain JSON read the errors, whatever the status; older ones want 200. */
function refusalStatus({ mediaType }: Caller): number {
  return mediaType === graphqlMediaType ? 400 : 200;
}
