import { categoryMembershipWakeUp } from '../../../drizzle/category-membership.ts';
import { productSearchWakeUp } from '../../../drizzle/product-search.ts';
import { webhookWakeUp } from '../../../drizzle/webhook.ts';
import { MEMBERSHIP_CHANNEL } from '../../product/membership/update-memberships.ts';
import { SEARCH_CHANNEL } from '../../product/search/search-documents.ts';

export const PUSH_CHANNEL = 'webhook_delivery';

/** Reads the sequences that store when the worker was last notified, with their channels. */
export const LAST_TIMES = `select channel as "channel", time as "time" from (values
  ('${SEARCH_CHANNEL}', pg_sequence_last_value('${productSearchWakeUp.seqName!}'::regclass)::text),
  ('${MEMBERSHIP_CHANNEL}', pg_sequence_last_value('${categoryMembershipWakeUp.seqName!}'::regclass)::text),
  ('${PUSH_CHANNEL}', pg_sequence_last_value('${webhookWakeUp.seqName!}'::regclass)::text)) as last(channel, time)`;

type LastTime = { readonly channel: string; readonly time: string | null };

/**
 * Wakes tasks whose notifications may never have been sent. A writer stores the time in a sequence at once, and PostgreSQL
 * sends the notification at the commit, so a transaction that fails keeps others from notifying: requests of one app that
 * fail ten times a second would do so for all merchants. If the receiver of a notification stored the time instead, all
 * writers would notify while the worker is away, and their commits wait for each other.
 */
export class NotificationWatch {
  readonly #wake: (channel: string) => void;
  #known: ReadonlyMap<string, string | null> | undefined;

  constructor(wake: (channel: string) => void) {
    this.#wake = wake;
  }

  /**
   * Calls `wake` for each channel with another time than at the last call. It may have been notified since, but the time for
   * which it polls after that may be over before the next call.
   */
  read(rows: unknown): void {
    const times = new Map((rows as LastTime[]).map(({ channel, time }) => [channel, time]));
    const known = this.#known;
    this.#known = times;
    for (const [channel, time] of times) if (known && known.get(channel) !== time) this.#wake(channel);
  }
}
