import type { WebhookExplanation } from '../../graphql/generated/types.ts';
import type { WebhookScope } from '../../../drizzle/webhook.ts';
import { recordKindOf } from '../ledger/record-kinds.ts';
import { changeText, timeText } from './sentences.ts';
import type { Situation } from './situation.ts';

export type Explanation = { code: WebhookExplanation['code']; message: string; causedAt: number | null };

type Hook = NonNullable<Situation['hook']>;
type Change = NonNullable<Situation['change']>;

/** Two times that differ by no more count as equal: PostgreSQL and Node round to milliseconds in different ways. */
const ROUNDING_MS = 1;
/** Actions that a record need not have seen yet. */
const HAPPENS_LATER: ReadonlySet<string> = new Set(['updated', 'erased', 'released']);
const NO_EVENT = 'A save that changes nothing sends no event.';

/**
 * The time of a change in milliseconds. The id of its delivery was made then, and a UUID of version 7 begins with it.
 */
export function changedAt({ deliveryId }: Pick<Change, 'deliveryId'>): number {
  return Number.parseInt(deliveryId.replace('-', '').slice(0, 12), 16);
}

/** The last change is one of this kind, and was sent to no webhook although there was one. */
export function isLeftOut({ hook, change, delivery }: Situation, scope: WebhookScope): boolean {
  if (!hook || !change || change.isCounted || actionOf(change) !== scopeAction(scope)) return false;
  const isLater = !delivery || changedAt(change) > changedAt({ deliveryId: delivery.id });
  return isLater && isSince(hook, changedAt(change));
}

export function explainLeftOut(atMs: number): Explanation {
  const message = `At its change, at ${timeText(atMs)}, the record was in none of the webhook's sales channels.`;
  return { code: 'OTHER_SALES_CHANNELS', message, causedAt: atMs };
}

/** Explains why no change of this kind has a delivery of the webhook. */
export function explainMissing(situation: Situation, hook: Hook, scope: WebhookScope): Explanation {
  const { record, change } = situation;
  const action = scopeAction(scope);
  const lastAt = lastChangedAt(situation);
  const isCreation = action === 'created' || action === 'held';
  const sentAt = isCreation && record ? record.createdAt : lastAt;
  if (!isSince(hook, sentAt)) return registeredLater(hook, sentAt, isCreation);
  if (isCreation && record && mayBeLeftOut(situation, hook, scope)) return explainLeftOut(record.createdAt);
  const noted = change && isSince(hook, changedAt(change)) ? change : null;
  const isOfKind = noted !== null && actionOf(noted) === action;
  if (!isOfKind && (HAPPENS_LATER.has(action) || (action === 'deleted' && record && !record.deleted)))
    return unchanged(noted, hook);
  const message = `A change of this kind was recorded, the last at ${timeText(lastAt)}, but its delivery is not kept any more.`;
  return { code: 'REMOVED', message, causedAt: lastAt };
}

/**
 * Whether the creation may have been outside the webhook's sales channels. It was inside if its event was counted, which
 * is known of the last change only. Customers have no sales channels.
 */
function mayBeLeftOut({ change }: Situation, hook: Hook, scope: WebhookScope): boolean {
  const isSent = change !== null && change.isCounted && actionOf(change) === scopeAction(scope);
  return hook.hasChannels && recordKindOf(scope) !== 'customer' && !isSent;
}

/**
 * When the record has last changed, as far as is known: the trigger's note, the record's `updatedAt`, or its event. Of a
 * removed hold only the event is left.
 */
function lastChangedAt({ record, change, delivery }: Situation): number {
  return Math.max(change ? changedAt(change) : 0, record?.updatedAt ?? 0, delivery?.createdAt ?? 0);
}

function registeredLater(hook: Hook, lastAt: number, isCreation: boolean): Explanation {
  const [before, end] = isCreation
    ? ['the record was created', 'Its creation is not sent.']
    : ["the record's last recorded change", `Changes before are not sent. ${NO_EVENT}`];
  const message = `The webhook was registered at ${timeText(hook.createdAt)}, after ${before} at ${timeText(lastAt)}. ${end}`;
  return { code: 'REGISTERED_LATER', message, causedAt: hook.createdAt };
}

function unchanged(change: Change | null, hook: Hook): Explanation {
  const causedAt = change ? changedAt(change) : hook.createdAt;
  const fact = change
    ? `The last recorded change, at ${timeText(causedAt)}, was ${changeText(change.action)}.`
    : `No change has been recorded since the webhook was registered, at ${timeText(causedAt)}.`;
  return { code: 'UNCHANGED', message: `${fact} ${NO_EVENT}`, causedAt };
}

/** A sentence on whether the record changed after its last delivery; empty without a delivery or a change. */
export function laterChangeText({ change, delivery }: Situation): string {
  if (!change || !delivery) return '';
  if (change.deliveryId === delivery.id) return ` No later change is recorded. ${NO_EVENT}`;
  return ` A later change, at ${timeText(changedAt(change))}, was ${changeText(change.action)}.`;
}

function isSince(hook: Hook, atMs: number): boolean {
  return atMs + ROUNDING_MS >= hook.createdAt;
}

function scopeAction(scope: WebhookScope): string {
  return scope.split('/')[2]!;
}

/** A restored record is sent as an update. */
function actionOf({ action }: Change): string {
  return action === 'restored' ? 'updated' : action;
}
