import { loginRequired } from '../../errors.ts';
import { isGraphQLError, documentErrors } from '../../graphql/errors.ts';
import { createDocumentCache, type DocumentCache, type ReadDocument } from '../../graphql/prepared/document-cache.ts';
import { PreparedOperation, separated } from '../../graphql/prepared/prepared-operation.ts';
import { checkSingleSender } from '../../graphql/prepared/root-mutations.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { createFindDeprecations, type DeprecatedUse } from '../../graphql/usage/deprecations.ts';
import { coordinatesInVariables } from '../../graphql/usage/operation-usage.ts';
import type { UsageCounts } from '../../usage/usage-counts.ts';
import type { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import { type FairLimiter, releaseOnClose } from '../admission/fair-limiter.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import { HttpError } from '../protocol/problem.ts';
import type { Caller, GraphQLRequest } from './graphql-request.ts';
import { type GraphQLResponse, refusedDocument, refusedOperation } from './graphql-response.ts';
import { isPreflight, preflightResponse } from './preflight.ts';
import { spendPoints, withCostExtension } from './points.ts';
import { createRunOperation, type RunDependencies, type ValidRequest } from './run-operation.ts';

/** Some hundreds of documents with 30 to 50 fields. */
const DOCUMENT_CACHE_BYTES = 32 * 1024 * 1024;

export type ExecuteRequest = (request: GraphQLRequest, caller: Caller) => Promise<GraphQLResponse>;

export type ExecutorDependencies = RunDependencies & {
  schema: GraphQLSchema;
  executionLimiters: ExecutionLimiters;
  blockingWork: BlockingWorkQueue;
  /** Without it, apps may spend points at any rate. */
  pointLimiter?: PointLimiter;
  /** Counts which parts of the schema executed requests use. Without it, nothing is counted. */
  usageCounts?: Pick<UsageCounts, 'count'>;
};

/**
 * One limiter for each kind of request that shares a resource: `standard` and `longWrites` have a connection pool each,
 * `outbound` requests wait for other hosts and hold no connection meanwhile.
 */
export type ExecutionLimiters = Record<'standard' | 'longWrites' | 'outbound', FairLimiter>;

/**
 * Executes GraphQL requests: finds the parsed document, checks the caller, spends points, waits for admission, and runs
 * the operation. Throws what concerns the whole HTTP request and has no form as a GraphQL response.
 */
export function createRequestExecutor(dependencies: ExecutorDependencies): ExecuteRequest {
  const { schema, pointLimiter, blockingWork, usageCounts } = dependencies;
  const documents = createDocumentCache(schema, { maxBytes: DOCUMENT_CACHE_BYTES });
  const findDeprecations = createFindDeprecations(schema);
  const deprecationsOf = ({ request: { query, variables }, operation }: ValidRequest): DeprecatedUse[] =>
    findDeprecations?.({
      document: separated(documents.parse(query), operation.sent.node),
      usage: operation.usage,
      variables,
    }) ?? [];
  const preflight = { schema, pointLimiter, deprecationsOf };
  const executor: Executor = { ...dependencies, deprecationsOf, runOperation: createRunOperation(dependencies) };
  return async (request, caller) => {
    const { session, client } = caller;
    const read =
      documents.find(request.query) ?? (await readDocument({ documents, blockingWork, usageCounts }, request, caller));
    if (read.refusal) return refusedDocument(read.refusal, caller.mediaType);
    const operation = read.prepared.operation(request.operationName);
    if (!(operation instanceof PreparedOperation))
      return refusedDocument(documentErrors([operation], 'GRAPHQL_VALIDATION_FAILED'), caller.mediaType);
    const valid: ValidRequest = { request, caller, operation, prepared: read.prepared, sent: read.sent };
    caller.onOperation(operation.operations);
    checkCaller(valid);
    if (operation.isMutation) checkSingleSender(operation.mutations);
    if (isPreflight(caller)) return await blockingWork.run(session, client, () => preflightResponse(valid, preflight));
    const refused = spendPoints(valid, pointLimiter);
    const response = refused ? refusedOperation(refused, caller.mediaType) : await executeWhenAdmitted(executor, valid);
    return await withCostExtension(response, valid, dependencies);
  };
}

type Executor = Pick<ExecutorDependencies, 'executionLimiters' | 'blockingWork' | 'usageCounts'> & {
  readonly deprecationsOf: (valid: ValidRequest) => DeprecatedUse[];
  readonly runOperation: (valid: ValidRequest) => Promise<GraphQLResponse>;
};

async function executeWhenAdmitted(executor: Executor, valid: ValidRequest): Promise<GraphQLResponse> {
  const { executionLimiters, blockingWork, usageCounts, deprecationsOf, runOperation } = executor;
  const { request, caller, operation } = valid;
  const { session, client } = caller;
  // Before the execution: afterwards a refusal by the queue would hide what a mutation has done.
  const deprecations =
    caller.headers['x-deprecations'] === 'true'
      ? await blockingWork.run(session, client, () => deprecationsOf(valid))
      : null;
  const limiter = executionLimiters[kindOf(operation)];
  const release = limiter.tryAcquire(session, 1) ?? (await limiter.acquire(session, 1, client));
  try {
    const current = caller.isSessionOld() ? await withRenewedSession(valid) : valid;
    // Introspection blocks the event loop for up to 0.2 s.
    const response = operation.isIntrospection
      ? await blockingWork.run(session, client, () => runOperation(current))
      : await runOperation(current);
    if (session && usageCounts && wasExecuted(response)) {
      const { usage } = operation;
      usageCounts.count(session, usage, coordinatesInVariables(usage, request.variables));
    }
    if (!deprecations) return response;
    return { ...response, body: { ...response.body, extensions: { ...response.body.extensions, deprecations } } };
  } finally {
    // Held until the client has read the response, since an unread response takes memory.
    releaseOnClose(client, release);
  }
}

/** Receiving the request and waiting for admission may take half a minute. Its token may be revoked meanwhile. */
async function withRenewedSession(valid: ValidRequest): Promise<ValidRequest> {
  return { ...valid, caller: { ...valid.caller, session: await valid.caller.renewSession() } };
}

/** Whether the operation ran: the response has no `data` if a variable is invalid or the whole request is refused. */
function wasExecuted({ body }: GraphQLResponse): boolean {
  return body.data !== undefined;
}

type Reading = {
  readonly documents: DocumentCache;
  readonly blockingWork: BlockingWorkQueue;
  /** Present if the usage of executed requests is counted. */
  readonly usageCounts: ExecutorDependencies['usageCounts'];
};

/**
 * Parses and validates a document that is not cached. Also determines what its operation uses of the schema, which
 * takes half as long, so that requests of one caller cannot block the event loop with it either.
 */
async function readDocument(
  { documents, blockingWork, usageCounts }: Reading,
  { query, operationName }: GraphQLRequest,
  { session, client }: Caller,
): Promise<ReadDocument> {
  return await blockingWork.run(session, client, () => {
    const read = documents.read(query, { hasToken: session !== null });
    const operation = session && usageCounts && read.prepared?.operation(operationName);
    if (operation && !isGraphQLError(operation)) void operation.usage;
    return read;
  });
}

/** Introspection needs no token here; a server with INTROSPECTION=token refuses it before the body is read. */
function checkCaller({ caller: { session, isReadOnly }, operation }: ValidRequest): void {
  if (isReadOnly && operation.sent.node.operation !== 'query')
    throw new HttpError(405, 'Mutations are sent with POST.', { allow: 'POST' });
  if (!session && !operation.isIntrospection) throw loginRequired();
}

/** Requests that wait for other hosts are limited apart, so that they cannot delay the others. */
function kindOf({ isOutbound, isLong }: PreparedOperation): keyof ExecutionLimiters {
  if (isOutbound) return 'outbound';
  return isLong ? 'longWrites' : 'standard';
}
