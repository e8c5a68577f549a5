import { setTimeout as wait } from 'node:timers/promises';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';

const RETRY_DELAY_MS = 500;
/** Interval of a ping that detects a dead connection; without an answer the connection is replaced. */
const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;

/** The statement of pings, and what gets its rows. */
export type Ping = { readonly text: string; readonly read: (rows: unknown) => void };
const PLAIN_PING: Ping = { text: 'select 1', read: () => {} };

type OnMessage = (payload: string) => void;
type Subscription = { channel: string; onMessage: OnMessage; onListening?: () => void };

/** The part of the driver that is used. `reconnect` closes the connection; the client opens another one. */
export type ListeningClient = {
  unsafe(text: string): Promise<unknown>;
  end(options: { timeout: number }): Promise<void>;
  reconnect(): void;
};
type Handlers = { onnotify: (channel: string, payload: string) => void; onclose: () => void };

/** Listens on a dedicated connection. It is opened with the first channel and reopened after each loss. */
export class Listener {
  readonly #connect: (handlers: Handlers) => ListeningClient;
  readonly #ping: Ping;
  readonly #subscriptions = new Set<Subscription>();
  #client: ListeningClient | null = null;
  #pinging: NodeJS.Timeout | undefined;
  /** Connections lost so far. */
  #losses = 0;
  #isClosed = false;
  #isSubscribing = false;
  /** Resolves when all channels are listened to. Subscriptions run one after the other. */
  #subscribed = Promise.resolve();

  constructor(connect: (handlers: Handlers) => ListeningClient, ping = PLAIN_PING) {
    this.#connect = connect;
    this.#ping = ping;
  }

  /**
   * Calls `onMessage` for each NOTIFY on the channel. Calls `onListening` each time listening has (re)started:
   * notifications sent in between were missed. Resolves to a function that ends the subscription.
   */
  async listen(channel: string, onMessage: OnMessage, onListening?: () => void): Promise<() => Promise<void>> {
    const subscription: Subscription = { channel, onMessage, ...(onListening && { onListening }) };
    this.#subscriptions.add(subscription);
    await this.#subscribe();
    return async () => {
      this.#subscriptions.delete(subscription);
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#pinging);
    await this.#client?.end({ timeout: 0 });
    await this.#subscribed;
  }

  #subscribe(): Promise<void> {
    return (this.#subscribed = this.#subscribed.then(() => this.#subscribeUntilDone()));
  }

  async #subscribeUntilDone(): Promise<void> {
    this.#isSubscribing = true;
    while (!this.#isClosed && !(await this.#trySubscribe().catch((error: unknown) => this.#pause(error))));
    this.#isSubscribing = false;
  }

  /**
   * Sends all LISTENs in one statement, so that they share a connection. Returns false if that was lost meanwhile.
   */
  async #trySubscribe(): Promise<boolean> {
    const lossesBefore = this.#losses;
    const subscriptions = [...this.#subscriptions];
    this.#client ??= this.#open();
    await this.#client.unsafe([...new Set(subscriptions.map(({ channel }) => `listen "${channel}"`))].join('; '));
    if (this.#losses !== lossesBefore) return false;
    for (const { onListening } of subscriptions) onListening?.();
    return true;
  }

  /** A standby refuses LISTEN. It may be a former primary, so the next attempt resolves the host name again. */
  async #pause(error: unknown): Promise<false> {
    if (sqlState(error) === SQLSTATE.readOnly) this.#client!.reconnect();
    return await wait(RETRY_DELAY_MS, false);
  }

  #open(): ListeningClient {
    const client = this.#connect({
      onnotify: (channel, payload) => this.#notify(channel, payload),
      onclose: () => this.#lost(),
    });
    this.#pinging = setInterval(() => void ping(client, this.#ping), PING_INTERVAL_MS).unref();
    return client;
  }

  #notify(notified: string, payload: string): void {
    for (const { channel, onMessage } of this.#subscriptions) if (channel === notified) onMessage(payload);
  }

  #lost(): void {
    this.#losses += 1;
    // A subscription in progress notices the loss itself.
    if (!this.#isClosed && !this.#isSubscribing) void this.#subscribe();
  }
}

async function ping(client: ListeningClient, { text, read }: Ping): Promise<void> {
  const timeout = setTimeout(() => client.reconnect(), PING_TIMEOUT_MS).unref();
  await client.unsafe(text).then(read, () => undefined);
  clearTimeout(timeout);
}
