import { type AppScope, isAppScope, scopeIsGranted } from '../../app-scope.ts';
import { MAX_ATTEMPTS } from '../../limits/retry-policy.ts';
import { CLAIM_LAPSE_S } from '../ledger/claim-lapse.ts';
import { FAILURE_REASONS, isUnsigned } from '../ledger/failure-reason.ts';
import type { Explanation } from './explain-change.ts';
import { attemptText, timeText } from './sentences.ts';
import type { Situation } from './situation.ts';

const CLAIM_LAPSE_MS = CLAIM_LAPSE_S * 1_000;

type Delivery = NonNullable<Situation['delivery']>;

/** Explains the state of a delivery. `readScope` is the scope that its app needs. */
export function explainDelivery(situation: Situation, delivery: Delivery, readScope: AppScope): Explanation {
  if (delivery.state === 'DELIVERED') return explainDelivered(delivery);
  if (delivery.state === 'FAILED') return explainFailed(situation, delivery, readScope);
  if (situation.app.isRevoked) return revokedApp(delivery);
  if (situation.hook?.id !== delivery.webhookId) return deletedWebhook(situation, delivery);
  if (!mayRead(situation, readScope)) return unreadable(delivery, readScope);
  const isBegun = delivery.attempts > 0 || delivery.claimedAt !== null;
  if (situation.hook.status === 'PAUSED' && !isBegun) return explainPaused(situation.hook, delivery);
  return explainWaiting(situation, delivery);
}

function mayRead({ app }: Situation, readScope: AppScope): boolean {
  return scopeIsGranted(new Set(app.scopes.filter(isAppScope)), readScope);
}

function explainDelivered({ lastAttempt, createdAt }: Delivery): Explanation {
  const deliveredAt = lastAttempt === null ? createdAt : lastAttempt.at + (lastAttempt.durationMs ?? 0);
  const answer = lastAttempt === null ? '' : `: ${attemptText(lastAttempt)}`;
  return { code: 'DELIVERED', message: `Delivered at ${timeText(deliveredAt)}${answer}.`, causedAt: deliveredAt };
}

function explainFailed(situation: Situation, delivery: Delivery, readScope: AppScope): Explanation {
  const { attempts, lastAttempt } = delivery;
  const lastError = lastAttempt?.error ?? null;
  if (lastError === FAILURE_REASONS.webhookDeleted) return deletedWebhook(situation, delivery);
  if (lastError === FAILURE_REASONS.appRevoked) return revokedApp(delivery);
  const isUnreadable = lastError === FAILURE_REASONS.scopeMissing;
  if (isUnreadable && !mayRead(situation, readScope)) return unreadable(delivery, readScope);
  if (lastAttempt === null) return { code: 'GIVEN_UP', message: 'Given up.', causedAt: null };
  const causedAt = lastAttempt.at;
  if (lastError === FAILURE_REASONS.quotaExceeded)
    return {
      code: 'GIVEN_UP',
      message: `Given up at ${timeText(causedAt)} without a request, because too many bytes waited for paused webhooks.`,
      causedAt,
    };
  if (isUnreadable)
    return {
      code: 'GIVEN_UP',
      message: `Given up at ${timeText(causedAt)}, because the app did not have the scope ${readScope} then. It has the scope now: send the event again with redeliverWebhook.`,
      causedAt,
    };
  const message = `Given up after ${attempts} attempts. The last one, at ${timeText(causedAt)}, ${attemptText(lastAttempt)}.`;
  return { code: 'GIVEN_UP', message, causedAt };
}

/** The time of the deletion is known if it is in the merchant's history. */
function deletedWebhook({ deletedAt }: Situation, { createdAt }: Delivery): Explanation {
  const at = deletedAt === null ? '' : ` at ${timeText(deletedAt)},`;
  const message = `The webhook was deleted${at} before the event of ${timeText(createdAt)} was delivered.`;
  return { code: 'WEBHOOK_DELETED', message, causedAt: deletedAt ?? createdAt };
}

function revokedApp({ createdAt }: Delivery): Explanation {
  const message = `The app is revoked, so the event of ${timeText(createdAt)} is not sent.`;
  return { code: 'APP_REVOKED', message, causedAt: createdAt };
}

function unreadable({ createdAt }: Delivery, readScope: AppScope): Explanation {
  const message = `The app has the scope ${readScope} no longer, so the event of ${timeText(createdAt)} is not sent.`;
  return { code: 'APP_MAY_NOT_READ', message, causedAt: createdAt };
}

function explainPaused(hook: NonNullable<Situation['hook']>, { createdAt }: Delivery): Explanation {
  const since = hook.pausedAt === null ? '' : ` since ${timeText(hook.pausedAt)}`;
  const message = `The webhook is paused${since}, after ${hook.failedInARow} failed deliveries in a row. The event of ${timeText(createdAt)} waits until the webhook is resumed.`;
  return { code: 'PAUSED', message, causedAt: hook.pausedAt };
}

function explainWaiting({ nowMs }: Situation, delivery: Delivery): Explanation {
  const { attempts, claimedAt } = delivery;
  if (claimedAt !== null && claimedAt + CLAIM_LAPSE_MS > nowMs) {
    const attempt = attempts === 0 ? 'A request to the former endpoint' : `Attempt ${attempts} of ${MAX_ATTEMPTS}`;
    const message = `${attempt} is under way since ${timeText(claimedAt)}.`;
    return { code: 'WAITING', message, causedAt: claimedAt };
  }
  const dueAt = claimedAt === null ? (delivery.nextAttemptAt ?? delivery.createdAt) : claimedAt + CLAIM_LAPSE_MS;
  const due =
    dueAt > nowMs ? `is due at ${timeText(dueAt)}` : `has been due since ${timeText(dueAt)} and waits for the worker`;
  const next =
    attempts < MAX_ATTEMPTS ? `Attempt ${attempts + 1} of ${MAX_ATTEMPTS}` : 'Marking the delivery as failed';
  return { code: 'WAITING', message: `${next} ${due}.${lastText(delivery)}`, causedAt: dueAt };
}

/** The last attempt; empty before the first. One that is still claimed was interrupted. */
function lastText({ attempts, claimedAt, lastAttempt }: Delivery): string {
  if (lastAttempt !== null && isUnsigned({ log: lastAttempt }))
    return ' It could not be signed before: the client secret of the app does not open with the key of the service.';
  if (attempts === 0) return '';
  if (claimedAt !== null) return ' The last attempt was interrupted.';
  return lastAttempt === null ? '' : ` The last one ${attemptText(lastAttempt)}.`;
}
