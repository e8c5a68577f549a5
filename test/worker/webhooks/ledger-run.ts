import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { createApp } from '../../../src/app/create-app.ts';
import { appScopes } from '../../../src/app-scope.ts';
import { connect, type Connection, type Database } from '../../../src/db/connection/connect.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createMerchant } from '../../../src/merchant/create-merchant.ts';
import { post } from '../../support/post.ts';
import { PostgresServer } from '../../support/postgres-server.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service.ts';
import { openReceiver, until } from './receiver.ts';

const SECRET_KEY = '0'.repeat(64);
const WRITERS = 4;
/** Of five changes one is rolled back, one is made by GraphQL, and three by SQL. */
const KINDS = 5;
const ARRIVES_WITHIN_MS = 120_000;
/** One of this many pushes is refused until its last request. */
const REFUSED_ONE_OF = 16;
/**
 * One of this many pushes is always refused. Rare, because kills let failures come together, and twenty failures in a
 * row would pause the webhook.
 */
const GIVEN_UP_ONE_OF = 128;

export type LedgerPlay = { changes: number; serviceKills: number; postgresKills: number };

/** Starts a separate Postgres, the service as a process, a receiver and writers, with functions to kill them. */
export async function startLedgerRun() {
  const postgres = await PostgresServer.start();
  await migrate(postgres.url, postgres.servingUrl);
  const connection: Connection = connect(postgres.url, { poolSize: 6, statementTimeoutMs: 15_000 });
  const { db } = connection;
  const secretKey = createSecretKey(Buffer.from(SECRET_KEY, 'hex'));
  const owner = {
    email: 'owner@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    merchantName: 'Shop',
    currencyCode: 'EUR',
  };
  const { merchantId } = await createMerchant({ db }, { input: owner });
  const { authorizedAppId } = await createApp(
    { db, merchantId, secretKey },
    { input: { name: 'Test', scopes: [...appScopes] } },
  );
  const token = await issueAccessToken({ db, merchantId }, { authorizedAppId, scopes: appScopes });
  const refusals = openRefusals();
  const receiver = await openReceiver(({ id }, response) => response.writeHead(refusals.answer(id)).end());
  for (const scope of ['store/customer/created', 'store/customer/updated']) {
    await db.execute(
      sql`insert into webhook (merchant_id, authorized_app_id, scope, endpoint) values (${merchantId}, ${authorizedAppId}, ${scope}, ${receiver.url})`,
    );
  }
  const environment = {
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_DELAYS_MS: '200,400',
    LOG_LEVEL: 'info',
  };
  const startProcess = async (): Promise<ServiceProcess> => await startServiceProcess(postgres.servingUrl, environment);
  let service = await startProcess();

  async function killService(): Promise<void> {
    await service.kill();
    service = await startProcess();
  }

  /** The service keeps running, and finds the database at the same port again. */
  async function killPostgres(): Promise<void> {
    await postgres.kill();
    await postgres.start();
    const died = await Promise.race([service.ended.then(() => true), wait(2_000, false)]);
    if (died) throw new Error('The service ended when Postgres was killed.');
  }

  async function play({ changes, serviceKills, postgresKills }: LedgerPlay) {
    const committed = new Set<string>();
    const unsure = new Set<string>();
    const rolledBack = new Set<string>();
    const kills = serviceKills + postgresKills;
    let made = 0;
    let killed = 0;
    // Changes are made during each kill, and some are left for the next one.
    const mayWrite = (): boolean => killed === kills || made < (changes * (killed + 2)) / (kills + 1);
    const write = async (): Promise<void> => {
      while (made < changes) {
        if (mayWrite()) await change(newId(), made++ % KINDS, { committed, unsure, rolledBack });
        else await wait(10);
      }
    };
    const kill = async (): Promise<void> => {
      for (; killed < kills; killed++) {
        await until(
          () => made,
          (count) => count >= (changes * (killed + 1)) / (kills + 1),
          ARRIVES_WITHIN_MS,
        );
        const isOfPostgres =
          Math.floor(((killed + 1) * postgresKills) / kills) > Math.floor((killed * postgresKills) / kills);
        await (isOfPostgres ? killPostgres() : killService());
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, write), kill()]);
    return await judge(committed, unsure, rolledBack, kills);
  }

  type Names = { committed: Set<string>; unsure: Set<string>; rolledBack: Set<string> };

  /** Makes a change with a unique name. If the connection breaks at the commit, its outcome is unknown. */
  async function change(name: string, kind: number, { committed, unsure, rolledBack }: Names): Promise<void> {
    try {
      if (kind === 0) {
        rolledBack.add(name);
        await inTransaction({ db }, async ({ db }) => {
          await insert(db, name);
          throw new Error('rolled back');
        }).catch(() => undefined);
      } else if (kind === 1) {
        const query = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';
        const { body } = await post(
          service.graphqlUrl,
          { query, variables: { input: { firstName: name } } },
          { token },
        );
        if (body.data?.saveCustomer) committed.add(name);
        else unsure.add(name);
      } else {
        await insert(db, name);
        committed.add(name);
      }
    } catch {
      unsure.add(name);
      await wait(50);
    }
  }

  async function insert(db: Database, name: string): Promise<void> {
    await db.execute(sql`insert into customer (merchant_id, first_name) values (${merchantId}, ${name})`);
  }

  async function judge(committed: Set<string>, unsure: Set<string>, rolledBack: Set<string>, kills: number) {
    const stored = new Set(
      (
        await until(
          () =>
            db
              .execute<{ name: string }>(sql`select first_name as name from customer where merchant_id = ${merchantId}`)
              .catch(() => []),
          ({ length }) => length > 0,
        )
      ).map(({ name }) => name),
    );
    const names = () =>
      receiver.received.map(({ body }) => (JSON.parse(body.data as string) as { firstName: string }).firstName);
    await until(
      () => new Set(names()),
      (arrived) => [...stored].every((name) => arrived.has(name)),
      ARRIVES_WITHIN_MS,
    ).catch(() => undefined);
    const states = async () =>
      await db.execute<{ id: string; state: string; attempts: number }>(
        sql`select id, state, attempts from webhook_delivery`,
      );
    const settled = await until(
      states,
      (rows) => rows.every(({ state }) => state !== 'PENDING'),
      ARRIVES_WITHIN_MS,
    ).catch(states);
    const arrived = new Set(names());
    const requests = Map.groupBy(receiver.received, ({ id }) => id);
    return {
      committed: committed.size,
      unsure: unsure.size,
      rolledBack: rolledBack.size,
      requests: receiver.received.length,
      vanished: [...committed].filter((name) => !stored.has(name)),
      lost: [...stored].filter((name) => !arrived.has(name)),
      unexpected: [...arrived].filter((name) => !stored.has(name)),
      overAttempted: [...requests].filter(([, made]) => made.length > 3).map(([id]) => id),
      gaps: receiver.received.filter(({ body }) => body.sequence !== 1).map(({ id }) => id),
      pending: settled.filter(({ state }) => state === 'PENDING').map(({ id }) => id),
      /** Failed although attempts were left, or delivered without a response 200. */
      misjudged: settled
        .filter(({ id, state, attempts }) => (state === 'FAILED' ? attempts < 3 : !refusals.isTaken(id)))
        .map(({ id }) => id),
      refused: refusals.refused(),
      duplicates: refusals.duplicates(),
      /** The maximum of concurrent requests of one process, for each kill. */
      duplicatesAllowed: kills * 128,
    };
  }

  return {
    play,
    stop: async () => {
      await service.kill();
      await connection.close();
      await postgres.remove();
      await receiver.close();
    },
  };
}

/** Selects the pushes that get 500 by their id, so that all requests of a push get the same. */
function openRefusals() {
  const requests = new Map<string, number>();
  const taken = new Set<string>();
  let refused = 0;
  let duplicates = 0;
  return {
    answer(id: string): number {
      const request = (requests.get(id) ?? 0) + 1;
      requests.set(id, request);
      const dice = Number.parseInt(id.slice(-2), 16);
      if (dice % GIVEN_UP_ONE_OF === 1 || (dice % REFUSED_ONE_OF === 0 && request < 3)) {
        refused += 1;
        return 500;
      }
      if (taken.has(id)) duplicates += 1;
      taken.add(id);
      return 200;
    },
    isTaken: (id: string): boolean => taken.has(id),
    refused: (): number => refused,
    duplicates: (): number => duplicates,
  };
}
