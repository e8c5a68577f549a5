import { useState } from 'preact/hooks';
import { AppChoice } from '../choices.tsx';
import { DELIVERIES } from '../documents.ts';
import { DeliveryEntry, type Delivery } from './delivery-entry.tsx';
import { Explanations } from './explanations.tsx';
import type { FoundRecord } from './found-record.ts';
import { Pager, usePage } from '../lists.tsx';
import { CopyBar, Progress, ReloadButton, Time } from '../parts.tsx';
import { useQuery, useRefresh } from '../use-query.ts';

export type RegisteredWebhook = {
  id: string;
  authorizedAppId: string;
  scope: string;
  endpoint: string;
  status: string;
  pausedAt: number | null;
};

type Data = { listWebhookDelivery: { hasNext: boolean; data: Delivery[] }; listWebhook: RegisteredWebhook[] };
/** `record` is null if the record was removed and only its deliveries are left. */
type Props = { recordId: string; record: FoundRecord | null; highlighted: string | null };

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
export function Timeline({ recordId, record, highlighted }: Props) {
  const [app, setApp] = useState('');
  const [page, setPage] = usePage(`${recordId} ${app}`);
  const call = { query: DELIVERIES, variables: { recordId, page, ...(app !== '' && { app }) } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const isPending = data?.listWebhookDelivery.data.some(({ status }) => status === 'PENDING') ?? false;
  useRefresh(isPending, reload);
  if (!data) return <Progress {...progress} />;
  const { data: deliveries, hasNext } = data.listWebhookDelivery;
  const scopes = SCOPES[record?.kind ?? kindOf(deliveries[0])];
  return (
    <>
      <AppChoice value={app} onChoose={setApp} />
      <Explanations
        recordId={recordId}
        scopes={scopes}
        initialScope={scopes.find((scope) => scope.endsWith(`/${lastAction(record)}`)) ?? scopes[0]}
        app={app}
        key={JSON.stringify([recordId, deliveries.map(({ status }) => status)])}
      />
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <CopyBar call={call}>
          <ReloadButton reload={reload} />
        </CopyBar>
        {deliveries.length === 0 && <p>No event of this record is recorded for a webhook.</p>}
        <ol class="timeline">
          {entriesOf(page === 1 ? record : null, deliveries).map((entry) =>
            entry.delivery ? (
              <DeliveryEntry
                key={entry.delivery.id}
                delivery={entry.delivery}
                webhook={data.listWebhook.find((hook) => isOf(hook, entry.delivery))}
                isHighlighted={entry.delivery.id === highlighted}
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

/** The search finds no holds, and no records that are gone: then the scope of an event tells the kind. */
function kindOf(delivery: Delivery | undefined): keyof typeof SCOPES {
  const kinds = Object.keys(SCOPES) as (keyof typeof SCOPES)[];
  return kinds.find((kind) => SCOPES[kind].some((scope) => scope === delivery?.scope)) ?? 'product';
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

function isOf(webhook: RegisteredWebhook, { authorizedAppId, scope }: Delivery): boolean {
  return webhook.authorizedAppId === authorizedAppId && webhook.scope === scope;
}
