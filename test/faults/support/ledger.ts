import { sql } from 'drizzle-orm';
import type { Context } from '../../../src/context.ts';
import { openReceiver, until } from '../../worker/webhooks/receiver.ts';

const PUSHED_WITHIN_MS = 45_000;

type Receiver = Awaited<ReturnType<typeof openReceiver>>;

export type Balance = {
  /** Confirmed to a client, but not stored. */
  lost: string[];
  /** Sent repeatedly with one key, and stored more than once. */
  doubled: string[];
  /** Stored, but its client got no answer. */
  unanswered: string[];
  /** Stored, but not pushed to the webhook. */
  unpushed: string[];
};

/** Records what was confirmed to clients, to compare it with the tables and with the pushes to the webhook. */
export class Ledger {
  readonly committed = new Set<string>();
  /** Requests whose connection was closed before an answer. */
  readonly cut = new Set<string>();
  readonly committedProducts = new Set<string>();
  /** All requests with a key, with any outcome. */
  readonly #keyed = new Set<string>();
  readonly #ctx: Context;
  readonly #receiver: Receiver;

  private constructor(ctx: Context, receiver: Receiver) {
    this.#ctx = ctx;
    this.#receiver = receiver;
  }

  /** Registers a webhook for the merchant's new customers. */
  static async open(ctx: Context): Promise<Ledger> {
    const receiver = await openReceiver();
    await ctx.db.execute(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
      values (${ctx.merchantId}, ${ctx.session.authorizedAppId}, 'store/customer/created', ${receiver.url})`);
    return new Ledger(ctx, receiver);
  }

  sentWithKey(name: string): void {
    this.#keyed.add(name);
  }

  async balance(): Promise<Balance & { committed: number }> {
    const customers = await this.#names(
      sql`select first_name as name, count(*)::int as count from customer where merchant_id = ${this.#ctx.merchantId} group by 1`,
    );
    const products = await this.#names(
      sql`select name, count(*)::int as count from product where merchant_id = ${this.#ctx.merchantId} group by 1`,
    );
    const pushed = () =>
      new Set(
        this.#receiver.received.map(({ body }) => (JSON.parse(body.data as string) as { firstName: string }).firstName),
      );
    const missing = () => {
      const names = pushed();
      return [...customers.keys()].filter((name) => !names.has(name));
    };
    return {
      committed: this.committed.size + this.committedProducts.size,
      lost: [
        ...[...this.committed].filter((name) => !customers.has(name)),
        ...[...this.committedProducts].flatMap((name) => [name, `${name} b`]).filter((name) => !products.has(name)),
      ],
      doubled: [...this.#keyed].filter((name) => (customers.get(name) ?? 0) > 1),
      unanswered: [...this.cut].filter((name) => customers.has(name) || products.has(name)),
      unpushed: await until(missing, ({ length }) => length === 0, PUSHED_WITHIN_MS).catch(missing),
    };
  }

  async close(): Promise<void> {
    await this.#receiver.close();
  }

  async #names(statement: ReturnType<typeof sql>): Promise<Map<string, number>> {
    const rows = await this.#ctx.db.execute<{ name: string; count: number }>(statement);
    return new Map(rows.map(({ name, count }) => [name, count]));
  }
}
