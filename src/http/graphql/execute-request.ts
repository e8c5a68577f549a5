import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Context, Session } from '../../context.ts';
import { type Database, ofMerchant } from '../../db/connection/database.ts';
import { type CommerceError, type ErrorCode, httpStatusByCode, loginRequired } from '../../errors.ts';
import { createDocumentCache } from '../../graphql/document/document-cache.ts';
import {
  documentErrors,
  executionErrors,
  type GraphQLFormattedError,
  isGraphQLError,
  requestError,
} from '../../graphql/errors.ts';
import type { DocumentNode, Execute as ExecuteDocument, Result } from '../../graphql/execute/execute.ts';
import {
  findOperation,
  isIntrospection,
  type OperationDefinitionNode,
  rootFieldNames,
} from '../../graphql/document/operation.ts';
import {
  checkSentOnce,
  createPrepareOperations,
  hasPreparation,
  type PrepareOperations,
  withPrepared,
} from '../../graphql/schema/preparation.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { type Anonymous, checkScopes } from '../../graphql/schema/scope.ts';
import { charge, withCost } from './request-points.ts';
import { createEngine } from './yoga.ts';
import type { GraphQLRequest } from './graphql-request.ts';
import { ANSWER_MAX_BYTES, LargeAnswers } from '../admission/large-answers.ts';
import { writesLong } from './long-writes.ts';
import type { MainThread } from '../admission/blocking-work.ts';
import { graphqlMediaType, type ResponseMediaType } from '../protocol/media-type.ts';
import { type Answer, createRunMutation, type Outcome, type RunMutation } from '../protocol/mutation.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import { HttpError, retryLater } from '../protocol/problem.ts';
import { whenAnswered } from '../admission/release-on-close.ts';
import type { Client, Turns } from '../admission/fair-limiter.ts';

/** About a thousand documents of usual length. */
const DOCUMENT_CACHE_BYTES = 16 * 1024 * 1024;
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
export function createExecute(schema: GraphQLSchema, means: Means, turns: TurnsOf, mainThread: MainThread): Execute {
  const { pointLimiter, answerMaxBytes = ANSWER_MAX_BYTES } = means;
  const documents = createDocumentCache(schema, { maxBytes: DOCUMENT_CACHE_BYTES });
  const engine: Engine = {
    schema,
    means,
    executeDocument: createEngine(schema),
    runMutation: createRunMutation(),
    prepareOperations: createPrepareOperations(schema),
    largeAnswers: new LargeAnswers(answerMaxBytes),
  };
  return async (request, caller) => {
    // Strangers do not get to push the callers' documents out of the cache.
    const read = () => documents.read(request.query, { remember: caller.session !== null });
    const { document, refusal } =
      documents.find(request.query) ?? (await mainThread.run(caller.session, caller.client, read));
    if (!document) return refusedDocument(refusal, caller);
    const operation = findOperation(document, request.operationName);
    if (isGraphQLError(operation))
      return refusedDocument(documentErrors([operation], 'GRAPHQL_VALIDATION_FAILED'), caller);
    const run: Run = {
      request,
      caller,
      document,
      operation,
      operations: rootFieldNames(document, operation),
      isLong: writesLong(document, operation),
    };
    checkCaller(run);
    checkSentOnce(schema, run);
    const costed = { schema, document, operation, variables: request.variables };
    const tooDear = charge(costed, caller, pointLimiter);
    if (tooDear) return withCost(refused(tooDear, run), costed, caller, pointLimiter);
    const queue = turns[kindOf(schema, run)];
    const leave = queue.tryTake(caller.session, 1) ?? (await queue.take(caller.session, 1, caller.client));
    try {
      return withCost(await runOperation(engine, run), costed, caller, pointLimiter);
    } finally {
      // Not yet given back: an answer that nobody reads takes memory too.
      whenAnswered(caller.client, leave);
    }
  };
}

type Engine = {
  schema: GraphQLSchema;
  means: Means;
  executeDocument: ExecuteDocument;
  runMutation: RunMutation;
  prepareOperations: PrepareOperations;
  largeAnswers: LargeAnswers;
};

/** A request whose document is valid. */
type Run = {
  request: GraphQLRequest;
  caller: Caller;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operations: readonly string[];
  isLong: boolean;
};

function refusedDocument(errors: GraphQLFormattedError[], caller: Caller): GraphQLResponse {
  return { status: refusalStatus(caller), headers: {}, body: { errors }, operations: [] };
}

/** Questions about the schema need no token, unless the route has asked for one already. */
function checkCaller({ caller: { session, isReadOnly }, document, operation }: Run): void {
  if (isReadOnly && operation.operation !== 'query')
    throw new HttpError(405, 'Mutations are sent with POST.', { allow: 'POST' });
  if (!session && !isIntrospection(document, operation)) throw loginRequired();
}

