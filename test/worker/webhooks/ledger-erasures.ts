import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../../../src/db/connection/database.ts';
import { tablesWith } from '../../customer/erasure/tables-with.ts';
import { post } from '../../support/post.ts';
import type { Received } from './receiver.ts';

/** Part of the names of customers that are erased. It occurs nowhere else. */
const MARK = 'qzerasable';
/** Erased are two of this many changes, one made by GraphQL and one by SQL. */
const ERASED_OF = 20;
const ERASED = [2, 6];
/** A push that was claimed before an erasure may be sent for as long as its claim holds. */
const CLAIM_MS = 15_000;
const RETRY_MS = 200;
const ATTEMPTS = 300;
const MUTATION = 'mutation ($ids: [String!]!) { eraseCustomerList(idList: $ids) { id } }';

type Destination = { db: Database; merchantId: string; token: string; graphqlUrl: () => string };

/** Erases some of the customers while processes and database are killed. */
export class LedgerErasures {
  readonly #to: Destination;
  readonly #waiting: string[] = [];
  /** The times of confirmed erasures, by the customer's id. */
  readonly #confirmed = new Map<string, number>();

  constructor(to: Destination) {
    this.#to = to;
  }

  /** The name for the nth change. */
  nameFor(n: number, unique: string): string {
    return ERASED.includes(n % ERASED_OF) ? `${MARK} ${unique}` : unique;
  }

  /** Remembers a customer that is to be erased. */
  add(id: string, name: string): void {
    if (name.startsWith(MARK)) this.#waiting.push(id);
  }

  /** Erases one customer that waits for it. A request without an answer is repeated at the end. */
  async eraseOne(): Promise<void> {
    const id = this.#waiting.shift();
    if (id !== undefined) await this.#erase([id]);
  }

  /** Erases those whose erasure, or whose save, got no answer. Returns the ids of all that are erased. */
  async finish(): Promise<Set<string>> {
    const { db, merchantId } = this.#to;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const rows = await db
        .execute<{ id: string }>(
          sql`select id from customer where merchant_id = ${merchantId} and strpos(first_name, ${MARK}) > 0 limit 100`,
        )
        .catch(() => null);
      if (rows?.length === 0) break;
      if (!rows || !(await this.#erase(rows.map(({ id }) => id)))) await wait(RETRY_MS);
    }
    const erased = await db.execute<{ id: string }>(
      sql`select id from customer where merchant_id = ${merchantId} and erasure_id is not null`,
    );
    return new Set(erased.map(({ id }) => id));
  }

  /** Confirmed to a client, but not done. */
  missing(erased: Set<string>): string[] {
    return [...this.#confirmed.keys()].filter((id) => !erased.has(id));
  }

  /** Customers with more or fewer than one receipt. */
  async withoutOneReceipt(erased: Set<string>): Promise<string[]> {
    const { db, merchantId } = this.#to;
    const rows = await db.execute<{ id: string }>(
      sql`select unnest(customer_ids) as id from erasure where merchant_id = ${merchantId}`,
    );
    const receipts = Map.groupBy(rows, ({ id }) => id);
    return [...erased].filter((id) => receipts.get(id)?.length !== 1);
  }

  /** The tables that still have a name of an erased customer. */
  async tablesWithNames(): Promise<string[]> {
    return await tablesWith(this.#to.db, [MARK]);
  }

  /** Pushes with a name that arrived later than a claim of before the erasure allows. */
  late(received: readonly Received[]): string[] {
    return received
      .filter(({ body, atMs }) => {
        const data = String(body.data);
        const { id } = JSON.parse(data) as { id: string };
        return data.includes(MARK) && atMs > (this.#confirmed.get(id) ?? Infinity) + CLAIM_MS;
      })
      .map(({ id }) => id);
  }

  async #erase(ids: string[]): Promise<boolean> {
    const { graphqlUrl, token } = this.#to;
    const answer = await post(graphqlUrl(), { query: MUTATION, variables: { ids } }, { token }).catch(() => null);
    if (!answer?.body.data?.eraseCustomerList) return false;
    for (const id of ids) this.#confirmed.set(id, this.#confirmed.get(id) ?? Date.now());
    return true;
  }
}
