import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Context, Session } from '../context.ts';
import { type Database, ofMerchant } from '../db/database.ts';
import { type CommerceError, type ErrorCode, httpStatusByCode, loginRequired } from '../errors.ts';
import { documentErrors, executionErrors, type GraphQLFormattedError, isGraphQLError, requestError } from '../graphql/errors.ts';
import type { DocumentNode, Result } from '../graphql/execute.ts';
import { findOperation, isIntrospection, type OperationDefinitionNode, rootFieldNames } from '../graphql/operation.ts';
import { checkSentOnce, createPrepareOperations, hasPreparation, type PrepareOperations, withPrepared } from '../graphql/preparation.ts';
import type { GraphQLSchema } from '../graphql/schema.ts';
import { type Anonymous, checkScopes } from '../graphql/scope.ts';
import { charge, withCost } from './charge.ts';
import { createEnvelope } from './envelope.ts';
import type { GraphQLRequest } from './graphql-request.ts';
import { ANSWER_MAX_BYTES, LargeAnswers } from './large-answers.ts';
import { writesLong } from './long-writes.ts';
import type { MainThread } from './main-thread.ts';
import { graphqlMediaType, type ResponseMediaType } from './media-type.ts';
import { type Answer, createRunMutation, type Outcome, type RunMutation } from './mutation.ts';
import type { PointLimiter } from './point-limiter.ts';
import { HttpError, retryLater } from './problem.ts';
import { whenAnswered } from './request-turn.ts';
import type { Client, Turns } from './turns.ts';

/** Transient error codes: the same request may succeed later. */
const passingCodes: readonly ErrorCode[] = ['INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE', 'TIMEOUT', 'UNAUTHORIZED'];

const unavailable = { status: httpStatusByCode.SERVICE_UNAVAILABLE, headers: retryLater };

export type Caller = {
  session: Session | null;
  requestId: string;
  log: FastifyBaseLogger;
  mediaType: ResponseMediaType;
  headers: IncomingHttpHeaders;
  /** A GET changes nothing. */
  isReadOnly: boolean;
  translate: (error: unknown, operations: readonly string[]) => CommerceError;
  client: Client;
};

export type GraphQLBody = { data?: unknown; errors?: GraphQLFormattedError[]; extensions?: Record<string, unknown> };

export type GraphQLResponse = {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: GraphQLBody;
  /** The operations that the document asks for, where it could be read. */
  operations: readonly string[];
};

export type Execute = (request: GraphQLRequest, caller: Caller) => Promise<GraphQLResponse>;

/** What operations work with, whoever calls. Long writes have connections of their own, so that others do not queue behind them. */
export type Means = Pick<Context, 'db' | 'webhook'> & {
  longWritesDb: Database;
  /** Without it apps may spend points at any rate. */
  pointLimiter?: PointLimiter;
  /** Of one answer. */
  answerMaxBytes?: number;
};

/** Requests wait among their like, as they share connections with them. */
export type TurnsOf = Record<'others' | 'longWrites' | 'outbound', Turns>;

/** Executes requests. What no GraphQL answer can tell about a whole request is thrown. */
export function createExecute(
  schema: GraphQLSchema, { longWritesDb, pointLimiter, answerMaxBytes = ANSWER_MAX_BYTES, ...means }: Means, turns: TurnsOf, mainThread: MainThread,
): Execute {
  const { enveloped, isKnown } = createEnvelope(schema);
  const runMutation = createRunMutation();
  const prepareOperations = createPrepareOperations(schema);
  const largeAnswers = new LargeAnswers(answerMaxBytes);
  return async (request, caller) => {
    const envelope = enveloped(contextOf(means, caller));
    const inTurn = async () => await mainThread.run(caller.session, caller.client, () => prepare(schema, envelope, request));
    const prepared = isKnown(request.query) ? prepare(schema, envelope, request) : await inTurn();
    if (prepared.errors) return asResponse({ status: refusalStatus(caller), headers: {}, body: { errors: prepared.errors } }, []);
    checkCaller(prepared, caller);
    checkSentOnce(schema, prepared);
    const costed = { schema, document: prepared.document, operation: prepared.operation, variables: request.variables };
    const refusal = charge(costed, caller, pointLimiter);
    if (refusal) return withCost(refused(refusal, prepared, caller), costed, caller, pointLimiter);
    const isLong = writesLong(prepared.document, prepared.operation);
    const leave = await turns[kindOf(schema, prepared, isLong)].take(caller.session, 1, caller.client);
    try {
      const run = { ...prepared, schema, request, caller, envelope, prepareOperations, largeAnswers, ...(isLong && { db: longWritesDb }) };
      return withCost(await runOperation(run, runMutation), costed, caller, pointLimiter);
    } finally {
      // Not yet given back: an answer that nobody reads takes memory too.
      whenAnswered(caller.client, leave);
    }
  };
}

