import { findSession, openSessionCache } from './app/access-token.ts';
import { issueToken } from './app/issue-token.ts';
import { revokeToken } from './app/revoke-token.ts';
import { sharePoints } from './app/share-points.ts';
import type { Config } from './config.ts';
import { allowsGenericPlans } from './db/connection/generic-plans.ts';
import { connect, type Database } from './db/connection/connect.ts';
import { isMigrated } from './db/schema/migration-state.ts';
import { excessiveRights } from './db/schema/serving-role.ts';
import type { DatabaseEnvironment } from './database-environment.ts';
import { resolvers } from './resolvers.ts';
import { buildSchema, readSources } from './graphql/schema/schema.ts';
import { imageRoutes } from './http/server/images.ts';
import { openMetrics } from './http/server/metrics.ts';
import { PointLimiter, pointLimits } from './http/admission/point-limiter.ts';
import { createServer, type ServerDependencies } from './http/server/server.ts';
import { uploadRoutes } from './http/upload/upload.ts';
import { openDecoder } from './image/decoder.ts';
import { openRenditions } from './image/rendition.ts';
import { openStorage } from './image/storage.ts';
import { watchStorage } from './image/watched-storage.ts';
import { hasQueue } from './worker/webhooks/queue.ts';
import { startUpkeep } from './worker/upkeep/start-upkeep.ts';
import { startWebhooks } from './worker/webhooks/start-webhooks.ts';
import { openOutbound } from './outbound/outbound.ts';
import { countWaiting } from './webhook/count-waiting.ts';

/** The readiness checks have a connection of their own, as they would else wait behind the statements of requests. */
const READINESS_CONNECTION = { poolSize: 1, statementTimeoutMs: 2_000, applicationName: 'commerce-readiness' };

export type Service = {
  /** Where it listens. */
  url: string;
  db: Database;
  close(): Promise<void>;
};

export type ServiceConfig = Pick<Config, 'role' | 'database' | 'http' | 'storageUrl' | 'image' | 'webhook'> &
  Pick<DatabaseEnvironment, 'databaseUrl' | 'secretKey'>;

/** The whole system on one screen: what there is, and what it is given. The database is migrated. */
export async function startService(config: ServiceConfig, log: ServerDependencies['log']): Promise<Service> {
  const { secretKey } = config;
  const readiness = connect(config.databaseUrl, READINESS_CONNECTION);
  await warnOfRights(readiness.db, log);
  const options = { ...config.database, hasGenericPlans: await allowsGenericPlans(readiness.db) };
  const connection = connect(config.databaseUrl, options);
  const { db } = connection;
  const longWrites = connect(config.databaseUrl, { ...options, poolSize: options.longWritesPoolSize });
  const sessions = openSessionCache();
  const images = {
    storage: watchStorage(await openStorage(config.storageUrl), log),
    decoder: openDecoder(log),
    outbound: openOutbound(config.image),
  };
  const renditions = openRenditions(images.storage, images.decoder);
  const webhook = { outbound: openOutbound(config.webhook), secretKey };
  const metrics = openMetrics();
  const limits = pointLimits(config.http.rateLimitPointsPerSecond);
  const pointLimiter =
    limits && new PointLimiter(limits, async (app, spentMs) => await sharePoints({ db }, app, spentMs), log);

  const server = await createServer({
    schema: buildSchema(readSources(), resolvers),
    db,
    longWritesDb: longWrites.db,
    webhook,
    log,
    metrics,
    isHealthOnly: config.role === 'worker',
    introspection: config.http.introspection,
    trustProxy: config.http.trustProxy,
    rateLimitPerMinute: config.http.rateLimitPerMinute,
    ...(pointLimiter && { pointLimiter }),
    maxResponseBytes: config.http.maxResponseBytes,
    executionLimits: config.http.executionLimits,
    findSession: (token) => findSession({ db, sessions }, token),
    oauth: {
      issueToken: async (request) => await issueToken({ db, secretKey }, request),
      revokeToken: async (request) => await revokeToken({ db, secretKey, sessions }, request),
      rateLimitPerMinute: config.http.tokenRateLimitPerMinute,
    },
    checks: {
      database: async () => (await readiness.db.execute('select 1')).length === 1,
      migrations: async () => await isMigrated(readiness.db),
      queue: async () => await hasQueue(readiness.db),
      storage: async () => await images.storage.isWritable(),
    },
    routes: [async (app) => await uploadRoutes(app, { db, webhook, ...images })],
    publicRoutes: [async (app) => imageRoutes(app, { db, renditions })],
  });

  const { databaseUrl } = config;
  const [upkeep, webhooks] =
    config.role === 'api'
      ? []
      : await Promise.all([
          startUpkeep({ databaseUrl, images, retention: config.webhook, log }),
          startWebhooks({ databaseUrl, secretKey, ...config.webhook, log, metrics }),
        ]);
  if (webhooks) metrics.gaugeWaiting(async () => await countWaiting(db));
  const close = async (): Promise<void> => {
    await Promise.all([server.drain(), webhooks?.stop()]);
    pointLimiter?.close();
    await upkeep?.stop();
    for (const part of Object.values(images)) part.close();
    webhook.outbound.close();
    await Promise.all([connection.close(), longWrites.close(), readiness.close()]);
  };
  try {
    return { url: await server.listen(config.http), db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A role of its own limits what a fault in the service could reach. */
async function warnOfRights(db: Database, log: ServerDependencies['log']): Promise<void> {
  const rights = await excessiveRights(db);
  if (rights.length > 0)
    log.warn(
      { rights },
      'the role of DATABASE_URL may do more than the service needs: see "Database roles" in README.md',
    );
}
