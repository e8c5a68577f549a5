import { useCallback, useState } from 'preact/hooks';
import { AppChoice } from '../choices.tsx';
import { DELIVERIES } from '../documents.ts';
import { DeliveryEntry, type Delivery } from './delivery-entry.tsx';
import { Explanations } from './explanations.tsx';
import type { FoundDelivery, FoundRecord } from './found-record.ts';
import type { Call } from '../graphql.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, ReloadButton, Time } from '../parts.tsx';
import { useQuery, useRefresh } from '../use-query.ts';
import { useWebhooksOf } from './webhooks-of.ts';

type Data = { found: { data: Delivery[] }; listWebhookDelivery: { hasNext: boolean; data: Delivery[] } };
/**
 * `record` is null if the search finds no such records, or if it was removed and only its deliveries are left. `found` is
 * the delivery by whose id it was found.
 */
type Props = { recordId: string; record: FoundRecord | null; found: FoundDelivery | undefined };

/** The scopes of the events about each kind of record. */
const SCOPES = {
  product: ['store/product/created', 'store/product/updated', 'store/product/deleted'],
  customer: ['store/customer/created', 'store/customer/updated', 'store/customer/erased'],
  stock: ['store/stock/created', 'store/stock/updated'],
  hold: ['store/stock/held', 'store/stock/released'],
} as const;

/**
 * Shows what happened to a record, newest first: its saves, its events, and the requests and responses of the events.
 */
export function Timeline({ recordId, record, found }: Props) {
  const [app, setApp] = useState('');
  const [page, setPage] = usePage(`${recordId} ${app}`);
  const variables = { recordId, found: found ? [found.id] : [], page, ...(app !== '' && { app }) };
  const call = { query: DELIVERIES, variables };
  const { foundAbove, deliveries, hasNext, isRead, webhookOf, reload, ...progress } = useDeliveries(call);
  const shown = [...foundAbove, ...deliveries];
  const scopes = SCOPES[record?.kind ?? kindOf(found?.scope)];
  return (
    <>
      <AppChoice value={app} onChoose={setApp} />
      {isRead && (
        <Explanations
          recordId={recordId}
          scopes={scopes}
          initialScope={scopes.find((scope) => scope.endsWith(`/${lastAction(record)}`)) ?? scopes[0]}
          app={app}
          statuses={shown.map(({ status }) => status).join()}
        />
      )}
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <CopyBar call={call}>
          <ReloadButton reload={reload} />
        </CopyBar>
        <Progress {...progress} />
        {isRead && shown.length === 0 && <p>No event of this record is recorded for a webhook.</p>}
        <ol class="timeline">
          {[...entriesOf(null, foundAbove), ...entriesOf(isRead && page === 1 ? record : null, deliveries)].map(
            (entry) =>
              entry.delivery ? (
                <DeliveryEntry
                  key={entry.delivery.id}
                  delivery={entry.delivery}
                  webhook={webhookOf(entry.delivery)}
                  isHighlighted={entry.delivery.id === found?.id}
                  onChange={reload}
                />
              ) : (
                <li key={entry.text} class="line save">
                  <Time at={entry.at} /> {entry.text}
                </li>
              ),
          )}
        </ol>
        <Pager page={page} hasNext={hasNext} onPage={setPage} what="events" />
      </section>
    </>
  );
}

/** A page of deliveries with their webhooks. `foundAbove` is the delivery that was found, if it is not on the page. */
function useDeliveries(call: Call) {
  const { data, error, isLoading, reload: reloadDeliveries } = useQuery<Data>(call);
  const { hasNext = false, data: deliveries = [] } = data?.listWebhookDelivery ?? {};
  const foundAbove = data?.found.data.filter(({ id }) => !deliveries.some((one) => one.id === id)) ?? [];
  const shown = [...foundAbove, ...deliveries];
  const webhooks = useWebhooksOf(shown);
  const reload = useCallback(
    async () => void (await Promise.all([reloadDeliveries(), webhooks.reload()])),
    [reloadDeliveries, webhooks.reload],
  );
  useRefresh(
    shown.some(({ status }) => status === 'PENDING'),
    reload,
  );
  const { webhookOf } = webhooks;
  const progress = { error: error ?? webhooks.error, isLoading };
  return { ...progress, foundAbove, deliveries, hasNext, isRead: data !== null, webhookOf, reload };
}

/** The search finds no holds, and no records that are gone: then the scope of the found delivery tells the kind. */
function kindOf(scope: string | undefined): keyof typeof SCOPES {
  const kinds = Object.keys(SCOPES) as (keyof typeof SCOPES)[];
  return kinds.find((kind) => SCOPES[kind].some((one) => one === scope)) ?? 'product';
}

/** What was last done to the record, as the scopes of webhooks call it. */
function lastAction(record: FoundRecord | null): string {
  if (record === null) return 'updated';
  if (record.deleted && record.kind === 'product') return 'deleted';
  return record.updatedAt > record.createdAt ? 'updated' : 'created';
}

type Entry = { at: number } & ({ delivery: Delivery; text?: never } | { delivery?: never; text: string });

/** Events and saves, newest first. Of the saves only the first and the last are known. */
function entriesOf(record: FoundRecord | null, deliveries: Delivery[]): Entry[] {
  const events = deliveries.map((delivery): Entry => ({ at: delivery.createdAt, delivery }));
  if (!record) return events;
  const saves: Entry[] = [{ at: record.createdAt, text: `The ${record.kind} was created.` }];
  if (record.updatedAt > record.createdAt)
    saves.unshift({ at: record.updatedAt, text: `The ${record.kind} was last changed.` });
  return [...events, ...saves].toSorted((one, other) => other.at - one.at);
}