type Envelope = ReturnType<ReturnType<typeof createEnvelope>['enveloped']>;
type Prepared = { errors?: undefined; document: DocumentNode; operation: OperationDefinitionNode };
type Refused = { errors: GraphQLFormattedError[] };

function contextOf(means: Pick<Context, 'db' | 'webhook'>, { session, requestId, log }: Caller): Context | Anonymous {
  return session ? { ...means, log, requestId, session, merchantId: session.merchantId } : { session: null };
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

/** What waits for other hosts takes the places of nobody who does not. */
function kindOf(schema: GraphQLSchema, prepared: Prepared, isLong: boolean): keyof TurnsOf {
  if (hasPreparation(schema, prepared)) return 'outbound';
  return isLong ? 'longWrites' : 'others';
}

type Run = Prepared & {
  schema: GraphQLSchema; request: GraphQLRequest; caller: Caller; envelope: Envelope; prepareOperations: PrepareOperations;
  largeAnswers: LargeAnswers; db?: Database;
};

/** The one place where operations run. What is stored is told to those who might execute it, and to nobody else. */
async function runOperation(run: Run, runMutation: RunMutation): Promise<GraphQLResponse> {
  const { schema, request, caller, envelope, prepareOperations, largeAnswers, db, document, operation } = run;
  const { operationName, variables } = request;
  const operations = rootFieldNames(document, operation);
  const execute = async (contextValue: Context | Anonymous, isDryRun: boolean): Promise<Outcome> =>
    outcome(await envelope.execute({ schema, document, operationName, variableValues: variables, contextValue }), { caller, operations, isDryRun });
  const ctx = (await envelope.contextFactory()) as Context | Anonymous;
  if (!ctx.session) return asResponse((await execute(ctx, false)).answer, operations);
  if (operation.operation !== 'mutation') {
    const reading = { ...ctx, db: ofMerchant(ctx.db, ctx.merchantId, caller.client) };
    const read = await largeAnswers.ofQuery(document, caller, async (answer) => await execute({ ...reading, answer }, false));
    return asResponse(read.answer, operations);
  }
  const mutating = { ...ctx, db: ofMerchant(db ?? ctx.db, ctx.merchantId), answer: largeAnswers.ofMutation(caller) };
  const answer = await runMutation(mutating, {
    headers: caller.headers,
    content: request,
    prepare: async (ctx, isDryRun) => await prepareOperations(ctx, { document, operation }, variables, isDryRun),
    execute: async (ctx, prepared, isDryRun) => await execute(prepared ? withPrepared(ctx, prepared) : ctx, isDryRun),
  });
  if (answer.isReplay) checkScopes(schema, document, operation, ctx.session);
  return asResponse(answer, operations);
}

function refused(error: CommerceError, { document, operation }: Prepared, caller: Caller): GraphQLResponse {
  const { status, headers } = error instanceof HttpError ? error : { status: refusalStatus(caller), headers: {} };
  return asResponse({ status, headers, body: { errors: [requestError(error)] } }, rootFieldNames(document, operation));
}

function asResponse({ status, headers, body }: Answer, operations: readonly string[]): GraphQLResponse {
  return { status, headers, body: body as GraphQLBody, operations };
}

type Executed = { caller: Caller; operations: readonly string[]; isDryRun: boolean };

function outcome({ data, errors: raised }: Result, { caller, operations, isDryRun }: Executed): Outcome {
  const errors = raised && executionErrors(raised, (error) => caller.translate(error, operations));
  const answer = (data: Result['data']): Answer => ({
    ...(isUnavailable(data, errors) ? unavailable : { status: data === undefined ? refusalStatus(caller) : 200, headers: {} }),
    body: { ...(errors && { errors }), ...(data !== undefined && { data }), ...(isDryRun && { extensions: { dryRun: true } }) },
  });
  if (data === undefined) return { answer: answer(undefined), undone: answer(undefined) };
  const mayPass = errors?.some(({ extensions }) => passingCodes.includes(extensions?.['code'] as ErrorCode));
  return { answer: answer(data), ...(mayPass && { undone: answer(null) }) };
}

/** Nothing was answered, because something the service needs is away. A part that was answered keeps status 200. */
function isUnavailable(data: Result['data'], errors: GraphQLFormattedError[] | undefined): boolean {
  const isEmpty = data == null || Object.values(data).every((value) => value === null);
  return isEmpty && (errors?.some(({ extensions }) => extensions?.['code'] === 'SERVICE_UNAVAILABLE') ?? false);
}

/** GraphQL over HTTP: clients of plain JSON read the errors, whatever the status; older ones want 200. */
function refusalStatus({ mediaType }: Caller): number {
  return mediaType === graphqlMediaType ? 400 : 200;
}
