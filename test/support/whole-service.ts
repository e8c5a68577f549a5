import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { createApp, type NewApp } from '../../src/app/create-app.ts';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import { type ServiceConfig, startService } from '../../src/service.ts';
import { createDatabase, type TestDatabase } from './database.ts';

export type TestService = {
  url: string;
  graphqlUrl: string;
  db: Database;
  owner: Database;
  /** The lines of its log. */
  lines: string[];
  /** The folder of the pictures. */
  folder: string;
  createApp(scopes?: readonly AppScope[]): Promise<NewApp & { token: string }>;
  stop(): Promise<void>;
};

const limits = { max: 8, maxPerMerchant: 7, maxWaiting: 1_000, maxWaitMs: 10_000 };

type Options = {
  webhook?: Partial<ServiceConfig['webhook']>;
  database?: Partial<ServiceConfig['database']>;
  beforeStart?: (database: TestDatabase) => Promise<void>;
};

/** Starts the complete service in this process, with a new database and a free port. */
export async function startTestService(
  http: Partial<ServiceConfig['http']> = {},
  role: ServiceConfig['role'] = 'all',
  options: Options = {},
): Promise<TestService> {
  const database = await createDatabase();
  await options.beforeStart?.(database);
  const folder = await mkdtemp(join(tmpdir(), 'commerce-images-'));
  const secretKey = createSecretKey(Buffer.alloc(32));
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk: Buffer, _, done) => (lines.push(chunk.toString()), done()) });
  const config: ServiceConfig = {
    databaseUrl: database.url,
    acrossUrl: database.acrossUrl,
    secretKey,
    role,
    database: { poolSize: 4, longWritesPoolSize: 2, statementTimeoutMs: 15_000, ...options.database },
    storageUrl: pathToFileURL(folder).href,
    image: { allowHttp: true, allowPrivate: true },
    history: { keepDays: 365, maxBytes: 1e12 },
    erasure: { log: undefined, keepDeletedDays: 0 },
    stock: { movementKeepDays: null, holdKeepDays: 365 },
    webhook: {
      allowHttp: false,
      allowPrivate: false,
      retryDelaysMs: [10_000, 60_000],
      keepDeliveredDays: 30,
      keepFailedDays: 90,
      maxWaitingBytes: 1_000_000,
      ...options.webhook,
    },
    http: {
      port: 0,
      host: '127.0.0.1',
      publicUrl: undefined,
      trustProxy: false,
      introspection: 'public',
      rateLimitPerMinute: 0,
      rateLimitPointsPerSecond: 0,
      tokenRateLimitPerMinute: 0,
      maxResponseBytes: 16 * 1024 * 1024,
      drainDelayMs: 0,
      executionLimits: { standard: limits, longWrites: limits, outbound: limits },
      ...http,
    },
  };
  const service = await startService(config, pino(destination));
  return {
    url: service.url,
    graphqlUrl: `${service.url}/api/v1/admin/graphql`,
    db: service.db,
    owner: database.owner,
    lines,
    folder,
    createApp: async (scopes = appScopes) => {
      const { merchantId } = await createMerchant(
        { db: service.db },
        {
          input: {
            email: 'owner@example.com',
            firstName: 'Ada',
            lastName: 'Lovelace',
            merchantName: 'Shop',
            currencyCode: 'EUR',
          },
        },
      );
      const app = await createApp(
        { db: service.db, merchantId, secretKey },
        { input: { name: 'Test', scopes: [...scopes] } },
      );
      return { ...app, token: await issue(service.url, app) };
    },
    stop: async () => {
      await service.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function issue(url: string, { clientId, clientSecret }: NewApp): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const response = await fetch(`${url}/api/admin/oauth/token`, { method: 'POST', body });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}
