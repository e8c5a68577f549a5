import { addSpentPoints } from './app/add-spent-points.ts';
import { findSession, openSessionCache } from './app/credentials/access-token.ts';
import { issueToken } from './app/credentials/issue-token.ts';
import { exchangeSignInCode } from './app/credentials/sign-in-code.ts';
import { revokeToken } from './app/credentials/revoke-token.ts';
import type { Config } from './config.ts';
import type { WebhookDependencies } from './context.ts';
import type { DatabaseEnvironment } from './process/database-environment.ts';
import type { AcrossContext } from './db/connection/across-merchants.ts';
import { connect, type Connection, type Database } from './db/connection/connect.ts';
import { connectAcross } from './db/connection/connect-for-work.ts';
import { withSpan, withTimePerStatement } from './db/connection/database.ts';
import { type Placement, placementOf } from './db/connection/placement.ts';
import { RelayNotifier } from './db/connection/relay-notifier.ts';
import { testWrites } from './db/connection/test-writes.ts';
import { isMigrated } from './db/schema/migration-state.ts';
import { excessiveRights } from './db/schema/privileges.ts';
import { buildSchema, readSources } from './graphql/schema/schema.ts';
import { PointLimiter, pointLimits } from './http/admission/point-limiter.ts';
import { consoleRoutes } from './http/console/console-routes.ts';
import { docsRoutes } from './http/docs/docs-routes.ts';
import { measureDecoder, measureLedger, measurePools, measureUpkeep } from './http/server/component-metrics.ts';
import { imageRoutes } from './http/server/images.ts';
import { Metrics } from './http/server/metrics.ts';
import { createServer, type ServerDependencies } from './http/server/server.ts';
import { uploadRoutes } from './http/upload/upload.ts';
import { openDecoder } from './image/decoder.ts';
import { openRenditions } from './image/rendition.ts';
import { openStorage } from './image/storage.ts';
import type { ImageDependencies } from './image/upload-image.ts';
import { monitorStorage } from './image/monitored-storage.ts';
import { openOutbound } from './outbound/outbound.ts';
import { OutageLog } from './process/outage-log.ts';
import { resolvers } from './resolvers.ts';
import type { Tracing } from './tracing/span.ts';
import { hasDeliveryQueue } from './webhook/ledger/delivery-queue.ts';
import { ledgerFigures } from './webhook/ledger/ledger-figures.ts';
import { UsageCounts } from './usage/usage-counts.ts';
import { startUpkeep } from './worker/upkeep/start-upkeep.ts';
import { startUsageWriter } from './worker/usage-writer.ts';
import { startWebhooks } from './worker/webhooks/start-webhooks.ts';

/** The readiness checks have a connection of their own, so that they do not wait behind the statements of requests. */
const READINESS_CONNECTION = { poolSize: 1, statementTimeoutMs: 2_000, applicationName: 'commerce-readiness' };

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

type Connections = Record<'standard' | 'longWrites' | 'readiness', Connection> & {
  acrossMerchants: ReturnType<typeof connectAcross>;
  outage: OutageLog;
};

/** Components that the server and the worker share. */
type Components = {
  connections: Connections;
  placement: Placement;
  images: ImageDependencies;
  webhook: WebhookDependencies;
  metrics: Metrics;
  pointLimiter: PointLimiter | null;
  usageCounts: UsageCounts;
  tracing: Tracing | undefined;
  log: ServerDependencies['log'];
};

