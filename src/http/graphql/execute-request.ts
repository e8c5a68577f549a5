import { loginRequired } from '../../errors.ts';
import { RequestCosts } from '../../graphql/cost/request-cost.ts';
import { createDocumentCache, type DocumentCache, type ParsedDocument } from '../../graphql/document/document-cache.ts';
import { findOperation, isIntrospection, rootFieldNames } from '../../graphql/document/operation.ts';
import { documentErrors, isGraphQLError } from '../../graphql/errors.ts';
import { findLongWrites } from '../../graphql/schema/long-writes.ts';
import { checkSingleSender, hasPreparation } from '../../graphql/schema/preparation.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { createFindDeprecations } from '../../graphql/usage/deprecations.ts';
import {
  coordinatesInVariables,
  createOperationUsage,
  type FindOperationUsage,
} from '../../graphql/usage/operation-usage.ts';
import type { UsageCounts } from '../../usage/usage-counts.ts';
import type { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import type { FairLimiter } from '../admission/fair-limiter.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import { releaseOnClose } from '../admission/release-on-close.ts';
import { HttpError } from '../protocol/problem.ts';
import type { Caller, GraphQLRequest } from './graphql-request.ts';
import { type GraphQLResponse, refusedDocument, refusedOperation } from './graphql-response.ts';

import { isPreflight, preflightResponse } from './preflight.ts';
import { withDeprecations } from './request-deprecations.ts';
import { spendPoints, withCostExtension } from './request-cost.ts';
import { createRunOperation, type RunDependencies, type ValidRequest } from './run-operation.ts';

/** About a thousand documents of usual length. */
const DOCUMENT_CACHE_BYTES = 16 * 1024 * 1024;

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
  const { schema, pointLimiter, blockingWork, executionLimiters, usageCounts } = dependencies;
  const longWrites = findLongWrites(schema);
  const charging = { costs: new RequestCosts(schema), pointLimiter };
  const documents = createDocumentCache(schema, { maxBytes: DOCUMENT_CACHE_BYTES });
  const usageOf = createOperationUsage(schema);
  const deprecationsOf = createFindDeprecations(schema, usageOf);
  const reading = { documents, usageOf, blockingWork, isCounted: usageCounts !== undefined };
  const preflight = { ...charging, schema, deprecationsOf };
  const runOperation = createRunOperation(dependencies);
  return async (request, caller) => {
    const { document, shape, refusal } =
      documents.find(request.query) ?? (await readDocument(reading, request, caller));
    if (!document) return refusedDocument(refusal, caller.mediaType);
    const operation = findOperation(document, request.operationName);
    if (isGraphQLError(operation))
      return refusedDocument(documentErrors([operation], 'GRAPHQL_VALIDATION_FAILED'), caller.mediaType);
    const operations = rootFieldNames(document, operation);
    const isLong = operations.some((name) => longWrites.has(name));
    const valid: ValidRequest = { request, caller, document, operation, operations, isLong };
    checkCaller(valid);
    checkSingleSender(schema, valid);
    if (isPreflight(caller))
      return await blockingWork.run(caller.session, caller.client, () => preflightResponse(valid, preflight));
    const costed = { document, operation, variables: request.variables };
    const refused = spendPoints(costed, caller, charging);
    if (refused)
      return withCostExtension(refusedOperation(refused, caller.mediaType, operations), costed, caller, charging);
    const limiter = executionLimiters[kindOf(schema, valid)];
    const { session, client } = caller;
    const release = limiter.tryAcquire(session, 1) ?? (await limiter.acquire(session, 1, client));
    try {
      const response = await runOperation(caller.isSessionOld() ? await withRenewedSession(valid) : valid);
      if (session && usageCounts && wasExecuted(response)) {
        const usage = usageOf(shape, operation.name?.value ?? '');
        usageCounts.count(session, usage, coordinatesInVariables(usage, request.variables));
      }
      return withCostExtension(withDeprecations(response, costed, caller, deprecationsOf), costed, caller, charging);
    } finally {
      // Held until the client has read the response, since an unread response takes memory.
      releaseOnClose(client, release);
    }
  };
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
  documents: DocumentCache;
  usageOf: FindOperationUsage;
  blockingWork: BlockingWorkQueue;
  /** Whether the usage of executed requests is counted. */
  isCounted: boolean;
};

/**
 * Parses and validates a document that is not cached. Also determines what its operation uses of the schema, which
 * takes half as long, so that requests of one caller cannot block the event loop with it either.
 */
async function readDocument(
  { documents, usageOf, blockingWork, isCounted }: Reading,
  { query, operationName }: GraphQLRequest,
  { session, client }: Caller,
): Promise<ParsedDocument> {
  return await blockingWork.run(session, client, () => {
    // Requests without a token must not evict the documents of others from the cache.
    const parsed = documents.read(query, { remember: session !== null });
    const operation = parsed.document && findOperation(parsed.document, operationName);
    if (session && isCounted && operation && !isGraphQLError(operation))
      usageOf(parsed.shape!, operation.name?.value ?? '');
    return parsed;
  });
}

/** Introspection needs no token here; a server with INTROSPECTION=token refuses it before the body is read. */
function checkCaller({ caller: { session, isReadOnly }, operation, operations }: ValidRequest): void {
  if (isReadOnly && operation.operation !== 'query')
    throw new HttpError(405, 'Mutations are sent with POST.', { allow: 'POST' });
  if (!session && !isIntrospection(operations)) throw loginRequired();
}

/** Requests that wait for other hosts are limited apart, so that they cannot delay the others. */
function kindOf(schema: GraphQLSchema, request: ValidRequest): keyof ExecutionLimiters {
  if (hasPreparation(schema, request)) return 'outbound';
  return request.isLong ? 'longWrites' : 'standard';
}
