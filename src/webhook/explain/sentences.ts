import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';

const MAX_QUOTED_LENGTH = 200;

export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** What a receiver answered, or why there was no answer: `answered 401 "signature mismatch"`. */
export function attemptText({ statusCode, error, responseBody }: DeliveryAttempt): string {
  if (statusCode === null) return `failed: ${error}`;
  return `answered ${statusCode}${responseBody ? ` "${quoted(responseBody)}"` : ''}`;
}

/** Quotes a text on one line, so that the message can be shown in a table. */
function quoted(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  const characters = Array.from(line);
  return characters.length > MAX_QUOTED_LENGTH ? `${characters.slice(0, MAX_QUOTED_LENGTH).join('')}…` : line;
}

const CHANGES = {
  created: 'the creation',
  updated: 'an update',
  deleted: 'the deletion',
  restored: 'the restoration',
  erased: 'the erasure',
  held: 'the creation',
  released: 'the end of the hold',
} as const;

/** An action of a change as a noun. */
export function changeText(action: keyof typeof CHANGES): string {
  return CHANGES[action];
}

/** Several names in a sentence: `a, b and c`. */
export function listText(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return others.length === 0 ? (last ?? '') : `${others.toReversed().join(', ')} and ${last}`;
}
