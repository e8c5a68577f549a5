import { addSpentPoints } from './app/add-spent-points.ts';
import { openSessionCache, sessionFinder } from './app/credentials/access-token.ts';
import { issueToken } from './app/credentials/issue-token.ts';
import { exchangeSignInCode } from './app/credentials/sign-in-code.ts';
import { revokeToken } from './app/credentials/revoke-token.ts';
import type { Config } from './config.ts';
import type { WebhookDependencies } from './context.ts';
import type { DatabaseEnvironment } from './process/database-environment.ts';
import type { AcrossContext } from './db/connection/across-merchants.ts';
import { type Database, withSending } from './db/connection/database.ts';
import type { Placement } from './db/connection/placement.ts';
import { isMigrated } from './db/schema/migration-state.ts';
import { buildSchema, readSources } from './graphql/schema/schema.ts';
import { PointLimiter, pointLimits } from './http/admission/point-limiter.ts';
import { consoleRoutes } from './http/console/console-routes.ts';
import { docsRoutes } from './http/docs/docs-routes.ts';
import { BackgroundMetrics } from './http/server/background-metrics.ts';
import { measureDecoder, measureLedger, measurePools, measureUpkeep } from './http/server/component-metrics.ts';
import { imageRoutes } from './http/server/images.ts';
import { Metrics } from './http/server/metrics.ts';
import { createServer, type Server, type ServerDependencies } from './http/server/server.ts';
import { uploadRoutes } from './http/upload/upload.ts';
import { openDecoder } from './image/decoder.ts';
import { openRenditions } from './image/rendition.ts';
import { openStorage } from './image/storage.ts';
import type { ImageDependencies } from './image/upload-image.ts';
import { monitorStorage } from './image/monitored-storage.ts';
import { openOutbound } from './outbound/outbound.ts';
import { checkSecretKey } from './process/check-secret-key.ts';
import {
  closeConnections,
  type Connections,
  isDatabaseReachable,
  openConnections,
  takesWrites,
} from './process/service-connections.ts';
import { resolvers } from './resolvers.ts';
import type { Tracing } from './tracing/span.ts';
import { hasDeliveryQueue } from './webhook/ledger/delivery-queue.ts';
import { ledgerFigures } from './webhook/ledger/ledger-figures.ts';
import { UsageCounts } from './usage/usage-counts.ts';
import { startUpkeep } from './worker/upkeep/start-upkeep.ts';
import { startUsageWriter } from './worker/usage-writer.ts';
import { startWebhooks } from './worker/webhooks/start-webhooks.ts';

export type Service = {
  /** The URL of the server. */
  url: string;
  db: Database;
  across: AcrossContext['across'];
  images: ImageDependencies;
  webhook: WebhookDependencies;
  close(): Promise<void>;
};

export type ServiceConfig = Pick<
  Config,
  'role' | 'database' | 'http' | 'storageUrl' | 'image' | 'webhook' | 'history' | 'erasure' | 'stock'
> &
  Partial<Pick<Config, 'tracesEndpoint'>> &
  Pick<DatabaseEnvironment, 'databaseUrl' | 'acrossUrl' | 'secretKey'>;

/** Components that the server and the worker share. */
type Components = {
  connections: Connections;
  placement: Placement;
  images: ImageDependencies;
  webhook: WebhookDependencies;
  metrics: Metrics;
  background: BackgroundMetrics;
  pointLimiter: PointLimiter | null;
  usageCounts: UsageCounts;
  tracing: Tracing | undefined;
  log: ServerDependencies['log'];
};

/** What a start has created so far. */
type Started = Partial<Components> & {
  server?: Server;
  webhooks?: Stoppable;
  upkeep?: Stoppable;
  usageWriter?: Stoppable;
};
type Stoppable = { stop(): Promise<void> };

/**
 * Composition root: creates all components and starts the server and the worker. The database is migrated already. A
 * start that fails stops what it has started, which would keep the process alive.
 */
export async function startService(config: ServiceConfig, log: ServerDependencies['log']): Promise<Service> {
  const started: Started = {};
  try {
    const components = await openComponents(config, log, started);
    const { connections, images, webhook, usageCounts, background, tracing } = components;
    const { db } = connections.standard;
    await checkSecretKey(connections.acrossMerchants, config.secretKey, log);
    const server = (started.server = await createServer(serverDependencies(config, components)));
    if (config.role !== 'api') await startWorker(config, components, started);
    started.usageWriter = startUsageWriter(db, usageCounts, { log, background, tracing });
    const url = await server.listen(config.http);
    const { across } = connections.acrossMerchants;
    return { url, db, across, images, webhook, close: async () => await stop(started) };
  } catch (error) {
    await stop(started);
    throw error;
  }
}

async function stop(started: Started): Promise<void> {
  const { server, webhooks, usageWriter, pointLimiter, upkeep, images, webhook, tracing, connections } = started;
  await Promise.all([server?.drain(), webhooks?.stop(), upkeep?.stop()]);
  await usageWriter?.stop();
  pointLimiter?.close();
  if (images) for (const part of Object.values(images)) part.close();
  webhook?.outbound.close();
  await tracing?.close();
  if (connections) await closeConnections(connections);
}

