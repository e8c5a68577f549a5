import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { encryptClientSecret } from '../../../src/app/credentials/client-secret.ts';
import type { Context } from '../../../src/context.ts';
import type { Metrics } from '../../../src/http/server/metrics.ts';
import { startWebhooks } from '../../../src/worker/webhooks/start-webhooks.ts';
import { openOutbound } from '../../../src/outbound/outbound.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { eventsOf } from '../../webhook/ledger.ts';
import { openReceiver } from './receiver.ts';

export const SECRET = 'the-client-secret';

/** A database for the test file, and workers and receivers, which are stopped after each test. */
export function sending() {
  const secretKey = createSecretKey(randomBytes(32));
  const opened: (() => Promise<unknown>)[] = [];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close();
  });
  afterAll(() => database.drop());

  return {
    db: () => database.db,
    across: () => database.across,
    owner: () => database.owner,
    shop: async (): Promise<Context> => {
      const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
      const own = { ...(await createContext(database.db)), webhook: { outbound, secretKey } };
      const { merchantId } = own;
      const { authorizedAppId } = own.session;
      const encrypted = encryptClientSecret(secretKey, { merchantId, authorizedAppId }, SECRET);
      await database.db.execute(
        sql`update authorized_app set client_secret_encrypted = ${encrypted} where merchant_id = ${merchantId} and id = ${authorizedAppId}`,
      );
      return own;
    },
    start: async (ctx: Context, retryDelaysMs: [number, number] = [100, 200], metrics?: Metrics) => {
      const worker = await startWebhooks({
        databaseUrl: database.url,
        placement: database.placement,
        across: database.across,
        allowHttp: true,
        allowPrivate: true,
        secretKey,
        retryDelaysMs,
        log: ctx.log,
        metrics,
      });
      let isStopped = false;
      const stop = async () => {
        if (!isStopped) await worker.stop();
        isStopped = true;
      };
      opened.push(stop);
      return { stop };
    },
    receiver: async (...answer: Parameters<typeof openReceiver>) => {
      const made = await openReceiver(...answer);
      opened.push(made.close);
      return made;
    },
    addCustomers: async (ctx: Context, count: number) => {
      await database.db.execute(
        sql`insert into customer (merchant_id, first_name) select ${ctx.merchantId}, 'n' || n from generate_series(1, ${count}::int) n`,
      );
    },
    statesOf: async (ctx: Context): Promise<Record<string, number>> => {
      const states = Object.groupBy(await eventsOf(ctx), ({ state }) => state);
      return Object.fromEntries(Object.entries(states).map(([state, rows]) => [state, rows!.length]));
    },
    logOf: async (ctx: Context, id: string) => {
      const [row] = await database.db.execute<{
        log: { statusCode: number | null; error: string | null }[];
        attempts: number;
      }>(sql`
        select attempt_log as log, attempts from webhook_delivery where merchant_id = ${ctx.merchantId} and id = ${id}`);
      return row!;
    },
  };
}
