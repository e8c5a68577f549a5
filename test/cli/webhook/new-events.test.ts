import { expect, it } from 'vitest';
import { newEvents, type ListedEvent } from '../../../src/cli/webhook/listen/new-events.ts';
import type { ServiceClient } from '../../../src/cli/webhook/listen/service-client.ts';

const MINUTE_MS = 60_000;

it('an event of a transaction that is committed a minute after its time is sent once', async () => {
  const events: ListedEvent[] = [];
  const query = async (_: string, { from }: { from: number }) => ({
    listWebhookEvent: { data: events.filter(({ createdAt }) => createdAt >= from), hasNext: false, endCursor: null },
  });
  const client = { nowMs: () => Date.now(), query } as unknown as ServiceClient;
  const stopping = new AbortController();
  const add = (id: string, createdAt: number) =>
    events.unshift({ id, scope: 'store/stock/held', recordId: id, createdAt, body: '{}' });
  add('before', Date.now() - MINUTE_MS);
  const sent: string[] = [];
  const options = { onReady: () => void add('late', Date.now() - MINUTE_MS), pollIntervalMs: 1 };
  for await (const { id } of newEvents(client, ['store/stock/held'], stopping.signal, options)) {
    sent.push(id);
    if (id === 'late') setTimeout(() => add('last', Date.now()), 100);
    if (id === 'last') break;
  }
  expect(sent).toEqual(['late', 'last']);
});
