import type { Context } from '../context.ts';
import { isId } from '../db/sql/id.ts';
import { notFound } from '../errors.ts';
import type { QueryExplainWebhookArgs, WebhookExplanation } from '../graphql/generated/types.ts';
import { checkAppsReadable } from './app-visibility.ts';
import {
  changedAt,
  type Explanation,
  explainLeftOut,
  explainMissing,
  isLeftOut,
  laterChangeText,
} from './explain/explain-change.ts';
import { explainDelivery } from './explain/explain-delivery.ts';
import { type Question, readSituation, type Situation } from './explain/situation.ts';
import { checkReadable, parseWebhookScopes, readScopeOf } from './webhook-scope.ts';

const RECORD_TYPES: Record<string, string> = {
  customer: 'Customer',
  product: 'Product',
  stock: 'ProductStockLocation',
};

export async function explainWebhook(
  ctx: Context,
  args: Omit<QueryExplainWebhookArgs, 'authorizedAppId'> & { authorizedAppId?: string | null },
): Promise<WebhookExplanation> {
  const [scope] = parseWebhookScopes([args.scope], ['scope']);
  checkReadable(ctx, [scope!]);
  const { recordId } = args;
  const authorizedAppId = args.authorizedAppId ?? ctx.session.authorizedAppId;
  checkAppsReadable(ctx, [authorizedAppId]);
  const unknownRecord = () => notFound(RECORD_TYPES[scope!.split('/')[1]!]!, [recordId], ['recordId']);
  if (!isId(authorizedAppId)) throw notFound('AuthorizedApp', [authorizedAppId], ['authorizedAppId']);
  if (!isId(recordId)) throw unknownRecord();
  const question = { scope: scope!, authorizedAppId, recordId };
  const situation = await readSituation(ctx, question);
  if (!situation) throw notFound('AuthorizedApp', [authorizedAppId], ['authorizedAppId']);
  const { record, change, delivery, hook } = situation;
  if (!record && !change && !delivery) throw unknownRecord();
  return { ...explain(situation, question), deliveryId: delivery?.id ?? null, webhookId: hook?.id ?? null };
}

function explain(situation: Situation, { scope }: Question): Explanation {
  const { hook, delivery, change } = situation;
  const readScope = readScopeOf(scope);
  const delivered = delivery && explainDelivery(situation, delivery, readScope);
  if (delivery?.state === 'PENDING' && delivered) return delivered;
  if (!hook) return delivered?.code === 'WEBHOOK_DELETED' ? delivered : notRegistered(scope, delivered);
  if (isLeftOut(situation, scope)) return withEarlier(explainLeftOut(changedAt(change!)), delivered);
  if (!delivery || !delivered) return explainMissing(situation, hook, scope);
  if (delivery.webhookId !== hook.id) return withEarlier(explainMissing(situation, hook, scope), delivered);
  return { ...delivered, message: delivered.message + laterChangeText(situation) };
}

function notRegistered(scope: string, earlier: Explanation | null): Explanation {
  const message = `The app has no webhook for ${scope}, so nothing is sent.`;
  return withEarlier({ code: 'NOT_REGISTERED', message, causedAt: null }, earlier);
}

/** Adds the explanation of the event before the last one, if there is one. */
function withEarlier(explanation: Explanation, earlier: Explanation | null): Explanation {
  return earlier
    ? { ...explanation, message: `${explanation.message} The last event before: ${earlier.message}` }
    : explanation;
}
