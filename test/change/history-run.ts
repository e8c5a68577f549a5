import { setTimeout as wait } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import type { Database } from '../../src/db/connection/connect.ts';
import { createContext } from '../support/context.ts';
import { post } from '../support/post.ts';
import { random } from '../support/random.ts';
import { LedgerProcesses } from '../worker/webhooks/ledger-processes.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { historyFaults } from './history-faults.ts';

/** `db`: of the owner, with more connections than there are writers. `url`: for processes of the service. */
export type HistoryPlace = { db: Database; url: string };

const WRITERS = 4;
const WITHIN_MS = 120_000;
/** `asOf` takes at most 200 ids. */
const MAX_RECORDS = 100;
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
  readonly #next = random(32);
  /** Texts that a confirmed change has written. */
  readonly #confirmed: string[] = [];
  readonly #moments: Moment[] = [];
  readonly #brands: string[] = [];
  #made = 0;
  #writing = 0;
  #pause: Promise<void> | null = null;

  private constructor(place: HistoryPlace, own: Context, token: string, processes: LedgerProcesses) {
    this.#place = place;
    this.#own = own;
    this.#token = token;
    this.#processes = processes;
  }

  static async start(place: HistoryPlace): Promise<HistoryRun> {
    const own = await createContext(place.db);
    const { authorizedAppId } = own.session;
    const token = await issueAccessToken(own, { authorizedAppId, scopes: appScopes });
    return new HistoryRun(place, own, token, await LedgerProcesses.start(place.url, ['all', 'all']));
  }

  /** Kills a process after each part of the changes, and reads the shop as it is then. */
  async play({ changes, kills }: { changes: number; kills: number }) {
    for (const name of ['A', 'B'])
      this.#brands.push(await this.#save('saveProductBrand', 'ProductBrandInput', { name }));
    const write = async (): Promise<void> => {
      while (this.#made < changes) {
        await this.#pause;
        this.#writing++;
        await this.#change(`c${this.#made++}.`).catch(() => undefined);
        this.#writing--;
      }
    };
    const kill = async (): Promise<void> => {
      for (let killed = 0; killed < kills; killed++) {
        await until(
          () => this.#made,
          (made) => made >= (changes * killed) / kills,
          WITHIN_MS,
        );
        await this.#processes.kill(killed);
        this.#moments.push(await this.#paused(async () => await this.#moment()));
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, write), kill()]);
    const faults = await historyFaults(this.#own, this.#confirmed);
    return {
      changes: this.#made,
      confirmed: this.#confirmed.length,
      ...faults,
      wrongMoments: await this.#wrongMoments(),
    };
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
  }

  /** One change by a request or by plain SQL. `text` is in what it writes. */
  async #change(text: string): Promise<void> {
    const product = await this.#any('product');
    const kind = product ? this.#next(12) : 0;
    if (kind <= 1) {
      if ((await this.#count('product')) < MAX_RECORDS)
        await this.#save('saveProduct', 'ProductInput', this.#product(text));
    } else if (kind === 2) await this.#update(product!, { name: text, description: this.#next(2) ? 'text' : null });
    else if (kind === 3)
      await this.#update(product!, { variants: [this.#variant(text)], metaData: { pageTitle: text } });
    else if (kind === 4)
      await this.#send(`mutation ($ids: [ID!]!) { deleteProductList(idList: $ids) }`, { ids: [product] });
    else if (kind === 5)
      await this.#save('saveProductBrand', 'ProductBrandInput', { id: this.#brands[this.#next(2)], name: text });
    else if (kind === 6) await this.#saveCustomer(text);
    else if (kind === 7) await this.#sql(text, this.#statements(product!, text));
    else if (kind === 8) await this.#rolledBack(this.#statements(product!, `rolled back ${text}`));
    else if (kind === 9) await this.#sql(text, await this.#move(product!, text));
    else if (kind === 10)
      await this.#sql(text, [sql`update customer set note = ${text} where ${this.#owned()} returning id`]);
    else if (this.#next(3) === 0)
      await this.#sql(text, [sql`delete from product where ${this.#owned()} and id = ${product}`]);
  }

  #product(text: string): object {
    const variants = Array.from({ length: 1 + this.#next(3) }, (_, n) => this.#variant(`${text}${n}`));
    return { name: text, type: 'PHYSICAL', brandId: this.#brands[this.#next(2)], variants };
  }

  #variant(sku: string): object {
    return {
      sku,
      prices: [{ sellPrice: this.#next(1_000) / 8, ...(this.#next(2) && { discountPrice: this.#next(50) }) }],
    };
  }

  /** Statements of one transaction, of which one changes again what another one has changed. */
  #statements(product: string, text: string): SQL[] {
    const owned = this.#owned();
    return [
      sql`update product set weight = ${this.#next(50)}, updated_at = now(), version = version + 1
        where ${owned} and id = ${product}`,
      sql`update variant set sku = 'first', weight = 1.5 where ${owned} and product_id = ${product}`,
      sql`update variant set sku = ${text} where ${owned} and product_id = ${product}`,
      sql`update product set name = ${text} where ${owned} and id = ${product} returning id`,
    ];
  }

  async #move(product: string, text: string): Promise<SQL[]> {
    const to = await this.#any('product');
    const moved = sql`id = (select id from variant where ${this.#owned()} and product_id = ${product} order by id limit 1)`;
    return [
      sql`update variant set product_id = ${to}, sku = ${text}, position = ${1_000 + this.#made}
        where ${this.#owned()} and ${moved}`,
      sql`update product set name = ${text} where ${this.#owned()} and id = ${product} returning id`,
    ];
  }

  async #saveCustomer(text: string): Promise<void> {
    const id = this.#next(3) > 0 ? await this.#any('customer') : undefined;
    if (id !== undefined || (await this.#count('customer')) < MAX_RECORDS)
      await this.#save('saveCustomer', 'CustomerInput', { ...(id && { id }), firstName: text });
  }

  async #save(operation: string, type: string, input: object): Promise<string> {
    const saved = await this.#send(`mutation ($input: ${type}!) { ${operation}(input: $input) { id } }`, { input });
    const { name, firstName } = input as { name?: string; firstName?: string };
    this.#confirmed.push(name ?? firstName!);
    return saved[operation].id;
  }

  async #update(
    id: string,
    patch: { name?: string; metaData?: { pageTitle: string }; [member: string]: unknown },
  ): Promise<void> {
    await this.#send(
      'mutation ($id: ID!, $patch: ProductPatchInput!) { updateProduct(id: $id, patch: $patch) { id } }',
      {
        id,
        patch,
      },
    );
    this.#confirmed.push(patch.name ?? patch.metaData!.pageTitle);
  }

  /** Throws if there is no answer, or one with errors. */
  async #send(query: string, variables: object): Promise<any> {
    const { body } = await post(this.#processes.graphqlUrl(this.#made), { query, variables }, { token: this.#token });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  /** The last statement returns the rows in which it wrote the text. */
  async #sql(text: string, statements: readonly SQL[]): Promise<void> {
    const written = await this.#place.db.transaction(async (transaction) => {
      let rows = 0;
      for (const statement of statements) rows = (await transaction.execute(statement)).length;
      return rows;
    });
    if (written > 0) this.#confirmed.push(text);
  }

  async #rolledBack(statements: readonly SQL[]): Promise<void> {
    await this.#place.db.transaction(async (transaction) => {
      for (const statement of statements) await transaction.execute(statement);
      throw new Error('rolled back');
    });
  }

  async #any(table: string): Promise<string | undefined> {
    const rows = await this.#ids(table, sql`not deleted`);
    return rows[this.#next(rows.length)];
  }

  async #count(table: string): Promise<number> {
    return (await this.#ids(table, sql`true`)).length;
  }

  async #ids(table: string, condition: SQL): Promise<string[]> {
    const rows = await this.#place.db.execute<{ id: string }>(
      sql`select id from ${sql.identifier(table)} where ${this.#owned()} and ${condition} order by id`,
    );
    return rows.map(({ id }) => id);
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
    const ids = { products: await this.#ids('product', sql`true`), customers: await this.#ids('customer', sql`true`) };
    return { at: row!.at, ...ids, found: JSON.stringify(await this.#send(LIST, ids)) };
  }

  /** The moments at which `asOf` finds another shop than was there, with the first difference. */
  async #wrongMoments(): Promise<string[]> {
    const wrong: string[] = [];
    for (const { at, found, products, customers } of this.#moments) {
      const now = JSON.stringify(await this.#send(LIST, { products, customers, asOf: at }));
      const place = [...found].findIndex((letter, index) => letter !== now[index]);
      if (now !== found)
        wrong.push(`${at}: ${found.slice(place - 200, place + 50)} and not ${now.slice(place - 200, place + 50)}`);
    }
    return wrong;
  }

  #owned(): SQL {
    return sql`merchant_id = ${this.#own.merchantId}`;
  }
}
