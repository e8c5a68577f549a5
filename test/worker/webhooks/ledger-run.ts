import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { createApp } from '../../../src/app/create-app.ts';
import { appScopes } from '../../../src/app-scope.ts';
import { connect, type Connection } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createMerchant } from '../../../src/merchant/create-merchant.ts';
import { post } from '../../support/post.ts';
import { LedgerErasures } from './ledger-erasures.ts';
import { arrivalsOf, judge } from './ledger-judgement.ts';
import { type LedgerPlace, ownPostgres, ROUTABLE } from './ledger-place.ts';
import { LedgerProcesses, type ProcessRole } from './ledger-processes.ts';
import { LedgerRefusals } from './ledger-refusals.ts';
import { openReceiver, until } from './receiver.ts';

const SECRET_KEY = '0'.repeat(64);
const WRITERS = 4;
/** Of each five changes one is rolled back, one is made by GraphQL, and three by SQL. All create a customer. */
const KINDS = 5;
/** The longest time for the changes before a kill. A cluster on a busy machine makes 20 in a second. */
const MADE_WITHIN_MS = 600_000;
const MUTATION = 'mutation ($input: CustomerInput!) { saveCustomer(input: $input) { id } }';

/** `databaseDisturbances`: the number of kills of the database, or of other disturbances of `LedgerPlace`. */
export type LedgerPlay = { changes: number; serviceKills: number; databaseDisturbances: number };
export type Span = { fromMs: number; toMs: number };
type Receiver = Awaited<ReturnType<typeof openReceiver>>;
type Parts = {
  place: LedgerPlace;
  connection: Connection;
  processes: LedgerProcesses;
  receiver: Receiver;
  refusals: LedgerRefusals;
  erasures: LedgerErasures;
  merchantId: string;
  token: string;
};

/** A database, processes of the service, a receiver and writers. Processes and database are killed meanwhile. */
export class LedgerRun {
  /** The times of committed changes, by the customer's id. `disturbed`: the times of the disturbances. */
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
    const connection = connect(opened.url, { poolSize: 6, statementTimeoutMs: 15_000, ...ROUTABLE });
    const refusals = new LedgerRefusals();
    const receiver = await openReceiver(({ id }, response) => response.writeHead(refusals.answer(id)).end());
    const owner = await createOwner(connection.db, receiver.url);
    const processes = await LedgerProcesses.start(opened.servingUrl, roles);
    const graphqlUrl = (): string => processes.graphqlUrl(0);
    const erasures = new LedgerErasures({ ...owner, db: connection.db, graphqlUrl });
    return new LedgerRun({ place: opened, connection, processes, receiver, refusals, erasures, ...owner });
  }

  async play({ changes, serviceKills, databaseDisturbances }: LedgerPlay) {
    const kills = serviceKills + databaseDisturbances;
    let made = 0;
    let killed = 0;
    // Writes a part of the changes during each kill, and leaves the others for the next ones.
    const mayWrite = (): boolean => killed === kills || made < (changes * (killed + 2)) / (kills + 1);
    const write = async (): Promise<void> => {
      while (made < changes) {
        if (mayWrite()) await this.#change(made++);
        else await wait(10);
        await this.#parts.erasures.eraseOne();
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
    const names = { committed: this.#committed, unsure: this.#unsure, rolledBack: this.#rolledBack };
    return await judge(this.#parts, names, kills);
  }

  /** The first arrival of the push of each new customer, by its id. */
  arrivals(): Map<string, number> {
    return arrivalsOf(this.#parts.receiver.received);
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

  /** Creates a customer. If the connection breaks at the commit, the outcome is unknown. */
  async #change(n: number): Promise<void> {
    const { connection, erasures } = this.#parts;
    const { db } = connection;
    const id = newId();
    const name = erasures.nameFor(n, newId());
    const fromMs = Date.now();
    try {
      if (n % KINDS === 0) {
        this.#rolledBack.add(id);
        await inTransaction({ db }, async ({ db }) => {
          await this.#insert(db, id, name);
          throw new Error('rolled back');
        }).catch(() => undefined);
        return;
      }
      const saved = n % KINDS === 1 ? await this.#save(name, n) : await this.#insert(db, id, name);
      if (saved === null) {
        this.#unsure.add(id);
        return;
      }
      this.#committed.add(saved);
      this.changed.set(saved, { fromMs, toMs: Date.now() });
      erasures.add(saved, name);
    } catch {
      this.#unsure.add(id);
      await wait(50);
    }
  }

  /** Saves a customer. Returns its id, or null if the service did not confirm it. */
  async #save(name: string, n: number): Promise<string | null> {
    const { processes, token } = this.#parts;
    const variables = { input: { firstName: name } };
    const { body } = await post(processes.graphqlUrl(Math.floor(n / KINDS)), { query: MUTATION, variables }, { token });
    return (body.data?.saveCustomer as { id: string } | null | undefined)?.id ?? null;
  }

  async #insert(db: Database, id: string, name: string): Promise<string> {
    const { merchantId } = this.#parts;
    await db.execute(sql`insert into customer (merchant_id, id, first_name) values (${merchantId}, ${id}, ${name})`);
    return id;
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