async function openComponents(
  config: ServiceConfig,
  log: ServerDependencies['log'],
  started: Started,
): Promise<Components> {
  // Created first: they fail if an address is wrong or a package is missing.
  const tracing = (started.tracing = await startTracing(config, log));
  const storage = monitorStorage(await openStorage(config.storageUrl), log);
  const { connections, placement } = await openConnections(config, log);
  const metrics = new Metrics();
  const components: Components = {
    connections,
    placement,
    images: { storage, decoder: openDecoder(log), outbound: openOutbound(config.image) },
    webhook: { outbound: openOutbound(config.webhook), secretKey: config.secretKey },
    metrics,
    background: new BackgroundMetrics(metrics),
    pointLimiter: createPointLimiter(config, connections.standard.db, log),
    usageCounts: new UsageCounts(),
    tracing,
    log,
  };
  measurePools(metrics, { requests: connections.standard, long_writes: connections.longWrites });
  measureDecoder(metrics, () => components.images.decoder.counts());
  return Object.assign(started, components);
}

/** Undefined without an endpoint. Then the packages of OpenTelemetry are not loaded. */
async function startTracing(
  { tracesEndpoint }: ServiceConfig,
  log: ServerDependencies['log'],
): Promise<Tracing | undefined> {
  if (tracesEndpoint === undefined) return undefined;
  const { openTracing } = await import('./tracing/open-tracing.ts');
  return await openTracing(tracesEndpoint, (details, message) => log.warn(details, message));
}

function createPointLimiter(
  { http }: ServiceConfig,
  db: Database,
  log: ServerDependencies['log'],
): PointLimiter | null {
  const limits = pointLimits(http.rateLimitPointsPerSecond);
  return limits && new PointLimiter(limits, async (app, spentMs) => await addSpentPoints({ db }, app, spentMs), log);
}

function serverDependencies(
  { role, http, secretKey }: ServiceConfig,
  { connections, images, webhook, metrics, pointLimiter, usageCounts, tracing, log }: Components,
): ServerDependencies {
  const db = withSending(connections.standard.db, { admittedAtMs: null });
  const readiness = connections.readiness.db;
  const renditions = openRenditions(images.storage, images.decoder);
  const sessions = openSessionCache();
  const sources = readSources();
  const docs = { hasOperations: http.introspection === 'public', publicUrl: http.publicUrl };
  return {
    schema: buildSchema(sources, resolvers),
    sdl: sources.map(({ body }) => body),
    db,
    longWritesDb: connections.longWrites.db,
    webhook,
    log,
    metrics,
    isHealthOnly: role === 'worker',
    // Load balancers send nothing to a worker.
    drainDelayMs: role === 'worker' ? 0 : http.drainDelayMs,
    introspection: http.introspection,
    publicUrl: http.publicUrl,
    trustProxy: http.trustProxy,
    tracing,
    rateLimitPerMinute: http.rateLimitPerMinute,
    ...(pointLimiter && { pointLimiter }),
    usageCounts,
    maxResponseBytes: http.maxResponseBytes,
    executionLimits: http.executionLimits,
    findSession: sessionFinder(db, sessions),
    oauth: {
      issueToken: async (request) => await issueToken({ db, secretKey }, request),
      exchangeSignInCode: async (code) => await exchangeSignInCode({ db }, code),
      revokeToken: async (request) => await revokeToken({ db, secretKey, sessions }, request),
      rateLimitPerMinute: http.tokenRateLimitPerMinute,
    },
    checks: {
      database: async () => await isDatabaseReachable(connections),
      writes: async () => await takesWrites(connections),
      migrations: async () => await isMigrated(readiness),
      queue: async () => await hasDeliveryQueue(readiness),
      storage: async () => await images.storage.isWritable(),
    },
    routes: [async (app, { blockingWork }) => await uploadRoutes(app, { db, webhook, blockingWork, ...images })],
    publicRoutes: [async (app) => imageRoutes(app, { db, renditions })],
    pageRoutes: [async (app) => await docsRoutes(app, docs), consoleRoutes],
  };
}

async function startWorker(config: ServiceConfig, components: Components, started: Started): Promise<void> {
  const { databaseUrl, secretKey, webhook: retention, history, erasure, stock } = config;
  const { connections, placement, images, webhook, metrics, background, tracing, log } = components;
  const { across } = connections.acrossMerchants;
  const onError = connections.outage.report;
  const shared = { databaseUrl, placement, across, log, background, tracing, onError };
  // First: it fails if the queue cannot be used, while upkeep waits until it has its connections.
  const webhooks = await startWebhooks({ ...shared, secretKey, ...retention, metrics });
  started.webhooks = webhooks;
  const measured = measureUpkeep(metrics);
  started.upkeep = await startUpkeep({
    ...shared,
    ...measured,
    images,
    webhook,
    retention,
    history,
    erasure,
    stock,
    onUnnotifiedPushes: () => webhooks.expectJobs(),
  });
  measureLedger(metrics, async () => await ledgerFigures({ across }));
}
