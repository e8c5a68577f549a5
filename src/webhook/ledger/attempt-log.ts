import { type SQL, sql } from 'drizzle-orm';
import { webhookDelivery } from '../../../drizzle/webhook.ts';
import { FAILURE_REASONS } from './failure-reason.ts';

/** The latest attempts of a delivery that is redelivered often: ten times three. */
const MAX_LOGGED_ATTEMPTS = 30;

/** The log with one more entry at its end; the first entry is dropped when the log is full. */
export function logWith(attempt: SQL, before: SQL = sql`${webhookDelivery.attemptLog}`): SQL {
  const log = sql`(${before})::jsonb`;
  return sql`(case when jsonb_array_length(${log}) < ${sql.raw(String(MAX_LOGGED_ATTEMPTS))} then ${log}
    else ${log} - 0 end || ${attempt})::json`;
}

/** The attempt log, with an entry for the claimed attempt whose outcome was never written, if there is one. */
export const logWithInterrupted = sql`
  case when ${webhookDelivery.claimedAt} is null then ${webhookDelivery.attemptLog}
    else ${logWith(logEntry(sql`${webhookDelivery.claimedAt}`, FAILURE_REASONS.interrupted))} end`;

/** The log with the reason why no request is made. The statement must have `moment` in FROM. */
export function logWithReason(reason: string): SQL {
  return logWith(logEntry(sql`moment.at`, reason), logWithInterrupted);
}

/** An attempt without a response. Immutable functions only, which a cluster accepts in SET. */
function logEntry(at: SQL, error: string): SQL {
  const members = JSON.stringify({ statusCode: null, error, durationMs: null });
  const ms = sql`(extract(epoch from ${at} at time zone 'UTC') * 1000)::bigint::text`;
  return sql`(('{"at":' || ${ms} || '}')::jsonb || ${members}::jsonb)`;
}
