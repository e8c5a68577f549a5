import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { createApp } from '../../../src/app/create-app.ts';
import { appScopes } from '../../../src/app-scope.ts';
import { connect, type Connection, type Database } from '../../../src/db/connection/connect.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createMerchant } from '../../../src/merchant/create-merchant.ts';
import { post } from '../../support/post.ts';
import { type LedgerPlace, ownPostgres } from './ledger-place.ts';
import { LedgerProcesses, type ProcessRole } from './ledger-processes.ts';
import { LedgerRefusals } from './ledger-refusals.ts';
import { openReceiver, until } from './receiver.ts';

const SECRET_KEY = '0'.repeat(64);
const WRITERS = 4;
/** Of each five changes one is rolled back, one is made by GraphQL, and three by SQL. */
const KINDS = 5;
const ARRIVES_WITHIN_MS = 120_000;
/** The longest time for the changes before a kill. A cluster on a busy machine makes 20 in a second. */
const MADE_WITHIN_MS = 600_000;
/** The maximum of concurrent requests of one process. */
const SENDING_MAX = 128;
const MUTATION = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';

/** `databaseDisturbances`: the number of kills of the database, or of other disturbances of `LedgerPlace`. */
export type LedgerPlay = { changes: number; serviceKills: number; databaseDisturbances: number };
export type Span = { fromMs: number; toMs: number };
type Delivery = { id: string; state: string; attempts: number };
type Receiver = Awaited<ReturnType<typeof openReceiver>>;
type Parts = {
  place: LedgerPlace;
  connection: Connection;
  processes: LedgerProcesses;
  receiver: Receiver;
  refusals: LedgerRefusals;
  merchantId: string;
  token: string;
};

/**
 * Members of the result of a run that delivered each committed change, nothing else, and nothing more than three times.
 */
export const EXACT = {
  vanished: [],
  lost: [],
  unexpected: [],
  overAttempted: [],
  gaps: [],
  pending: [],
  misjudged: [],
};

/** A database, processes of the service, a receiver and writers. Processes and database are killed meanwhile. */
export class LedgerRun {
  /** The times of committed changes, by their unique names. `disturbed`: the times of the disturbances. */
  readonly changed = new Map<string, Span>();
  readonly disturbed: Span[] = [];
  readonly #committed = new Set<string>();
  readonly #unsure = new Set<string>();
  readonly #rolledBack = new Set<string>();
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async start(roles: readonly ProcessRole[] = ['all'], place?: LedgerPlace): Promise<LedgerRun> {
    const opened = place ?? (await ownPostgres());
    // A cluster routes a statement by the values of its parameters, which a generic plan does not have.
    const planCacheMode = 'force_custom_plan';
    const connection = connect(opened.url, { poolSize: 6, statementTimeoutMs: 15_000, planCacheMode });
    const refusals = new LedgerRefusals();
    const receiver = await openReceiver(({ id }, response) => response.writeHead(refusals.answer(id)).end());
    const owner = await createOwner(connection.db, receiver.url);
    const processes = await LedgerProcesses.start(opened.servingUrl, roles);
    return new LedgerRun({ place: opened, connection, processes, receiver, refusals, ...owner });
  }

  async play({ changes, serviceKills, databaseDisturbances }: LedgerPlay) {
    const kills = serviceKills + databaseDisturbances;
    let made = 0;
    let killed = 0;
    // Writes a part of the changes during each kill, and leaves the others for the next ones.
    const mayWrite = (): boolean => killed === kills || made < (changes * (killed + 2)) / (kills + 1);
    const write = async (): Promise<void> => {
      while (made < changes) {
        if (mayWrite()) await this.#change(newId(), made++);
        else await wait(10);
      }
    };
    const kill = async (): Promise<void> => {
      let disturbances = 0;
      for (; killed < kills; killed++) {
        await until(
          () => made,
          (count) => count >= (changes * (killed + 1)) / (kills + 1),
          MADE_WITHIN_MS,
        );
        const isOfDatabase = Math.floor(((killed + 1) * databaseDisturbances) / kills) > disturbances;
        await (isOfDatabase ? this.#disturb(disturbances++) : this.#parts.processes.kill(killed - disturbances));
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, write), kill()]);
    return await this.#judge(kills);
  }

  /** The first arrival of each push, by the name of its change. */
  arrivals(): Map<string, number> {
    const arrived = new Map<string, number>();
    for (const { body, atMs } of this.#parts.receiver.received) {
      const name = nameIn(body);
      if (!arrived.has(name)) arrived.set(name, atMs);
    }
    return arrived;
  }

  async stop(): Promise<void> {
    const { processes, connection, place, receiver } = this.#parts;
    await processes.stop();
    await connection.close();
    await place.remove();
    await receiver.close();
  }

