import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync } from 'fastify';
import { authenticate, type FindSession } from '../admission/authenticate.ts';
import type { TurnsOf } from '../graphql/execute-request.ts';
import { type GraphQLDependencies, graphqlRoutes } from '../graphql/graphql-routes.ts';
import { healthRoutes, measureRequests, type ReadinessChecks } from './health.ts';
import { readJsonBodies } from '../admission/json-body.ts';
import { RequestLog } from './request-log.ts';
import { MainThread } from '../admission/blocking-work.ts';
import { measureTurns, type Metrics, openMetrics } from './metrics.ts';
import { type OAuth, oauthRoutes } from '../oauth/oauth.ts';
import { HttpError, sendProblem } from '../protocol/problem.ts';
import { cutSlowReaders } from '../admission/slow-readers.ts';
import { type TurnLimits, Turns } from '../admission/fair-limiter.ts';

const bodyLimitBytes = 10 * 1024 * 1024;
/** Against slow clients: for the headers, for the whole request, between two requests, without any byte, for reading the answer. */
const defaultTimeouts = {
  headersMs: 10_000,
  requestMs: 13_000,
  keepAliveMs: 65_000,
  connectionMs: 120_000,
  answerMs: 30_000,
};
/** How often connections are looked at; what takes too long ends this much later at most. */
const connectionsCheckingIntervalMs = 1_000;
/** How long requests in flight get after a stop is asked for. */
const drainTimeoutMs = 25_000;
const sweepIntervalMs = 50;
const rateLimitWindowMs = 60_000;

export type ServerDependencies = Omit<GraphQLDependencies, 'turns' | 'mainThread'> & {
  findSession: FindSession;
  oauth: OAuth;
  checks: ReadinessChecks;
  /** Those of the whole process; without them, of the server alone. */
  metrics?: Metrics;
  log: FastifyBaseLogger;
  /** 0: without a limit. For each app, or each address where there is no valid token. */
  rateLimitPerMinute: number;
  /** How many requests are executed at once, and how many wait. */
  turns: Record<keyof TurnsOf, TurnLimits>;
  trustProxy: boolean | string[];
  timeouts?: Partial<typeof defaultTimeouts>;
  /** Health and metrics and nothing else, for a process that only works. */
  isHealthOnly?: boolean;
  /** How long it goes on taking requests after it has said that it is not ready, so that balancers see it. */
  drainDelayMs?: number;
  /** Further routes of the API, behind the same authentication and limits. */
  routes?: FastifyPluginAsync[];
  /** Routes for everybody, without authentication and limits. */
  publicRoutes?: FastifyPluginAsync[];
};

type ClientParts = ServerDependencies & { mainThread: MainThread };

export type Server = {
  /** The address on which it listens. */
  listen(options: { host: string; port: number }): Promise<string>;
  /** Takes no new requests, lets those in flight end, closes. */
  drain(): Promise<void>;
};

export async function createServer(parts: ServerDependencies): Promise<Server> {
  const app = openServer(parts);
  let isDraining = false;
  answerAlike(app);
  cutSlowReaders(app, parts.timeouts?.answerMs ?? defaultTimeouts.answerMs);
  const mainThread = new MainThread();
  readJsonBodies(app, mainThread);
  const metrics = parts.metrics ?? openMetrics();
  measureRequests(app, metrics);
  const turns = {
    others: new Turns(parts.turns.others),
    longWrites: new Turns(parts.turns.longWrites),
    outbound: new Turns(parts.turns.outbound),
  };
  measureTurns(metrics, Object.values(turns));
  await app.register(async (scope) =>
    healthRoutes(scope, { checks: parts.checks, isDraining: () => isDraining, metrics }),
  );
  if (!parts.isHealthOnly) await answerClients(app, { ...parts, mainThread }, turns);
  return {
    listen: async (options) => await app.listen(options),
    drain: async () => {
      isDraining = true;
      await sleep(parts.drainDelayMs ?? 0);
      await close(app);
    },
  };
}

async function answerClients(app: FastifyInstance, parts: ClientParts, turns: TurnsOf): Promise<void> {
  await app.register(async (scope) => {
    await limitRate(scope, parts.oauth.rateLimitPerMinute);
    oauthRoutes(scope, parts.oauth);
  });
  await app.register(async (scope) => await apiRoutes(scope, parts, turns));
  for (const routes of parts.publicRoutes ?? []) await app.register(routes);
}

function openServer({ log, trustProxy, timeouts }: ServerDependencies): FastifyInstance {
  const { headersMs, requestMs, keepAliveMs, connectionMs } = { ...defaultTimeouts, ...timeouts };
  return fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    // Without options, which no route has: pino then takes its short way.
    childLoggerFactory: (log, bindings) => log.child(bindings),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy,
    bodyLimit: bodyLimitBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionTimeout: connectionMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: connectionsCheckingIntervalMs },
    routerOptions: { ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    forceCloseConnections: 'idle',
    // A request that comes on an open connection during a drain is answered, with `Connection: close`.
    return503OnClosing: false,
  });
}

/** What every answer has: the id of its request, headers for browsers, and errors in one form. */
function answerAlike(app: FastifyInstance): void {
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(new HttpError(404, 'There is nothing at this address.'), request, reply),
  );
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done();
  });
  app.decorateRequest('session', null);
  app.decorateRequest('operations');
  app.decorateRequest('errorCodes');
}

async function apiRoutes(scope: FastifyInstance, parts: ClientParts, turns: TurnsOf): Promise<void> {
  authenticate(scope, parts.findSession);
  await limitRate(scope, parts.rateLimitPerMinute);
  await scope.register(async (graphql) => await graphqlRoutes(graphql, { ...parts, turns }));
  for (const routes of parts.routes ?? []) await scope.register(routes);
}

/** Counts by app, or by address where there is no valid token. */
async function limitRate(scope: FastifyInstance, max: number): Promise<void> {
  if (max === 0) return;
  await scope.register(rateLimit, {
    max,
    timeWindow: rateLimitWindowMs,
    keyGenerator: (request) => request.session?.authorizedAppId ?? request.ip,
    errorResponseBuilder: (_, { after }) => new HttpError(429, `Too many requests. Try again in ${after}.`),
  });
}

async function close(app: FastifyInstance): Promise<void> {
  // A connection whose request ends during the drain would be kept open for another one.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepIntervalMs);
  const cut = setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
}
