import type { Context, Session } from '../../context.ts';
import { type Database, ofMerchant, withTimePerStatement } from '../../db/connection/database.ts';
import { Batches } from '../../limits/batches.ts';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { LARGE_FROM_BYTES, ResponseSize } from '../../limits/response-size.ts';
import type { ExecuteOperation, OnGraphQLJs } from '../../graphql/execute/execute-operation.ts';
import { executedFields } from '../../graphql/execute/executed-fields.ts';
import type { ValidDocument } from '../../graphql/prepared/document-cache.ts';
import type { PreparedOperation, SentValues } from '../../graphql/prepared/prepared-operation.ts';
import { checkSender, prepareFields } from '../../graphql/prepared/root-mutations.ts';
import { relocated } from '../../graphql/prepared/string-literals.ts';
import { type Preparations, withPreparations } from '../../graphql/schema/preparation.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { type AnonymousContext, requireScopes } from '../../graphql/schema/scope.ts';
import { LargeResponseLimiter, MAX_RESPONSE_BYTES } from '../admission/large-response-limiter.ts';
import { createRunMutation, type MutationOutcome, type RunMutation } from '../protocol/mutation.ts';
import type { Caller, GraphQLRequest } from './graphql-request.ts';
import { type GraphQLResponse, outcomeOf } from './graphql-response.ts';
import { createYogaExecutor } from './yoga-executor.ts';

/** The span of a request names at most so many saved records. */
const MAX_TRACED_IDS = 20;

export type RunDependencies = Pick<Context, 'db' | 'webhook'> & {
  schema: GraphQLSchema;
  /** Long writes have connections of their own, so that other requests do not wait behind them. */
  longWritesDb: Database;
  maxResponseBytes?: number;
  /** Called for each root field that graphql-js executes. */
  onGraphQLJs?: OnGraphQLJs;
};

/** A request with a valid document and operation. */
export type ValidRequest = ValidDocument & {
  request: GraphQLRequest;
  caller: Caller;
  operation: PreparedOperation;
};

type Runner = RunDependencies & {
  executeOperation: ExecuteOperation;
  runMutation: RunMutation;
  largeResponses: LargeResponseLimiter;
  slices: EventLoopSlices;
  batches: Batches;
};

/** The only place where operations are executed. */
export function createRunOperation(dependencies: RunDependencies): (valid: ValidRequest) => Promise<GraphQLResponse> {
  const { schema, maxResponseBytes = MAX_RESPONSE_BYTES } = dependencies;
  const runner: Runner = {
    ...dependencies,
    executeOperation: createYogaExecutor(schema, dependencies.onGraphQLJs),
    runMutation: createRunMutation(),
    largeResponses: new LargeResponseLimiter(maxResponseBytes),
    slices: new EventLoopSlices(),
    batches: new Batches(),
  };
  return (valid) => {
    const { operation, caller } = valid;
    const { session } = caller;
    // `checkCaller` has refused everything else without a token.
    if (!session || (operation.isIntrospection && !operation.isMutation)) return runIntrospection(runner, valid);
    const run = operation.isMutation ? runMutation : runQuery;
    return run(runner, valid, session);
  };
}

/**
 * Executes the operation before it returns, so that it can be blocking work. Therefore it cannot wait for a slot for a
 * large response: such a response is refused. The introspection query of graphql-js, with all options, has 0.6 MB.
 */
async function runIntrospection(runner: Runner, valid: ValidRequest): Promise<GraphQLResponse> {
  const responseSize = new ResponseSize(LARGE_FROM_BYTES);
  return (await execute(runner, valid, { session: null, responseSize }, false)).response as GraphQLResponse;
}

async function runQuery(runner: Runner, valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
  const { caller, operation } = valid;
  const db = ofMerchant(runner.db, session.merchantId, caller.client, caller.span);
  const { response } = await runner.largeResponses.runQuery(operation, caller, async (responseSize) => {
    const ctx = await withCurrentSession(contextOf(runner, valid, session, { db, responseSize }), caller);
    return await execute(runner, valid, ctx, false);
  });
  return response as GraphQLResponse;
}

