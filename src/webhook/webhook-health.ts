import { type SQL, sql } from 'drizzle-orm';
import { webhookAttemptCount } from '../../drizzle/webhook-attempt-count.ts';
import { type webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import { aliased, type SqlScope } from '../db/read/projection.ts';
import { ownedBy } from '../db/sql/parameter.ts';

/** Requests are counted by the hour, and the hour in which the last 24 hours began counts as a whole. */
const COUNTED_HOURS = 25;
const PERCENTILE = 0.95;

/**
 * The health of a webhook as JSON. Reads the counts of its requests, at most some thousand rows, and the first entry of
 * the index on its pending deliveries.
 */
export function webhookHealth(scope: SqlScope, hook: typeof webhook): SQL {
  const { row, from } = aliased(scope, webhookAttemptCount);
  const counted = sql`
    select ${row.delivered} as delivered, ${row.durationClass} as duration_class, ${row.count} as count,
      ${row.maxDurationMs} as max_duration_ms, ${row.lastAt} as last_at,
      sum(${row.count}) over (order by ${row.durationClass}) >= ${sql.raw(String(PERCENTILE))} * sum(${row.count}) over () as is_percentile
    from ${from} where ${ofLastDay(scope, row, hook)}`;
  return sql`(
    select json_build_object(
      'requestCount', coalesce(sum(counted.count), 0),
      'successRate', round(coalesce(sum(counted.count) filter (where counted.delivered), 0)::numeric / sum(counted.count), 4),
      'durationP95Ms', (array_agg(counted.max_duration_ms order by counted.duration_class, counted.max_duration_ms desc)
        filter (where counted.is_percentile))[1],
      'lastSuccessAt', ${ms(sql`max(counted.last_at) filter (where counted.delivered)`)},
      'lastFailureAt', ${ms(sql`max(counted.last_at) filter (where not counted.delivered)`)},
      'oldestPendingAt', ${oldestPending(scope, hook)}${hours(scope, hook)})
    from (${counted}) as counted)`;
}

/** The JSON member `hours` with its comma; empty if the field is not selected. */
function hours(scope: SqlScope, hook: typeof webhook): SQL {
  if (!Object.hasOwn(scope.selection, 'hours')) return sql``;
  const { row, from } = aliased(scope, webhookAttemptCount);
  return sql`, 'hours', (
    select coalesce(json_agg(json_build_object('at', ${ms(sql`hour`)}, 'deliveredCount', delivered, 'failedCount', failed)
      order by hour), '[]')
    from (
      select ${row.hour} as hour, coalesce(sum(${row.count}) filter (where ${row.delivered}), 0) as delivered,
        coalesce(sum(${row.count}) filter (where not ${row.delivered}), 0) as failed
      from ${from} where ${ofLastDay(scope, row, hook)} group by ${row.hour}
    ) as counted_hour)`;
}

function ofLastDay(scope: SqlScope, row: typeof webhookAttemptCount, hook: typeof webhook): SQL {
  return sql`${ownedBy(scope.tenant, row)} and ${row.webhookId} = ${hook.id}
      and ${row.hour} > now() - make_interval(hours => ${sql.raw(String(COUNTED_HOURS))})`;
}

/** The pending delivery with the lowest id is the oldest, because ids are generated in the order of creation. */
function oldestPending(scope: SqlScope, hook: typeof webhook): SQL {
  const { row, from } = aliased(scope, webhookDelivery);
  return sql`(
    select ${ms(sql`${row.createdAt}`)} from ${from}
    where ${ownedBy(scope.tenant, row)} and ${row.webhookId} = ${hook.id} and ${row.state} = 'PENDING'
    order by ${row.id} limit 1)`;
}

function ms(instant: SQL): SQL {
  return sql`(extract(epoch from ${instant}) * 1000)::bigint`;
}
