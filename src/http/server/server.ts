import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { authenticate, type FindSession } from '../admission/authenticate.ts';
import { BlockingWorkQueue } from '../admission/blocking-work-queue.ts';
import { FairLimiter, type FairLimits } from '../admission/fair-limiter.ts';
import type { Tracing } from '../../tracing/span.ts';
import { readJsonBodies } from '../admission/json-body.ts';
import { RATE_LIMIT_WINDOW_MS, RequestCounts } from '../admission/request-counts.ts';
import { closeSlowClients } from '../admission/slow-clients.ts';
import type { ExecutionLimiters } from '../graphql/execute-request.ts';
import { type GraphQLDependencies, graphqlRoutes } from '../graphql/graphql-routes.ts';
import { type SdlDependencies, sdlRoute } from '../graphql/schema-sdl.ts';
import { type OAuthDependencies, oauthRoutes } from '../oauth/oauth-routes.ts';
import { HttpError, sendProblem } from '../protocol/problem.ts';
import { CoalescingRequest } from './coalescing-request.ts';
import { measureLimiters } from './component-metrics.ts';
import { healthRoutes } from './health.ts';
import { Metrics } from './metrics.ts';
import type { ReadinessChecks } from './readiness.ts';
import { requestIds, type TrustedProxies } from './request-id.ts';
import { onRequestEnd, RequestLog } from './request-end.ts';
import { traceRequests } from './trace-requests.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Time limits for slow clients. */
const DEFAULT_TIMEOUTS = {
  /** From the beginning of a request until all headers are received. */
  headersMs: 10_000,
  /** From the headers of a request until all of it is received, without the time in which its body waits unread. */
  requestMs: 13_000,
  /** How long a connection may stay open between two requests. */
  keepAliveMs: 65_000,
  /** How long a connection may be without a byte in either direction. */
  connectionMs: 120_000,
  /** From the beginning of a response until the client has read it. */
  responseMs: 30_000,
};
/** How often connections are checked. A slow one is closed at most this much after its time. */
const CONNECTION_CHECK_INTERVAL_MS = 1_000;
/** How long a stop waits for open requests. */
const DRAIN_TIMEOUT_MS = 25_000;
const IDLE_CONNECTION_SWEEP_MS = 50;
/** A page loads about four files, so that 25 people behind one address can each open a page every second. */
const PAGE_RATE_LIMIT_PER_MINUTE = 6_000;

export type ServerDependencies = Omit<GraphQLDependencies, 'executionLimiters' | 'blockingWork'> &
  SdlDependencies & {
    findSession: FindSession;
    oauth: OAuthDependencies;
    checks: ReadinessChecks;
    /** Metrics of the whole process. Default: metrics of this server alone. */
    metrics?: Metrics;
    log: FastifyBaseLogger;
    /** 0: no limit. Counted by app, or by address without a valid token. */
    rateLimitPerMinute: number;
    executionLimits: Record<keyof ExecutionLimiters, FairLimits>;
    trustProxy: TrustedProxies;
    /** The base URL of the service for clients. With it, errors have the address of the page about their code. */
    publicUrl?: string | undefined;
    tracing?: Tracing | undefined;
    timeouts?: Partial<typeof DEFAULT_TIMEOUTS>;
    /** Serves health and metrics only, for a process that is a worker. */
    isHealthOnly?: boolean;
    /** How long it takes new requests after `/readyz` reports draining, so that load balancers notice. */
    drainDelayMs?: number;
    /** Further routes of the API, behind the same authentication and limits. */
    routes?: FastifyPluginAsync<ApiRouteOptions>[];
    /** Routes without authentication and limits. */
    publicRoutes?: FastifyPluginAsync[];
    /** Pages for browsers without authentication. Each address has a limit of requests. */
    pageRoutes?: FastifyPluginAsync[];
    /** Requests for pages per IP address and minute. */
    pageRateLimitPerMinute?: number;
  };

/** What further routes of the API share with GraphQL. */
export type ApiRouteOptions = Pick<GraphQLDependencies, 'blockingWork'>;

type ApiDependencies = ServerDependencies & Pick<GraphQLDependencies, 'executionLimiters' | 'blockingWork'>;

export type Server = {
  /** Returns the address on which it listens. */
  listen(options: { host: string; port: number }): Promise<string>;
  /** Stops taking requests, waits for open ones, and closes. */
  drain(): Promise<void>;
};

