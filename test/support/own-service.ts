import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from './context.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { type Answer, post } from './post.ts';
import { createDataDir, isAlive, residentMib, type RunningService, startMain } from './process.ts';

const MEMORY_MEASURED_EVERY_MS = 50;

export type Merchant = {
  ctx: Context;
  token: string;
  send(body: object, headers?: Record<string, string>): Promise<Answer>;
};

export type OwnService = {
  url: string;
  graphqlUrl: string;
  database: TestDatabase;
  process: RunningService;
  /** Creates a merchant with an app of all scopes. */
  createMerchant(): Promise<Merchant>;
  memoryMib(): number;
  stop(): Promise<void>;
};

/** Starts the service in a process of its own, on a database of its own. */
export async function startOwnService(environment: Record<string, string> = {}): Promise<OwnService> {
  const [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
  // The key with which `createContext` encrypts the secrets of apps.
  const process = await startMain({
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: dataDir.path,
    ...environment,
  });
  const graphqlUrl = `${process.url}/api/v1/admin/graphql`;
  return {
    url: process.url,
    graphqlUrl,
    database,
    process,
    createMerchant: async () => {
      const ctx = await createContext(database.db);
      const token = await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: appScopes });
      return { ctx, token, send: async (body, headers = {}) => await post(graphqlUrl, body, { token, headers }) };
    },
    memoryMib: () => residentMib(process.child.pid!),
    stop: async () => {
      await process.stop('SIGKILL');
      await database.drop();
      await dataDir.remove();
    },
  };
}

/** By how many MiB the resident memory of the service grows at most until `work` is done. */
export async function memoryGrowthMib(service: OwnService, work: () => Promise<unknown>): Promise<number> {
  const beforeMib = service.memoryMib();
  let mostMib = beforeMib;
  const measure = (): void => {
    if (isAlive(service.process.child.pid!)) mostMib = Math.max(mostMib, service.memoryMib());
  };
  const timer = setInterval(measure, MEMORY_MEASURED_EVERY_MS);
  await work().finally(() => clearInterval(timer));
  console.log(`resident memory: ${mostMib} MiB at most, ${beforeMib} MiB before`);
  return mostMib - beforeMib;
}
