import { DELIVERIES } from './documents.ts';
import { DeliveryEntry, type Delivery } from './delivery-entry.tsx';
import { Explanations } from './explanations.tsx';
import type { FoundRecord } from './found-record.ts';
import { CopyBar, Progress, ReloadButton, Time } from './parts.tsx';
import { useQuery, useRefresh } from './use-query.ts';

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

/**
 * Shows what happened to a record, newest first: its saves, its events, and the requests and responses of the events.
 */
export function Timeline({ recordId, record, highlighted }: Props) {
  const call = { query: DELIVERIES, variables: { recordId } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  const isPending = data?.listWebhookDelivery.data.some(({ status }) => status === 'PENDING') ?? false;
  useRefresh(isPending, reload);
  if (!data) return <Progress {...progress} data={data} />;
  const { data: deliveries, hasNext } = data.listWebhookDelivery;
  // If the record is gone, the scope of an event tells its kind.
  const kindOf = record?.kind ?? deliveries[0]?.scope.split('/')[1];
  const webhooks = data.listWebhook.filter(({ scope }) => scope.split('/')[1] === kindOf);
  return (
    <>
      <Explanations
        recordId={recordId}
        webhooks={webhooks}
        key={JSON.stringify(deliveries.map(({ status }) => status))}
      />
      <section aria-labelledby="events">
        <h2 id="events">Events</h2>
        <CopyBar call={call}>
          <ReloadButton reload={reload} />
        </CopyBar>
        {deliveries.length === 0 && <p>No event of this record is recorded for a webhook.</p>}
        <ol class="timeline">
          {entriesOf(record, deliveries).map((entry) =>
            entry.delivery ? (
              <DeliveryEntry
                key={entry.delivery.id}
                delivery={entry.delivery}
                webhook={webhooks.find((hook) => isOf(hook, entry.delivery))}
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
        {hasNext && <p class="muted">Older events are left out.</p>}
      </section>
    </>
  );
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