export async function createServer(dependencies: ServerDependencies): Promise<Server> {
  const app = createFastify(dependencies);
  let isDraining = false;
  setCommonBehavior(app, dependencies);
  traceRequests(app, dependencies);
  closeSlowClients(app, { ...DEFAULT_TIMEOUTS, ...dependencies.timeouts });
  const blockingWork = new BlockingWorkQueue();
  readJsonBodies(app, blockingWork);
  const metrics = dependencies.metrics ?? new Metrics();
  onRequestEnd(app, metrics);
  const executionLimiters = createLimiters(dependencies.executionLimits);
  measureLimiters(metrics, Object.values(executionLimiters));
  await app.register(async (scope) =>
    healthRoutes(scope, { checks: dependencies.checks, isDraining: () => isDraining, metrics }),
  );
  const onGraphQLJs = metrics.countGraphQLJs.bind(metrics);
  if (!dependencies.isHealthOnly)
    await registerRoutes(app, { ...dependencies, executionLimiters, blockingWork, onGraphQLJs });
  return {
    listen: async (options) => await listen(app, options).catch((error: unknown) => throwListenError(error, options)),
    drain: async () => {
      isDraining = true;
      // A start that has failed does not listen.
      if (app.server.listening) await sleep(dependencies.drainDelayMs ?? 0);
      await close(app);
    },
  };
}

/**
 * Listens on one address. For a second address of `localhost` Fastify makes a second server, and does not wait for its
 * requests when it is closed. Its IPv4 address comes first, because health checks and examples call 127.0.0.1.
 */
async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  const address = host === 'localhost' ? (await lookup(host, { order: 'ipv4first' })).address : host;
  return await app.listen({ host: address, port });
}

/** Marks the error as one of `listen`: an unknown HOST would look like an unknown host of the database otherwise. */
function throwListenError(error: unknown, { host, port }: { host: string; port: number }): never {
  throw Object.assign(error as Error, { syscall: 'listen', address: host, port });
}

function createFastify({ log, trustProxy, timeouts }: ServerDependencies): FastifyInstance {
  const { headersMs, keepAliveMs, connectionMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  return fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    // No route has log options. Without them pino creates child loggers faster.
    childLoggerFactory: (log, bindings) => log.child(bindings),
    requestIdHeader: false,
    genReqId: requestIds(trustProxy),
    trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    // Node's own limit counts the time in which a body waits unread. `closeSlowClients` has the limit instead.
    requestTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: connectionMs,
    http: {
      IncomingMessage: CoalescingRequest,
      headersTimeout: headersMs,
      connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
    },
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    forceCloseConnections: 'idle',
    // Requests on open connections are answered during a drain, with `Connection: close`.
    return503OnClosing: false,
  });
}

/** Sets what all routes have: error handlers, the id of the request, and headers for browsers. */
function setCommonBehavior(app: FastifyInstance, { publicUrl }: ServerDependencies): void {
  app.decorate('publicUrl', publicUrl);
  app.setErrorHandler(sendProblem);
  // Not by a handler for 404, which runs after the body is read: anybody could send megabytes to such an address.
  app.addHook('preParsing', (request, _reply, _body, done) =>
    done(request.is404 ? new HttpError(404, 'There is nothing at this address.') : null),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.decorateRequest('session', null);
  app.decorateRequest('operations');
  app.decorateRequest('errorCodes');
}

function createLimiters(limits: ServerDependencies['executionLimits']): ExecutionLimiters {
  return {
    standard: new FairLimiter(limits.standard),
    longWrites: new FairLimiter(limits.longWrites),
    outbound: new FairLimiter(limits.outbound),
  };
}

async function registerRoutes(app: FastifyInstance, dependencies: ApiDependencies): Promise<void> {
  const { oauth, publicRoutes = [], pageRoutes = [] } = dependencies;
  await app.register(async (scope) => {
    await limitRate(scope, oauth.rateLimitPerMinute);
    oauthRoutes(scope, oauth);
  });
  await app.register(async (scope) => await registerApi(scope, dependencies));
  await app.register(async (scope) => {
    await limitRate(scope, dependencies.pageRateLimitPerMinute ?? PAGE_RATE_LIMIT_PER_MINUTE);
    for (const routes of pageRoutes) await scope.register(routes);
  });
  for (const routes of publicRoutes) await app.register(routes);
}

async function registerApi(scope: FastifyInstance, dependencies: ApiDependencies): Promise<void> {
  const { findSession, rateLimitPerMinute, blockingWork, routes = [] } = dependencies;
  authenticate(scope, findSession);
  await limitRate(scope, rateLimitPerMinute);
  await scope.register(async (graphql) => await graphqlRoutes(graphql, dependencies));
  sdlRoute(scope, dependencies);
  for (const route of routes) await scope.register(route, { blockingWork });
}

/** Limits the requests of each app, and of each address for requests without a valid token. */
async function limitRate(scope: FastifyInstance, max: number): Promise<void> {
  if (max === 0) return;
  await scope.register(rateLimit, {
    max,
    timeWindow: RATE_LIMIT_WINDOW_MS,
    store: RequestCounts,
    keyGenerator: (request) => request.session?.authorizedAppId ?? request.ip,
    errorResponseBuilder: (_, { after, ttl }) =>
      new HttpError(429, `Too many requests. Try again in ${after}.`, {
        'retry-after': String(Math.ceil(ttl / 1_000)),
      }),
  });
}

async function close(app: FastifyInstance): Promise<void> {
  // Otherwise a connection whose request ends during the drain stays open for the next request.
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_CONNECTION_SWEEP_MS);
  const timeout = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(timeout);
  }
}
