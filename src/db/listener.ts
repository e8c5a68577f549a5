import { setTimeout as wait } from 'node:timers/promises';

const TRIED_AGAIN_AFTER_MS = 500;
/** A connection that only listens would not notice that nobody speaks any more. */
const ASKED_EVERY_MS = 10_000;

export type Listener = {
  /**
   * Calls `onMessage` for each NOTIFY on the channel, and `onListening` whenever it has begun to listen: what
   * was said since the last time was not heard.
   */
  listen: (channel: string, onMessage: (payload: string) => void, onListening?: () => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
};

type Subscription = { channel: string; onMessage: (payload: string) => void; onListening?: () => void };
/** As much of the driver as it needs. */
type Client = { unsafe(text: string): Promise<unknown>; end(options: { timeout: number }): Promise<void> };
type Handlers = { onnotify: (channel: string, payload: string) => void; onclose: () => void };

/** Listens on one connection of its own, opened with the first channel, and again whenever that was lost. */
export function openListener(connect: (handlers: Handlers) => Client): Listener {
  const subscriptions = new Set<Subscription>();
  let client: Client | null = null;
  let pulse: NodeJS.Timeout | undefined;
  let losses = 0;
  let isClosed = false;
  let listening = Promise.resolve();

  function open(): Client {
    pulse = setInterval(() => void client!.unsafe('select 1').catch(() => undefined), ASKED_EVERY_MS).unref();
    return connect({
      onnotify: (channel, payload) => {
        for (const subscription of subscriptions) if (subscription.channel === channel) subscription.onMessage(payload);
      },
      onclose: () => {
        losses += 1;
        if (!isClosed) listening = listening.then(subscribe);
      },
    });
  }

  /** All in one statement, so that they are on one connection. */
  async function subscribe(): Promise<void> {
    while (!isClosed) {
      const before = losses;
      const told = [...subscriptions];
      try {
        client ??= open();
        await client.unsafe([...new Set(told.map(({ channel }) => `listen "${channel}"`))].join('; '));
        if (losses !== before) continue;
        for (const { onListening } of told) onListening?.();
        return;
      } catch {
        await wait(TRIED_AGAIN_AFTER_MS);
      }
    }
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
