import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { createContext } from '../support/context.ts';
import { post } from '../support/post.ts';
import { LedgerProcesses } from '../worker/webhooks/ledger-processes.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { historyFaults } from './history-faults.ts';
import { RandomChanges } from './random-changes.ts';

/** `db`: of the owner, with more connections than there are writers. `url`: for processes of the service. */
export type HistoryPlace = { db: Database; url: string };

const WRITERS = 4;
const WITHIN_MS = 120_000;
const READ_AT_ONCE = 20;
/** A time in milliseconds is before one change and after another if the changes are so far from it. */
const APART_MS = 3;
const LIST = `query ($products: [String!], $customers: [String!], $asOf: Timestamp) {
  listProduct(id: {in: $products}, asOf: $asOf, includeDeleted: true, pagination: {limit: 200}) { data {
    id name description weight version createdAt updatedAt deleted tagIds brand { id name } tags { id name }
    metaData { slug pageTitle }
    variants { id sku weight createdAt updatedAt prices { sellPrice discountPrice priceListId } }
  } }
  listCustomer(id: {in: $customers}, asOf: $asOf, includeDeleted: true, pagination: {limit: 200}) { data {
    id firstName lastName email note version: customerSequence createdAt updatedAt deleted
  } }
}`;

type Ids = { products: string[]; customers: string[] };
type Moment = Ids & { at: number; found: string };

/** What a run without faults returns beside its counts. */
export const EXACT = {
  withoutSet: [],
  withoutChange: [],
  gaps: [],
  notRebuilt: [],
  rolledBack: [],
  lost: [],
  openTransactions: 0,
  wrongMoments: [],
};

/** Writers that change a shop by requests and by plain SQL, while the processes of the service are killed. */
export class HistoryRun {
  readonly #place: HistoryPlace;
  readonly #own: Context;
  readonly #token: string;
  readonly #processes: LedgerProcesses;
  readonly #changes: RandomChanges;
  readonly #moments: Moment[] = [];
  #made = 0;
  #writing = 0;
  #pause: Promise<void> | null = null;

  private constructor(place: HistoryPlace, own: Context, token: string, processes: LedgerProcesses) {
    this.#place = place;
    this.#own = own;
    this.#token = token;
    this.#processes = processes;
    this.#changes = new RandomChanges(own, async (query, variables) => await this.#send(query, variables));
  }

  static async start(place: HistoryPlace): Promise<HistoryRun> {
    const own = await createContext(place.db);
    const { authorizedAppId } = own.session;
    const token = await issueAccessToken(own, { authorizedAppId, scopes: appScopes });
    return new HistoryRun(place, own, token, await LedgerProcesses.start(place.url, ['all', 'all']));
  }

  /** Kills a process after each part of the changes, and reads the shop at so many moments, also after each kill. */
  async play({ changes, kills, moments = kills }: { changes: number; kills: number; moments?: number }) {
    await this.#changes.prepare();
    const write = async (): Promise<void> => {
      while (this.#made < changes) {
        await this.#pause;
        this.#writing++;
        await this.#changes.change(`c${this.#made++}.`).catch(() => undefined);
        this.#writing--;
      }
    };
    const kill = async (): Promise<void> => {
      for (let moment = 0, killed = 0; moment < moments; moment++) {
        await until(
          () => this.#made,
          (made) => made >= (changes * moment) / moments,
          WITHIN_MS,
        );
        if (moment >= (moments * killed) / kills) await this.#processes.kill(killed++);
        this.#moments.push(await this.#paused(async () => await this.#moment()));
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, write), kill()]);
    const faults = await historyFaults(this.#own, this.#changes.confirmed);
    return {
      changes: this.#made,
      confirmed: this.#changes.confirmed.length,
      moments: this.#moments.length,
      ...faults,
      wrongMoments: await this.#wrongMoments(),
    };
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
  }

  /** Throws if there is no answer, or one with errors. */
  async #send(query: string, variables: object): Promise<any> {
    const { body } = await post(this.#processes.graphqlUrl(this.#made), { query, variables }, { token: this.#token });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  /** Waits until no transaction is open, also none of a process that was killed. */
  async #paused<Result>(read: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = promise;
    try {
      const open = async (): Promise<number> =>
        (
          await this.#place.db.execute(sql`
            select from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
        ).length;
      await until(
        () => this.#writing,
        (count) => count === 0,
        WITHIN_MS,
      );
      await until(open, (count) => count === 0, WITHIN_MS);
      return await read();
    } finally {
      this.#pause = null;
      resolve();
    }
  }

  async #moment(): Promise<Moment> {
    await wait(APART_MS);
    const [row] = await this.#place.db.execute<{ at: number }>(
      sql`select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
    );
    await wait(APART_MS);
    const ids = { products: await this.#changes.idsOf('product'), customers: await this.#changes.idsOf('customer') };
    return { at: row!.at, ...ids, found: await this.#read(ids) };
  }

  /** The records as JSON, in parts: `asOf` reads at most 20,000 changes, and one statement changes all customers. */
  async #read({ products, customers }: Ids, asOf?: number): Promise<string> {
    const parts: string[] = [];
    for (let from = 0; from < Math.max(products.length, customers.length); from += READ_AT_ONCE) {
      const until = from + READ_AT_ONCE;
      const ids = { products: products.slice(from, until), customers: customers.slice(from, until) };
      parts.push(JSON.stringify(await this.#send(LIST, { ...ids, asOf })));
    }
    return parts.join('\n');
  }

  /** The moments at which `asOf` finds another shop than was there, with the first difference. */
  async #wrongMoments(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { at, found, products, customers } of this.#moments) {
      const now = await this.#read({ products, customers }, at);
      const place = Array.from(found).findIndex((letter, index) => letter !== now[index]);
      if (now !== found)
        wrong.push(`${at}: ${found.slice(place - 200, place + 50)} and not ${now.slice(place - 200, place + 50)}`);
    }
    return wrong;
  }
}