/** Composition root: creates all components and starts the server and the worker. The database is migrated already. */
export async function startService(config: ServiceConfig, log: ServerDependencies['log']): Promise<Service> {
  // Created first: they fail if an address is wrong or a package is missing, and connections that are open by then
  // would keep the process alive.
  const tracing = await startTracing(config, log);
  const storage = monitorStorage(await openStorage(config.storageUrl), log);
  const { connections, placement } = await openConnections(config, log);
  const { db } = connections.standard;
  const components: Components = {
    connections,
    placement,
    images: { storage, decoder: openDecoder(log), outbound: openOutbound(config.image) },
    webhook: { outbound: openOutbound(config.webhook), secretKey: config.secretKey },
    metrics: new Metrics(),
    pointLimiter: createPointLimiter(config, db, log),
    usageCounts: new UsageCounts(),
    tracing,
    log,
  };
  measurePools(components.metrics, { requests: connections.standard, long_writes: connections.longWrites });
  measureDecoder(components.metrics, () => components.images.decoder.counts());
  const server = await createServer(serverDependencies(config, components));
  const worker = config.role === 'api' ? null : await startWorker(config, components);
  const usageWriter = startUsageWriter(db, components.usageCounts, { log, tracing: components.tracing });
  const close = async (): Promise<void> => {
    await Promise.all([server.drain(), worker?.webhooks.stop()]);
    await usageWriter.stop();
    components.pointLimiter?.close();
    await worker?.upkeep.stop();
    for (const part of Object.values(components.images)) part.close();
    components.webhook.outbound.close();
    await components.tracing?.close();
    const { outage, ...pools } = connections;
    outage.close();
    await Promise.all(Object.values(pools).map(async (pool) => await pool.close()));
  };
  try {
    const { images, webhook } = components;
    const { across } = connections.acrossMerchants;
    return { url: await server.listen(config.http), db, across, images, webhook, close };
  } catch (error) {
    await close();
    throw error;
  }
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

async function openConnections(
  { databaseUrl, acrossUrl, database }: ServiceConfig,
  log: ServerDependencies['log'],
): Promise<Pick<Components, 'connections' | 'placement'>> {
  const readiness = connect(databaseUrl, READINESS_CONNECTION);
  await warnOfRights(readiness.db, log);
  const outage = new OutageLog(log, {
    reach: async () => await readiness.db.execute('select 1'),
    write: async () => await testWrites(readiness.db),
  });
  const placement = await placementOf(readiness.db);
  const options = {
    ...database,
    ...placement.requests,
    onError: outage.report,
    ...(placement.needsRelay && { onCommit: new RelayNotifier(readiness.db).notify }),
  };
  const connections = {
    standard: connect(databaseUrl, options),
    longWrites: connect(databaseUrl, { ...options, poolSize: options.longWritesPoolSize }),
    acrossMerchants: connectAcross(acrossUrl, placement, { onError: outage.report }),
    readiness,
    outage,
  };
  return { connections, placement };
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
  const db = withTimePerStatement(connections.standard.db);
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
    introspection: http.introspection,
    publicUrl: http.publicUrl,
    trustProxy: http.trustProxy,
    tracing,
    rateLimitPerMinute: http.rateLimitPerMinute,
    ...(pointLimiter && { pointLimiter }),
    usageCounts,
    maxResponseBytes: http.maxResponseBytes,
    executionLimits: http.executionLimits,
    findSession: (token, span) => findSession({ db: withSpan(db, span), sessions }, token),
    oauth: {
      issueToken: async (request) => await issueToken({ db, secretKey }, request),
      exchangeSignInCode: async (code) => await exchangeSignInCode({ db }, code),
      revokeToken: async (request) => await revokeToken({ db, secretKey, sessions }, request),
      rateLimitPerMinute: http.tokenRateLimitPerMinute,
    },
    checks: {
      database: async () => await isDatabaseUsable(connections),
      migrations: async () => await isMigrated(readiness),
      queue: async () => await hasDeliveryQueue(readiness),
      storage: async () => await images.storage.isWritable(),
    },
    routes: [async (app) => await uploadRoutes(app, { db, webhook, ...images })],
    publicRoutes: [async (app) => imageRoutes(app, { db, renditions })],
    pageRoutes: [async (app) => await docsRoutes(app, docs), consoleRoutes],
  };
}

async function isDatabaseUsable({ readiness, outage }: Connections): Promise<boolean> {
  if (outage.isLackingResources) await testWrites(readiness.db);
  return (await readiness.db.execute('select 1')).length === 1;
}

async function startWorker(config: ServiceConfig, components: Components) {
  const { databaseUrl, secretKey, webhook: retention, history, erasure, stock } = config;
  const { connections, placement, images, metrics, tracing, log } = components;
  const { across } = connections.acrossMerchants;
  const shared = { databaseUrl, placement, across, log, tracing, onError: connections.outage.report };
  const measured = measureUpkeep(metrics);
  const [upkeep, webhooks] = await Promise.all([
    startUpkeep({ ...shared, ...measured, images, webhook: components.webhook, retention, history, erasure, stock }),
    startWebhooks({ ...shared, secretKey, ...retention, metrics }),
  ]);
  measureLedger(metrics, async () => await ledgerFigures({ across }));
  return { upkeep, webhooks };
}

/** A serving role with few rights limits what a fault in the service can reach. */
async function warnOfRights(db: Database, log: ServerDependencies['log']): Promise<void> {
  const rights = await excessiveRights(db);
  if (rights.length > 0)
    log.warn(
      { rights },
      'the role of DATABASE_URL may do more than the service needs: see "Database roles" in docs/running.md',
    );
}
