import { isDeepStrictEqual } from 'node:util';
import { compare, type Query } from './play.ts';
import { byId, type State } from './state.ts';

/** Kinds of events that the model follows. */
export const EVENT_SCOPES = [
  ...['created', 'updated', 'deleted'].map((action) => `store/product/${action}`),
  ...['created', 'updated'].map((action) => `store/customer/${action}`),
];

/** With what the webhooks are told of a step: one event for each record. A restored record counts as updated. */
export function withEvents(before: State, after: State): State {
  if (before.webhooks.length === 0) return after;
  const told = [
    ...after.products.map((one) => {
      const stored = byId(before.products, one.id);
      const action = !stored ? 'created' : one.deleted && !stored.deleted ? 'deleted' : 'updated';
      return { isChanged: stored?.version !== one.version, record: one.id, scope: `store/product/${action}` };
    }),
    ...after.customers.map((one) => {
      const stored = byId(before.customers, one.id);
      const scope = `store/customer/${stored ? 'updated' : 'created'}`;
      return { isChanged: !isDeepStrictEqual(stored, one), record: one.id, scope };
    }),
  ];
  const isListened = (scope: string) => before.webhooks.some((webhook) => webhook.scope === scope);
  const events = told.filter(({ isChanged, scope }) => isChanged && isListened(scope));
  return { ...after, events: [...after.events, ...events.map(({ record, scope }) => ({ record, scope }))] };
}

type Page = { data: { recordId: string; scope: string }[]; endCursor: string | null };

/** Compares the events of each record, in their order. */
export async function checkEvents(query: Query, { events }: State): Promise<void> {
  const listed: State['events'] = [];
  for (let after: string | null | undefined; after !== null;) {
    const pagination = `{ limit: 200${after ? `, after: "${after}"` : ''} }`;
    const { data, errors } = await query(
      `{ listWebhookDelivery(scope: { in: ${JSON.stringify(EVENT_SCOPES)} }, pagination: ${pagination}) {
        data { recordId scope } endCursor } }`,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    const page = data!['listWebhookDelivery'] as Page;
    listed.push(...page.data.map(({ recordId: record, scope }) => ({ record, scope })));
    after = page.data.length < 200 ? null : page.endCursor;
  }
  compare('events', scopesOf(listed.toReversed()), scopesOf(events));
}

function scopesOf(events: State['events']): object {
  const byRecord = Object.entries(Object.groupBy(events, ({ record }) => record));
  return Object.fromEntries(byRecord.map(([record, own]) => [record, own!.map(({ scope }) => scope)]));
}
