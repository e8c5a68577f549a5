import type { WebhookExplanation } from '../graphql/generated/types.ts';
import { readScopeOf } from './ledger/record-kinds.ts';
import {
  changedAt,
  type Explanation,
  explainLeftOut,
  explainMissing,
  isLeftOut,
  laterChangeText,
} from './explain/explain-change.ts';
import { explainDelivery } from './explain/explain-delivery.ts';
import { listText, timeText } from './explain/sentences.ts';
import type { Question, Situation } from './explain/situation.ts';

export function explainSituation(situation: Situation, question: Question): WebhookExplanation {
  const { app, hook, delivery } = situation;
  return {
    ...explain(situation, question),
    deliveryId: delivery?.id ?? null,
    webhookId: hook?.id ?? null,
    webhookStatus: hook?.status ?? null,
    endpoint: hook?.endpoint ?? null,
    authorizedAppId: app.id,
    appName: app.name,
  };
}

function explain(situation: Situation, { scope }: Question): Explanation {
  const { hook, delivery, change } = situation;
  const readScope = readScopeOf(scope);
  const delivered = delivery && explainDelivery(situation, delivery, readScope);
  if (delivery?.state === 'PENDING' && delivered) return delivered;
  if (!hook) return explainUnregistered(situation, scope, delivered);
  if (isLeftOut(situation, scope)) return withEarlier(explainLeftOut(changedAt(change!)), delivered);
  if (!delivery || !delivered) return explainMissing(situation, hook, scope);
  if (delivery.webhookId !== hook.id) return withEarlier(explainMissing(situation, hook, scope), delivered);
  return { ...delivered, message: delivered.message + laterChangeText(situation) };
}

function explainUnregistered(situation: Situation, scope: string, delivered: Explanation | null): Explanation {
  if (delivered?.code === 'WEBHOOK_DELETED' || delivered?.code === 'APP_REVOKED') return delivered;
  return withEarlier(situation.app.isRevoked ? appRevoked(situation) : notRegistered(situation, scope), delivered);
}

/** A revocation deletes the app's webhooks. */
function appRevoked({ deletedAt }: Situation): Explanation {
  return { code: 'APP_REVOKED', message: 'The app is revoked, so nothing is sent.', causedAt: deletedAt };
}

function notRegistered({ deletedAt, otherScopes }: Situation, scope: string): Explanation {
  const fact =
    deletedAt === null
      ? `The app has no webhook for ${scope}, so nothing is sent.`
      : `The app's webhook for ${scope} was deleted at ${timeText(deletedAt)}, so nothing is sent.`;
  const others = otherScopes.length === 0 ? '' : ` It is registered for ${listText(otherScopes.toSorted())}.`;
  return { code: 'NOT_REGISTERED', message: fact + others, causedAt: deletedAt };
}

/** Adds the explanation of the event before the last one, if there is one. */
function withEarlier(explanation: Explanation, earlier: Explanation | null): Explanation {
  return earlier
    ? { ...explanation, message: `${explanation.message} The last event before: ${earlier.message}` }
    : explanation;
}
