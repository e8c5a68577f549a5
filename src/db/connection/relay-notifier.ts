import { sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { RELAY_CHANNEL } from './placement.ts';

/** PostgreSQL takes less than 8,000 bytes in a notification, and a merchant's id with its comma has 37. */
const MAX_MERCHANTS = 200;

/**
 * Wakes the relay after a commit, in a statement of its own: a notification inside a transaction that writes other
 * nodes would need a two-phase commit. One is sent at a time, with the ids of the merchants whose transactions were
 * committed meanwhile. A lost one only delays deliveries until the relay looks by itself.
 */
export class RelayNotifier {
  readonly #db: Database;
  #isSending = false;
  #merchantIds = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Transactions without a merchant write no deliveries. */
  readonly notify = (merchantId: string): void => {
    if (merchantId === '') return;
    this.#merchantIds.add(merchantId);
    if (!this.#isSending) void this.#send();
  };

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#merchantIds.size > 0) {
      const merchantIds = [...this.#merchantIds].slice(0, MAX_MERCHANTS);
      for (const merchantId of merchantIds) this.#merchantIds.delete(merchantId);
      await this.#db.execute(sql`select pg_notify(${RELAY_CHANNEL}, ${merchantIds.join()})`).catch(() => undefined);
    }
    this.#isSending = false;
  }
}
