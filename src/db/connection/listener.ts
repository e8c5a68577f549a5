import { setTimeout as wait } from 'node:timers/promises';

const RETRY_DELAY_MS = 500;
/** Interval of a ping that detects a dead connection; without an answer the connection is replaced. */
const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;

export type Listener = {
  /**
   * Calls `onMessage` for each NOTIFY on the channel. Calls `onListening` each time listening has (re)started:
   * notifications sent in between were missed.
   */
  listen: (
    channel: string,
    onMessage: (payload: string) => void,
    onListening?: () => void,
  ) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
};

type Subscription = { channel: string; onMessage: (payload: string) => void; onListening?: () => void };
/** The part of the driver that is used. `reconnect` closes the connection; the client opens another one. */
export type ListeningClient = {
  unsafe(text: string): Promise<unknown>;
  end(options: { timeout: number }): Promise<void>;
  reconnect(): void;
};
type Handlers = { onnotify: (channel: string, payload: string) => void; onclose: () => void };

/** Listens on a dedicated connection. It is opened with the first channel and reopened after each loss. */
export function openListener(connect: (handlers: Handlers) => ListeningClient): Listener {
  const subscriptions = new Set<Subscription>();
  let client: ListeningClient | null = null;
  let pulse: NodeJS.Timeout | undefined;
  let losses = 0;
  let isClosed = false;
  let isSubscribing = false;
  let listening = Promise.resolve();

  function open(): ListeningClient {
    pulse = setInterval(() => void ping(client!), PING_INTERVAL_MS).unref();
    return connect({
      onnotify: (channel, payload) => {
        for (const subscription of subscriptions) if (subscription.channel === channel) subscription.onMessage(payload);
      },
      onclose: () => {
        losses += 1;
        // A subscription in progress notices the loss itself.
        if (!isClosed && !isSubscribing) listening = listening.then(subscribe);
      },
    });
  }

  async function subscribe(): Promise<void> {
    isSubscribing = true;
    while (!isClosed && !(await trySubscribe().catch(() => wait(RETRY_DELAY_MS, false))));
    isSubscribing = false;
  }

  /** Sends all LISTENs in one statement, so that they share a connection. Returns false if that was lost meanwhile. */
  async function trySubscribe(): Promise<boolean> {
    const before = losses;
    const told = [...subscriptions];
    client ??= open();
    await client.unsafe([...new Set(told.map(({ channel }) => `listen "${channel}"`))].join('; '));
    if (losses !== before) return false;
    for (const { onListening } of told) onListening?.();
    return true;
  }

  return {
    async listen(channel, onMessage, onListening) {
      const subscription = { channel, onMessage, onListening };
      subscriptions.add(subscription);
      listening = listening.then(subscribe);
      await listening;
      return async () => {
        subscriptions.delete(subscription);
      };
    },
    async close() {
      isClosed = true;
      clearInterval(pulse);
      await client?.end({ timeout: 0 });
      await listening;
    },
  };
}

async function ping(client: ListeningClient): Promise<void> {
  const timeout = setTimeout(() => client.reconnect(), PING_TIMEOUT_MS).unref();
  await client.unsafe('select 1').catch(() => undefined);
  clearTimeout(timeout);
}
