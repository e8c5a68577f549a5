import type { Context, Session } from '../../context.ts';
import { type Database, ofMerchant, withSending } from '../../db/connection/database.ts';
import { Batches } from '../../limits/batches.ts';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { LARGE_FROM_BYTES, ResponseSize } from '../../limits/response-size.ts';
import type { ExecuteOperation, OnGraphQLJs } from '../../graphql/execute/execute-operation.ts';
import type { ValidDocument } from '../../graphql/prepared/document-cache.ts';
import type { PreparedOperation, SentValues } from '../../graphql/prepared/prepared-operation.ts';
import { checkSender, prepareFields } from '../../graphql/prepared/root-mutations.ts';
import { relocated } from '../../graphql/prepared/string-literals.ts';
import { type Preparations, withPreparations } from '../../graphql/schema/preparation.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { type AnonymousContext, requireScopes } from '../../graphql/schema/scope.ts';
import type { Span } from '../../tracing/span.ts';
import { currentSession } from '../admission/authenticate.ts';
import { LargeResponseLimiter, MAX_RESPONSE_BYTES } from '../admission/large-response-limiter.ts';
import { createRunMutation, type MutationOutcome } from '../protocol/mutation.ts';
import type { ReceivedRequest } from './graphql-request.ts';
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
export type ValidRequest = ReceivedRequest & ValidDocument & { operation: PreparedOperation };

/** The only place where operations are executed. */
export class OperationRunner {
  readonly #dependencies: RunDependencies;
  readonly #executeOperation: ExecuteOperation;
  readonly #runMutation = createRunMutation();
  readonly #largeResponses: LargeResponseLimiter;
  readonly #slices = new EventLoopSlices();
  readonly #batches = new Batches();

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies;
    this.#executeOperation = createYogaExecutor(dependencies.schema, dependencies.onGraphQLJs);
    this.#largeResponses = new LargeResponseLimiter(dependencies.maxResponseBytes ?? MAX_RESPONSE_BYTES);
  }

  run(valid: ValidRequest): Promise<GraphQLResponse> {
    const { operation, request } = valid;
    const { session } = request;
    // `checkCaller` has refused everything else without a token.
    if (!session || (operation.isIntrospection && !operation.isMutation)) return this.#introspect(valid);
    return operation.isMutation ? this.#mutate(valid, session) : this.#query(valid, session);
  }

  /**
   * Executes the operation before it returns, so that it can be blocking work. Therefore it cannot wait for a slot for a
   * large response: such a response is refused. The introspection query of graphql-js, with all options, has 0.6 MB.
   */
  async #introspect(valid: ValidRequest): Promise<GraphQLResponse> {
    const responseSize = new ResponseSize(LARGE_FROM_BYTES);
    return (await this.#execute(valid, { session: null, responseSize }, false)).response as GraphQLResponse;
  }

  async #query(valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
    const { request, client, operation } = valid;
    const db = ofMerchant(this.#dependencies.db, session.merchantId, client, request.span);
    const { response } = await this.#largeResponses.runQuery(operation, { session, client }, async (responseSize) => {
      const ctx = this.#contextOf(valid, await currentSession(request, db), { db, responseSize });
      return await this.#execute(valid, ctx, false);
    });
    return response as GraphQLResponse;
  }

  async #mutate(valid: ValidRequest, session: Session): Promise<GraphQLResponse> {
    const { graphql, request, client, operation } = valid;
    const { schema, db: standardDb, longWritesDb } = this.#dependencies;
    const recipient = { session, client };
    const db = ofMerchant(operation.isLong ? longWritesDb : standardDb, session.merchantId, null, request.span);
    const ctx = this.#contextOf(valid, session, {
      db: operation.isOutbound ? withSending(db, { admittedAtMs: null }) : db,
      responseSize: this.#largeResponses.mutationSize(recipient),
    });
    const included = operation.included(graphql.variables);
    const withCurrentSession = async (ctx: Context) => ({ ...ctx, session: await currentSession(request, ctx.db) });
    const response = await this.#runMutation(
      { ...ctx, ...recordIdsOf(request.span), mutationCount: included.mutations.length },
      {
        headers: request.headers,
        operation: included.operations.join(', '),
        content: graphql,
        withCurrentSession,
        admitReplay: async (waiting, bytes) => {
          await this.#largeResponses.acquireForStored(bytes, recipient);
          const ctx = await withCurrentSession(waiting);
          requireScopes(schema, included.operations, ctx.session);
          return ctx;
        },
        prepare: async (ctx, isDryRun) => {
          checkSender(included.mutations, isDryRun);
          return await prepare(ctx, valid);
        },
        execute: async (ctx, prepared, isDryRun) =>
          await this.#execute(
            valid,
            prepared ? withPreparations(ctx, prepared) : this.#withBatches(ctx, operation),
            isDryRun,
          ),
      },
    );
    return response as GraphQLResponse;
  }

  /** Nothing is prepared for a request that is in no transaction. */
  #withBatches(ctx: Context, operation: PreparedOperation): Context {
    return operation.mutations.length === 1 && !operation.hasAliases ? { ...ctx, batches: this.#batches } : ctx;
  }

  #contextOf(
    { request: { log, id, span } }: ValidRequest,
    session: Session,
    { db, responseSize }: { readonly db: Database; readonly responseSize: ResponseSize },
  ): Context {
    const { merchantId } = session;
    const { webhook } = this.#dependencies;
    const ctx = { db, webhook, log, requestId: id, session, merchantId, slices: this.#slices, responseSize };
    return span ? { ...ctx, span } : ctx;
  }

  async #execute(
    valid: ValidRequest,
    contextValue: Context | AnonymousContext,
    isDryRun: boolean,
  ): Promise<MutationOutcome> {
    const { request, mediaType, operation, prepared, sent } = valid;
    const found = await this.#executeOperation({ operation, sent: sentValues(valid), contextValue });
    const errors = found.errors?.map((error) => relocated(error, prepared.withoutStrings, sent));
    const result = errors ? { ...found, errors } : found;
    return outcomeOf(result, { request, mediaType, isDryRun, isMutation: operation.isMutation });
  }
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

/** Adds the ids of saved records to the span of a mutation. The spans of the records' deliveries have the same ids. */
function recordIdsOf(span: Span | null): Pick<Context, 'beforeCommit'> {
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

function sentValues({ graphql: { variables }, sent }: ValidRequest): SentValues {
  return { variables, strings: sent.values };
}
