import { loginRequired } from '../../errors.ts';
import { isGraphQLError, documentErrors } from '../../graphql/errors.ts';
import { createDocumentCache, type DocumentCache, type ReadDocument } from '../../graphql/prepared/document-cache.ts';
import { PreparedOperation, separated } from '../../graphql/prepared/prepared-operation.ts';
import { checkSingleSender } from '../../graphql/prepared/root-mutations.ts';
import type { GraphQLSchema } from '../../graphql/schema/schema.ts';
import { createFindDeprecations, type DeprecatedUse, type FindDeprecations } from '../../graphql/usage/deprecations.ts';
import { coordinatesInVariables } from '../../graphql/usage/operation-usage.ts';
import type { UsageCounts } from '../../usage/usage-counts.ts';
import { currentSession } from '../admission/authenticate.ts';
import type { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import { type FairLimiter, releaseOnClose } from '../admission/fair-limiter.ts';
import type { PointLimiter } from '../admission/point-limiter.ts';
import { HttpError } from '../protocol/problem.ts';
import type { ReceivedRequest } from './graphql-request.ts';
import { type GraphQLResponse, refusedDocument, refusedOperation } from './graphql-response.ts';
import { isPreflight, preflightResponse, spendPoints, withCostExtension } from './points.ts';
import { OperationRunner, type RunDependencies, type ValidRequest } from './run-operation.ts';

/** Some hundreds of documents with 30 to 50 fields. */
const DOCUMENT_CACHE_BYTES = 32 * 1024 * 1024;

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
 * the operation.
 */
export class RequestExecutor {
  readonly #dependencies: ExecutorDependencies;
  readonly #documents: DocumentCache;
  readonly #findDeprecations: FindDeprecations | null;
  readonly #runner: OperationRunner;

  constructor(dependencies: ExecutorDependencies) {
    this.#dependencies = dependencies;
    this.#documents = createDocumentCache(dependencies.schema, { maxBytes: DOCUMENT_CACHE_BYTES });
    this.#findDeprecations = createFindDeprecations(dependencies.schema);
    this.#runner = new OperationRunner(dependencies);
  }

  /** Throws what concerns the whole HTTP request and has no form as a GraphQL response. */
  async execute(received: ReceivedRequest): Promise<GraphQLResponse> {
    const { graphql, request, client, mediaType } = received;
    const { schema, pointLimiter, blockingWork } = this.#dependencies;
    const read = this.#documents.find(graphql.query) ?? (await this.#readDocument(received));
    if (read.refusal) return refusedDocument(read.refusal, mediaType);
    const operation = read.prepared.operation(graphql.operationName);
    if (!(operation instanceof PreparedOperation))
      return refusedDocument(documentErrors([operation], 'GRAPHQL_VALIDATION_FAILED'), mediaType);
    const valid: ValidRequest = { ...received, operation, prepared: read.prepared, sent: read.sent };
    request.operations = operation.operations;
    checkCaller(valid);
    if (operation.isMutation) checkSingleSender(operation.mutations);
    if (isPreflight(request))
      return await blockingWork.run(request.session, client, () =>
        preflightResponse(valid, { schema, pointLimiter, deprecations: this.#deprecationsOf(valid) }),
      );
    const refused = spendPoints(valid, pointLimiter);
    const response = refused ? refusedOperation(refused, mediaType) : await this.#executeWhenAdmitted(valid);
    return await withCostExtension(response, valid, this.#dependencies);
  }

  async #executeWhenAdmitted(valid: ValidRequest): Promise<GraphQLResponse> {
    const { executionLimiters, blockingWork, usageCounts } = this.#dependencies;
    const { graphql, request, client, operation } = valid;
    const { session } = request;
    // Before the execution: afterwards a refusal by the queue would hide what a mutation has done.
    const deprecations =
      request.headers['x-deprecations'] === 'true'
        ? await blockingWork.run(session, client, () => this.#deprecationsOf(valid))
        : null;
    const limiter = executionLimiters[kindOf(operation)];
    const release = limiter.tryAcquire(session, 1) ?? (await limiter.acquire(session, 1, client));
    try {
      // Receiving the request and waiting for admission may have taken half a minute.
      if (session) await currentSession(request);
      // Introspection blocks the event loop for up to 0.2 s.
      const response = operation.isIntrospection
        ? await blockingWork.run(session, client, () => this.#runner.run(valid))
        : await this.#runner.run(valid);
      if (session && usageCounts && wasExecuted(response)) {
        const { usage } = operation;
        usageCounts.count(session, usage, coordinatesInVariables(usage, graphql.variables));
      }
      if (!deprecations) return response;
      return { ...response, body: { ...response.body, extensions: { ...response.body.extensions, deprecations } } };
    } finally {
      // Held until the client has read the response, since an unread response takes memory.
      releaseOnClose(client, release);
    }
  }

  #deprecationsOf({ graphql: { query, variables }, operation }: ValidRequest): DeprecatedUse[] {
    return (
      this.#findDeprecations?.({
        document: separated(this.#documents.parse(query), operation.sent.node),
        usage: operation.usage,
        variables,
      }) ?? []
    );
  }

  /**
   * Parses and validates a document that is not cached. Also determines what its operation uses of the schema, which
   * takes half as long, so that requests of one caller cannot block the event loop with it either.
   */
  async #readDocument({ graphql, request: { session }, client }: ReceivedRequest): Promise<ReadDocument> {
    const { blockingWork, usageCounts } = this.#dependencies;
    return await blockingWork.run(session, client, () => {
      const read = this.#documents.read(graphql.query, { hasToken: session !== null });
      const operation = session && usageCounts && read.prepared?.operation(graphql.operationName);
      if (operation && !isGraphQLError(operation)) void operation.usage;
      return read;
    });
  }
}

/** Whether the operation ran: the response has no `data` if a variable is invalid or the whole request is refused. */
function wasExecuted({ body }: GraphQLResponse): boolean {
  return body.data !== undefined;
}

/** Introspection needs no token here; a server with INTROSPECTION=token refuses it before the body is read. */
function checkCaller({ request: { session, method }, operation }: ValidRequest): void {
  if (method === 'GET' && operation.sent.node.operation !== 'query')
    throw new HttpError(405, 'Mutations are sent with POST.', { allow: 'POST' });
  if (!session && !operation.isIntrospection) throw loginRequired();
}

/** Requests that wait for other hosts are limited apart, so that they cannot delay the others. */
function kindOf({ isOutbound, isLong }: PreparedOperation): keyof ExecutionLimiters {
  if (isOutbound) return 'outbound';
  return isLong ? 'longWrites' : 'standard';
}
