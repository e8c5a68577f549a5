import { boolean, index, integer, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant, merchantId } from './columns.ts';
import { pgTable } from './table.ts';

/**
 * Requests of a webhook by hour, success and duration, for its health. Classes of durations are those of
 * src/webhook/ledger/attempt-counts.ts. Rows outlive the webhook, and are removed after two days.
 */
export const webhookAttemptCount = pgTable(
  'webhook_attempt_count',
  {
    merchantId: merchantId(),
    webhookId: uuid('webhook_id').notNull(),
    /** Start of the hour, in UTC. */
    hour: instant('hour').notNull(),
    delivered: boolean('delivered').notNull(),
    durationClass: integer('duration_class').notNull(),
    count: integer('count').notNull(),
    /** The longest duration of these requests. */
    maxDurationMs: integer('max_duration_ms').notNull(),
    /** The time at which the last of these requests began. */
    lastAt: instant('last_at').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'webhook_attempt_count_pk',
      columns: [t.merchantId, t.webhookId, t.hour, t.delivered, t.durationClass],
    }),
    // The removal of old counts reads all merchants in order of time.
    index('webhook_attempt_count_age').on(t.hour, t.merchantId),
  ],
);
