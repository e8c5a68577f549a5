import type { Answer } from '../../support/post.ts';
import type { Outcome } from './history.ts';
import type { Send } from '../play.ts';

/** What the clients change. Few records, so that they meet. */
export type Shop = {
  products: { id: string; variantIds: string[] }[];
  customerIds: string[];
  priceListId: string;
  channelId: string;
  locationId: string;
  /** Where counts are only adjusted and sold. */
  movedLocationId: string;
};
/**
 * `foreign` sends as the app of another merchant. `sql` changes a product's vendor as docs/running.md says; false if it
 * is not known whether it was done.
 */
export type Access = { send: Send; foreign: Send; sql(productId: string, vendorId: string): Promise<boolean> };

/** What a client is told that has no answer. */
export const NO_ANSWER: Answer['body'] = { errors: [{ message: 'no answer', extensions: { code: 'NO_ANSWER' } }] };
/** Codes of errors after which the write may have happened. */
const UNKNOWN: readonly unknown[] = ['NO_ANSWER', 'SERVICE_UNAVAILABLE', 'TIMEOUT'];

export function codeOf({ errors }: Answer['body']): string | null {
  return errors ? String(errors[0]!.extensions['code']) : null;
}

export function isUnknown(body: Answer['body']): boolean {
  return UNKNOWN.includes(codeOf(body));
}

export function outcomeOf(body: Answer['body']): Outcome {
  return isUnknown(body) ? 'unknown' : codeOf(body) === null ? 'done' : 'none';
}
