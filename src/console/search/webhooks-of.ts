import { WEBHOOKS_OF } from '../documents.ts';
import { type Query, useQuery } from '../use-query.ts';

export type DeliveryWebhook = { id: string; authorizedAppId: string; scope: string; status: string };

type Addressed = { authorizedAppId: string; scope: string };
type Data = { listWebhook: DeliveryWebhook[] };
type Webhooks = Pick<Query<Data>, 'error' | 'reload'> & {
  /** Null if the webhook is deleted, undefined while that is not known. */
  webhookOf: (delivery: Addressed) => DeliveryWebhook | null | undefined;
};

/**
 * The webhooks of deliveries of one record. One page has them all: there are at most 51 deliveries, and a record has
 * events of at most three scopes.
 */
export function useWebhooksOf(deliveries: readonly Addressed[]): Webhooks {
  const apps = distinct(deliveries.map(({ authorizedAppId }) => authorizedAppId));
  const scopes = distinct(deliveries.map(({ scope }) => scope));
  const call = apps.length === 0 ? null : { query: WEBHOOKS_OF, variables: { apps, scopes } };
  const { data, isCurrent, error, reload } = useQuery<Data>(call);
  const webhookOf = ({ authorizedAppId, scope }: Addressed) =>
    data?.listWebhook.find((webhook) => webhook.authorizedAppId === authorizedAppId && webhook.scope === scope) ??
    (isCurrent ? null : undefined);
  return { error, reload, webhookOf };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}