/** What waits for other hosts takes the places of nobody who does not. */
function kindOf(schema: GraphQLSchema, run: Run): keyof TurnsOf {
  if (hasPreparation(schema, run)) return 'outbound';
  return run.isLong ? 'longWrites' : 'others';
}

/** The one place where operations run. */
async function runOperation(engine: Engine, run: Run): Promise<GraphQLResponse> {
  const { caller, document, operation } = run;
  const { session } = caller;
  if (!session) return asResponse((await execute(engine, run, { session }, false)).answer, run);
  if (operation.operation === 'mutation') return await runMutation(engine, run, session);
  const ctx = contextOf(engine, run, session, ofMerchant(engine.means.db, session.merchantId, caller.client));
  const { answer } = await engine.largeAnswers.ofQuery(
    document,
    caller,
    async (responseSize) => await execute(engine, run, { ...ctx, responseSize }, false),
  );
  return asResponse(answer, run);
}

/** What is stored is told to those who might execute it, and to nobody else. */
async function runMutation(engine: Engine, run: Run, session: Session): Promise<GraphQLResponse> {
  const { schema, means, largeAnswers, prepareOperations } = engine;
  const { request, caller, document, operation, isLong } = run;
  const db = ofMerchant(isLong ? means.longWritesDb : means.db, session.merchantId);
  const answer = await engine.runMutation(
    { ...contextOf(engine, run, session, db), responseSize: largeAnswers.ofMutation(caller) },
    {
      headers: caller.headers,
      content: request,
      prepare: async (ctx, isDryRun) => await prepareOperations(ctx, run, request.variables, isDryRun),
      execute: async (ctx, prepared, isDryRun) =>
        await execute(engine, run, prepared ? withPrepared(ctx, prepared) : ctx, isDryRun),
    },
  );
  if (answer.isReplay) checkScopes(schema, document, operation, session);
  return asResponse(answer, run);
}

function contextOf(
  { means: { webhook } }: Engine,
  { caller: { log, requestId } }: Run,
  session: Session,
  db: Database,
): Context {
  return { db, webhook, log, requestId, session, merchantId: session.merchantId };
}

async function execute(
  { schema, executeDocument }: Engine,
  run: Run,
  contextValue: Context | Anonymous,
  isDryRun: boolean,
): Promise<Outcome> {
  const {
    request: { operationName, variables: variableValues },
    document,
  } = run;
  return outcome(
    await executeDocument({ schema, document, operationName, variableValues, contextValue }),
    run,
    isDryRun,
  );
}

function refused(error: CommerceError, run: Run): GraphQLResponse {
  const { status, headers } = error instanceof HttpError ? error : { status: refusalStatus(run.caller), headers: {} };
  return asResponse({ status, headers, body: { errors: [requestError(error)] } }, run);
}

function asResponse({ status, headers, body }: Answer, { operations }: Run): GraphQLResponse {
  return { status, headers, body: body as GraphQLBody, operations };
}

function outcome({ data, errors: raised }: Result, run: Run, isDryRun: boolean): Outcome {
  const errors = raised && executionErrors(raised, (error) => run.caller.translate(error, run.operations));
  const answer = answerOf(data, errors, run, isDryRun);
  if (data === undefined) return { answer, undone: answer };
  const mayPass = errors?.some(({ extensions }) => passingCodes.includes(extensions?.['code'] as ErrorCode));
  return mayPass ? { answer, undone: answerOf(null, errors, run, isDryRun) } : { answer };
}

function answerOf(
  data: Result['data'],
  errors: GraphQLFormattedError[] | undefined,
  { caller }: Run,
  isDryRun: boolean,
): Answer {
  const body = {
    ...(errors && { errors }),
    ...(data !== undefined && { data }),
    ...(isDryRun && { extensions: { dryRun: true } }),
  };
  if (errors && isUnavailable(data, errors)) return { ...unavailable, body };
  return { status: data === undefined ? refusalStatus(caller) : 200, headers: {}, body };
}

/** Nothing was answered, because something the service needs is away. A part that was answered keeps status 200. */
function isUnavailable(data: Result['data'], errors: GraphQLFormattedError[]): boolean {
  const isEmpty = data == null || Object.values(data).every((value) => value === null);
  return isEmpty && errors.some(({ extensions }) => extensions?.['code'] === 'SERVICE_UNAVAILABLE');
}

/** GraphQL over HTTP: clients of plain JSON read the errors, whatever the status; older ones want 200. */
function refusalStatus({ mediaType }: Caller): number {
  return mediaType === graphqlMediaType ? 400 : 200;
}
