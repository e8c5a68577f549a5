import { setTimeout as wait } from 'node:timers/promises';
import { printMessage } from '../../command-line/output.ts';
import { type ServiceClient, Unavailable } from './service-client.ts';

const POLL_INTERVAL_MS = 1_000;
/**
 * Each poll begins this long before the one before it: a change gets its time shortly before it is committed. The Date
 * header, from which the time of the service is known, has whole seconds.
 */
const OVERLAP_MS = 15_000;
/** Movements and holds of stock get their time when they are written, which may be a minute before the commit. */
const LONG_OVERLAP_MS = 120_000;
/** One of so many polls begins LONG_OVERLAP_MS earlier. */
const POLLS_PER_LONG_ONE = 10;
/** The service lists events of the last hour. */
const MAX_AGE_MS = 55 * 60_000;
const PAGE_SIZE = 50;

const EVENTS = `query Events($scopes: [String!]!, $from: Timestamp!, $after: String, $limit: Int) {
  listWebhookEvent(scopes: $scopes, from: $from, after: $after, limit: $limit) {
    data { id scope recordId createdAt body } hasNext endCursor
  }
}`;

export type ListedEvent = { id: string; scope: string; recordId: string; createdAt: number; body: string };
type Page = { data: ListedEvent[]; hasNext: boolean; endCursor: string | null };

/** Yields each event that happens from now on, once. Calls `onReady` when it has read the events that exist already. */
export async function* newEvents(
  client: ServiceClient,
  scopes: readonly string[],
  signal: AbortSignal,
  { onReady, pollIntervalMs = POLL_INTERVAL_MS }: { onReady: () => void; pollIntervalMs?: number },
): AsyncGenerator<ListedEvent> {
  const known = new Map<string, number>();
  let completeAt = client.nowMs();
  // What is listed now is older than the command.
  for await (const { id, createdAt } of listed(client, scopes, completeAt - LONG_OVERLAP_MS)) known.set(id, createdAt);
  onReady();
  let isAnswered = true;
  for (let poll = 1; !signal.aborted; poll += 1) {
    await wait(pollIntervalMs, undefined, { signal });
    const polledAt = client.nowMs();
    const overlapMs = poll % POLLS_PER_LONG_ONE === 0 ? LONG_OVERLAP_MS : OVERLAP_MS;
    const from = Math.max(completeAt - overlapMs, polledAt - MAX_AGE_MS);
    for (const [id, createdAt] of known) if (createdAt < completeAt - LONG_OVERLAP_MS) known.delete(id);
    try {
      for await (const event of listed(client, scopes, from)) {
        if (known.has(event.id)) continue;
        known.set(event.id, event.createdAt);
        yield event;
      }
      completeAt = polledAt;
      isAnswered = true;
    } catch (error) {
      if (!(error instanceof Unavailable) || signal.aborted) throw error;
      if (isAnswered) printMessage(`${error.message} Trying again until it answers.`);
      isAnswered = false;
      await wait(error.retryAfterMs, undefined, { signal });
    }
  }
}

async function* listed(client: ServiceClient, scopes: readonly string[], from: number): AsyncGenerator<ListedEvent> {
  let after: string | null = null;
  do {
    const page: Page = await readPage(client, { scopes, from: Math.floor(from), after, limit: PAGE_SIZE });
    yield* page.data;
    after = page.hasNext ? page.endCursor : null;
  } while (after !== null);
}

async function readPage(client: ServiceClient, variables: object): Promise<Page> {
  return (await client.query<{ listWebhookEvent: Page }>(EVENTS, variables)).listWebhookEvent;
}
