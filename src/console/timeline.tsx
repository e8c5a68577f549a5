import { DELIVERIES } from './documents.ts';
import { DeliveryEntry, type Delivery } from './delivery-entry.tsx';
import { Explanations } from './explanations.tsx';
import type { RecordKind } from './found-record.ts';
import { CopyBar, Progress } from './parts.tsx';
import { useQuery } from './use-query.ts';

export type RegisteredWebhook = {
  id: string;
  authorizedAppId: string;
  scope: string;
  endpoint: string;
  status: string;
  pausedAt: number | null;
};

type Data = { listWebhookDelivery: { hasNext: boolean; data: Delivery[] }; listWebhook: RegisteredWebhook[] };
type Props = { recordId: string; kind: RecordKind | null; highlighted: string | null };

/** The events of a record, newest first, each with its requests and the answers. */
export function Timeline({ recordId, kind, highlighted }: Props) {
  const call = { query: DELIVERIES, variables: { recordId } };
  const { data, reload, ...progress } = useQuery<Data>(call);
  if (!data) return <Progress {...progress} data={data} />;
  const { data: deliveries, hasNext } = data.listWebhookDelivery;
  // Without a record, the kind is that of its events.
  const kindOf = kind ?? deliveries[0]?.scope.split('/')[1];
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
          <button type="button" onClick={reload}>
            Reload
          </button>
        </CopyBar>
        {deliveries.length === 0 && <p>No event of this record is recorded for a webhook.</p>}
        <ol class="timeline">
          {deliveries.map((delivery) => (
            <DeliveryEntry
              key={delivery.id}
              delivery={delivery}
              webhook={webhooks.find((hook) => isOf(hook, delivery))}
              isHighlighted={delivery.id === highlighted}
              onChange={reload}
            />
          ))}
        </ol>
        {hasNext && <p class="muted">Older events are left out.</p>}
      </section>
    </>
  );
}

function isOf(webhook: RegisteredWebhook, { authorizedAppId, scope }: Delivery): boolean {
  return webhook.authorizedAppId === authorizedAppId && webhook.scope === scope;
}