  /** Disturbs the database. The processes keep running, and connect to the same address again. */
  async #disturb(n: number): Promise<void> {
    const { place, processes, merchantId } = this.#parts;
    const fromMs = Date.now();
    await place.disturbances[n % place.disturbances.length]!(merchantId);
    this.disturbed.push({ fromMs, toMs: Date.now() });
    await processes.surviveDatabase();
  }

  /** Makes a change with a unique name. If the connection breaks at the commit, its outcome is unknown. */
  async #change(name: string, n: number): Promise<void> {
    const { db } = this.#parts.connection;
    const fromMs = Date.now();
    try {
      if (n % KINDS === 0) {
        this.#rolledBack.add(name);
        await inTransaction({ db }, async ({ db }) => {
          await this.#insert(db, name);
          throw new Error('rolled back');
        }).catch(() => undefined);
      } else if (n % KINDS === 1 ? await this.#save(name, n) : await this.#insert(db, name)) {
        this.#committed.add(name);
        this.changed.set(name, { fromMs, toMs: Date.now() });
      } else {
        this.#unsure.add(name);
      }
    } catch {
      this.#unsure.add(name);
      await wait(50);
    }
  }

  /** Saves a customer. Returns whether the service has confirmed it. */
  async #save(name: string, n: number): Promise<boolean> {
    const { processes, token } = this.#parts;
    const variables = { input: { firstName: name } };
    const { body } = await post(processes.graphqlUrl(Math.floor(n / KINDS)), { query: MUTATION, variables }, { token });
    return Boolean(body.data?.saveCustomer);
  }

  async #insert(db: Database, name: string): Promise<boolean> {
    const { merchantId } = this.#parts;
    await db.execute(sql`insert into customer (merchant_id, first_name) values (${merchantId}, ${name})`);
    return true;
  }

  async #judge(kills: number) {
    const { receiver, refusals } = this.#parts;
    const stored = await this.#stored();
    await until(
      () => this.arrivals(),
      (arrived) => [...stored].every((name) => arrived.has(name)),
      ARRIVES_WITHIN_MS,
    ).catch(() => undefined);
    const states = async () => await this.#deliveries();
    const settled = await until(
      states,
      (rows) => rows.every(({ state }) => state !== 'PENDING'),
      ARRIVES_WITHIN_MS,
    ).catch(states);
    const arrived = this.arrivals();
    const requests = Map.groupBy(receiver.received, ({ id }) => id);
    return {
      committed: this.#committed.size,
      unsure: this.#unsure.size,
      rolledBack: this.#rolledBack.size,
      requests: receiver.received.length,
      vanished: [...this.#committed].filter((name) => !stored.has(name)),
      lost: [...stored].filter((name) => !arrived.has(name)),
      unexpected: [...arrived.keys()].filter((name) => !stored.has(name)),
      overAttempted: [...requests].filter(([, made]) => made.length > 3).map(([id]) => id),
      gaps: receiver.received.filter(({ body }) => body.sequence !== 1).map(({ id }) => id),
      pending: settled.filter(({ state }) => state === 'PENDING').map(({ id }) => id),
      /** Failed after fewer than three attempts, or delivered without a 200. */
      misjudged: settled
        .filter(({ id, state, attempts }) => (state === 'FAILED' ? attempts < 3 : !refusals.isTaken(id)))
        .map(({ id }) => id),
      refused: refusals.refused,
      duplicates: refusals.duplicates,
      duplicatesAllowed: kills * SENDING_MAX,
    };
  }

  async #stored(): Promise<Set<string>> {
    const { connection, merchantId } = this.#parts;
    const rows = await until(
      async () => [
        ...(await connection.db
          .execute<{ name: string }>(sql`select first_name as name from customer where merchant_id = ${merchantId}`)
          .catch(() => [])),
      ],
      ({ length }) => length > 0,
    );
    return new Set(rows.map(({ name }) => name));
  }

  async #deliveries(): Promise<Delivery[]> {
    const { connection, merchantId } = this.#parts;
    return [
      ...(await connection.db.execute<Delivery>(
        sql`select id, state, attempts from webhook_delivery where merchant_id = ${merchantId}`,
      )),
    ];
  }
}

/** Creates a merchant with an app, a token of the app, and webhooks for customers. */
async function createOwner(db: Database, endpoint: string): Promise<{ merchantId: string; token: string }> {
  const secretKey = createSecretKey(Buffer.from(SECRET_KEY, 'hex'));
  const input = { email: 'a@example.com', firstName: 'Ada', lastName: 'L', merchantName: 'Shop', currencyCode: 'EUR' };
  const { merchantId } = await createMerchant({ db }, { input });
  const app = { name: 'Test', scopes: [...appScopes] };
  const { authorizedAppId } = await createApp({ db, merchantId, secretKey }, { input: app });
  for (const scope of ['store/customer/created', 'store/customer/updated'])
    await db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
      values (${merchantId}, ${authorizedAppId}, ${scope}, ${endpoint})`);
  const token = await issueAccessToken({ db, merchantId }, { authorizedAppId, scopes: appScopes });
  return { merchantId, token };
}

function nameIn(body: Record<string, unknown>): string {
  return (JSON.parse(body.data as string) as { firstName: string }).firstName;
}
