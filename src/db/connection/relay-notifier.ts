import { sql } from 'drizzle-orm';
import type { Database } from './connect.ts';
import { RELAY_CHANNEL } from './placement.ts';

/**
 * Wakes the relay after a commit, in a statement of its own: a notification inside a transaction that writes other
 * nodes would need a two-phase commit. One is sent at a time; commits meanwhile share the next one. A lost one only
 * delays deliveries until the relay looks by itself.
 */
export class RelayNotifier {
  readonly #db: Database;
  #isSending = false;
  #isDue = false;

  constructor(db: Database) {
    this.#db = db;
  }

  readonly notify = (): void => {
    this.#isDue = true;
    if (!this.#isSending) void this.#send();
  };

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue) {
      this.#isDue = false;
      await this.#db.execute(sql`select pg_notify(${RELAY_CHANNEL}, '')`).catch(() => undefined);
    }
    this.#isSending = false;
  }
}
