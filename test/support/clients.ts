import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes, type AppScope } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from './context.ts';
import type { TestDatabase } from './database.ts';
import { type Answer, post } from './post.ts';
import { type ServiceProcess, startServiceProcess } from './service.ts';

/** Sends a request, optionally with a key and headers, until there is an answer. */
export type Send = (body: object, key?: string, headers?: Record<string, string>) => Promise<Answer>;

export type Clients = {
  /** Creates a merchant and a client of it. */
  createClient(): Promise<{ app: Context; send: Send }>;
  /** A client with a token of the app. */
  clientOf(app: Context, scopes?: readonly AppScope[], process?: ServiceProcess): Promise<Send>;
  /** Kills the process and starts another one. Requests sent meanwhile wait for the new process. */
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the service in a process of its own, and makes clients that continue after it was killed. */
export async function startClients(database: TestDatabase): Promise<Clients> {
  let service = startServiceProcess(database.url);
  await service;
  const clientOf: Clients['clientOf'] = async ({ db, merchantId, session }, scopes = appScopes, process) => {
    const token = await issueAccessToken({ db, merchantId }, { authorizedAppId: session.authorizedAppId, scopes });
    return async (body, key, headers = {}) => {
      for (;;) {
        const { graphqlUrl, ended } = process ?? (await service);
        try {
          return await post(graphqlUrl, body, {
            token,
            headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
          });
        } catch (error) {
          if (!isOfNetwork(error)) throw error;
          await ended;
        }
      }
    };
  };
  return {
    clientOf,
    createClient: async () => {
      const app = await createContext(database.db);
      return { app, send: await clientOf(app) };
    },
    restart: async (between = async () => {}) => {
      const killed = service;
      service = killed.then(async (process) => {
        await process.kill();
        await between();
        return await startServiceProcess(database.url);
      });
      await service;
    },
    stop: async () => await (await service).kill(),
  };
}

/** Counts the merchant's rows of a table. */
export async function countRows(table: string, { db, merchantId }: Context): Promise<number> {
  const [row] = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from ${sql.identifier(table)} where merchant_id = ${merchantId}`,
  );
  return row!.count;
}

export function isReplay({ headers }: Answer): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof TypeError && typeof (error.cause as NodeJS.ErrnoException | undefined)?.code === 'string';
}
