import type { Context, Session } from '../../context.ts';
import { type Database, ofMerchant, withTimePerStatement } from '../../db/connection/database.ts';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import type { OperationDefinitionNode } from '../../graphql/document/operation.ts';
import type { DocumentNode, ExecuteDocument } from '../../graphql/execute/execute.ts';
import { executedFields } from '../../graphql/execute/executed-fields.ts';
import {
  createPrepareOperations,
  hasPreparation,
  type PrepareOperations,
  withPreparations,
} from '../../graphql/schema/preparation.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { type AnonymousContext, requireScopes } from '../../graphql/schema/scope.ts';
import { LargeResponseLimiter, MAX_RESPONSE_BYTES } from '../admission/large-response-limiter.ts';
import {
  createRunMutation,
  type MutationOutcome,
  type MutationResponse,
  type RunMutation,
} from '../protocol/mutation.ts';
import type { Caller, GraphQLRequest } from './graphql-request.ts';
import { type GraphQLBody, type GraphQLResponse, outcomeOf } from './graphql-response.ts';
import { createYogaExecutor } from './yoga-executor.ts';

/** The span of a request names at most so many saved records. */
const MAX_TRACED_IDS = 20;

export type RunDependencies = Pick<Context, 'db' | 'webhook'> & {
  schema: GraphQLSchema;
  /** Long writes have connections of their own, so that other requests do not wait behind them. */
  longWritesDb: Database;
  maxResponseBytes?: number;
};

/** A request with a valid document and operation. */
export type ValidRequest = {
  request: GraphQLRequest;
  caller: Caller;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The names of its root fields. */
  operations: readonly string[];
  isLong: boolean;
};

type Runner = RunDependencies & {
  executeDocument: ExecuteDocument;
  runMutation: RunMutation;
  prepareOperations: PrepareOperations;
  largeResponses: LargeResponseLimiter;
  slices: EventLoopSlices;
};

/** The only place where operations are executed. */
export function createRunOperation(dependencies: RunDependencies): (valid: ValidRequest) => Promise<GraphQLResponse> {
  const { schema, maxResponseBytes = MAX_RESPONSE_BYTES } = dependencies;
  const runner: Runner = {
    ...dependencies,
    executeDocument: createYogaExecutor(schema),
    runMutation: createRunMutation(),
    prepareOperations: createPrepareOperations(schema),
    largeResponses: new LargeResponseLimiter(maxResponseBytes),
    slices: new EventLoopSlices(),
  };
  return (valid) => {
    const { session } = valid.caller;
    if (!session) return runAnonymous(runner, valid);
    const run = valid.operation.operation === 'mutation' ? runMutation : runQuery;
    return run(runner, valid, session);
  };
}

/** Only introspection: `checkCaller` has refused everything else. */
async function runAnonymous(runner: Runner, valid: ValidRequest): Promise<GraphQLResponse> {
  const { response } = await execute(runner, valid, { session: null }, false);
  return graphqlResponse(response, valid);
}

async function runQuery(runner: Runner, valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
  const { caller, document } = valid;
  const ctx = contextOf(runner, valid, session, ofMerchant(runner.db, session.merchantId, caller.client, caller.span));
  const { response } = await runner.largeResponses.runQuery(
    document,
    caller,
    async (responseSize) => await execute(runner, valid, { ...ctx, responseSize }, false),
  );
  return graphqlResponse(response, valid);
}

/** A stored response of an idempotent mutation needs the same scopes as executing it. */
async function runMutation(runner: Runner, valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
  const { request, caller, operations, isLong } = valid;
  const db = ofMerchant(isLong ? runner.longWritesDb : runner.db, session.merchantId, null, caller.span);
  const isOutbound = hasPreparation(runner.schema, valid);
  const ctx = contextOf(runner, valid, session, isOutbound ? withTimePerStatement(db) : db);
  const response = await runner.runMutation(
    { ...ctx, ...recordIdsOf(caller), responseSize: runner.largeResponses.mutationSize(caller) },
    {
      headers: caller.headers,
      content: request,
      admitReplay: async (bytes) => await runner.largeResponses.acquireForStored(bytes, caller),
      prepare: async (ctx, isDryRun) => await runner.prepareOperations(ctx, valid, request.variables, isDryRun),
      execute: async (ctx, prepared, isDryRun) =>
        await execute(runner, valid, prepared ? withPreparations(ctx, prepared) : ctx, isDryRun),
    },
  );
  if (response.isReplay) requireScopes(runner.schema, operations, session);
  return graphqlResponse(response, valid);
}

/** Adds the ids of saved records to the span of a mutation. The spans of the records' deliveries have the same ids. */
function recordIdsOf({ span }: Caller): Pick<Context, 'beforeCommit'> {
  if (!span) return {};
  const ids: string[] = [];
  return {
    beforeCommit: (record) => {
      const { id } = record as { id?: unknown };
      if (typeof id !== 'string' || ids.length === MAX_TRACED_IDS) return;
      ids.push(id);
      span.set({ 'commerce.record.ids': [...ids] });
    },
  };
}

function contextOf(
  { webhook, slices }: Runner,
  { caller: { log, requestId, span } }: ValidRequest,
  session: Session,
  db: Database,
): Context {
  return { db, webhook, log, requestId, session, merchantId: session.merchantId, slices, ...(span && { span }) };
}

async function execute(
  { schema, executeDocument }: Runner,
  { request, caller, document, operation, operations }: ValidRequest,
  contextValue: Context | AnonymousContext,
  isDryRun: boolean,
): Promise<MutationOutcome> {
  const { operationName, variables: variableValues } = request;
  const { mediaType } = caller;
  const toPublicError = (error: unknown) => caller.toPublicError(error, operations);
  const result = await executeDocument({ schema, document, operationName, variableValues, contextValue });
  const fields = executedFields({ schema, document, operation, variables: variableValues }, result);
  return outcomeOf(result, { mediaType, isDryRun, toPublicError, fields });
}

function graphqlResponse({ status, headers, body }: MutationResponse, { operations }: ValidRequest): GraphQLResponse {
  return { status, headers, body: body as GraphQLBody, operations };
}