async function runMutation(runner: Runner, valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
  const { request, caller, operation } = valid;
  const db = ofMerchant(operation.isLong ? runner.longWritesDb : runner.db, session.merchantId, null, caller.span);
  const ctx = contextOf(runner, valid, session, {
    db: operation.isOutbound ? withTimePerStatement(db) : db,
    responseSize: runner.largeResponses.mutationSize(caller),
  });
  const included = operation.included(request.variables);
  const response = await runner.runMutation(
    { ...ctx, ...recordIdsOf(caller), mutationCount: included.mutations.length },
    {
      headers: caller.headers,
      operation: included.operations.join(', '),
      content: request,
      withCurrentSession: async (ctx) => await withCurrentSession(ctx, caller),
      admitReplay: async (waiting, bytes) => {
        await runner.largeResponses.acquireForStored(bytes, caller);
        const ctx = await withCurrentSession(waiting, caller);
        requireScopes(runner.schema, included.operations, ctx.session);
        return ctx;
      },
      prepare: async (ctx, isDryRun) => {
        checkSender(included.mutations, isDryRun);
        return await prepare(ctx, valid);
      },
      execute: async (ctx, prepared, isDryRun) =>
        await execute(
          runner,
          valid,
          prepared ? withPreparations(ctx, prepared) : withBatches(runner, valid, ctx),
          isDryRun,
        ),
    },
  );
  return response as GraphQLResponse;
}

/** Looks up the session again if its token may have been revoked while the request waited. */
async function withCurrentSession(ctx: Context, caller: Caller): Promise<Context> {
  return caller.isSessionOld() ? { ...ctx, session: await caller.renewSession(ctx.db) } : ctx;
}

/**
 * What waits for other hosts, for requests with an idempotency key and for dry runs. Prepares nothing if variables are
 * invalid: execution reports them.
 */
async function prepare(ctx: Context, valid: ValidRequest): Promise<Preparations> {
  const { operation } = valid;
  if (!operation.isOutbound) return new Map();
  const checked = await operation.checkedValues(ctx, sentValues(valid));
  if (checked.errors) return new Map();
  return await prepareFields(ctx, checked.fields, checked.variableValues);
}

/** Nothing is prepared for a request that is in no transaction. */
function withBatches({ batches }: Runner, { operation }: ValidRequest, ctx: Context): Context {
  return operation.mutations.length === 1 && !operation.hasAliases ? { ...ctx, batches } : ctx;
}

/** Adds the ids of saved records to the span of a mutation. The spans of the records' deliveries have the same ids. */
function recordIdsOf({ span }: Caller): Pick<Context, 'beforeCommit'> {
  if (!span) return {};
  const ids: string[] = [];
  return {
    beforeCommit: (result) => {
      for (const { id } of [result].flat() as { id?: unknown }[])
        if (typeof id === 'string' && ids.length < MAX_TRACED_IDS) ids.push(id);
      if (ids.length > 0) span.set({ 'commerce.record.ids': [...ids] });
    },
  };
}

function contextOf(
  { webhook, slices }: Runner,
  { caller: { log, requestId, span } }: ValidRequest,
  session: Session,
  { db, responseSize }: { readonly db: Database; readonly responseSize: ResponseSize },
): Context {
  const { merchantId } = session;
  const ctx = { db, webhook, log, requestId, session, merchantId, slices, responseSize };
  return span ? { ...ctx, span } : ctx;
}

async function execute(
  { executeOperation }: Runner,
  valid: ValidRequest,
  contextValue: Context | AnonymousContext,
  isDryRun: boolean,
): Promise<MutationOutcome> {
  const { caller, operation, prepared, sent } = valid;
  const { mediaType, toPublicError } = caller;
  const found = await executeOperation({ operation, sent: sentValues(valid), contextValue });
  const errors = found.errors?.map((error) => relocated(error, prepared.withoutStrings, sent));
  const result = errors ? { ...found, errors } : found;
  const fields = operation.isMutation ? executedFields(result) : null;
  return outcomeOf(result, { mediaType, isDryRun, toPublicError, fields });
}

function sentValues({ request: { variables }, sent }: ValidRequest): SentValues {
  return { variables, strings: sent.values };
}
