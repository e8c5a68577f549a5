import { sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/merchant.ts';
import { type WebhookScope, webhookScopes } from '../../drizzle/webhook.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { firstIdOf, isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import { argumentInvalid, CommerceError, conflict, invalidAt } from '../errors.ts';
import type { QueryListWebhookEventArgs, WebhookEvent, WebhookEventPage } from '../graphql/generated/types.ts';
import { type EventData, readEventData } from './event/event-data.ts';
import { readRecordedEvents, type RecordedEvent } from './event/recorded-events.ts';
import { unsignedEnvelope } from './sending/envelope.ts';
import { checkReadable, parseWebhookScopes } from './webhook-scope.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_SCOPES = 100;
/** A page ends after this many bytes. Records can have megabytes, so they are read a few at a time. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const READ_AT_ONCE = 10;
/** Limits how many changes one request must search, for example after the import of a catalogue. */
const MAX_AGE_MS = 60 * 60_000;
/** Nothing records when a hold ended. */
const UNLISTED: readonly WebhookScope[] = ['store/stock/released'];
export const listedWebhookScopes = webhookScopes.filter((scope) => !UNLISTED.includes(scope));

export async function listWebhookEvent(ctx: Context, args: QueryListWebhookEventArgs): Promise<WebhookEventPage> {
  const scopes = parseScopes(args.scopes);
  checkReadable(ctx, scopes);
  const { afterId, limit } = checkedArguments(args);
  await checkHistory(ctx);
  // One more event shows whether there is a next page.
  const found = await readRecordedEvents(ctx, { scopes, afterId, limit: limit + 1 });
  const { data, readCount } = await withData(ctx, found.slice(0, limit));
  return { data, hasNext: found.length > readCount, endCursor: found[readCount - 1]?.id ?? null };
}

/** The events with their data, until they have `MAX_PAGE_BYTES`. Events of removed records are left out. */
async function withData(
  ctx: Context,
  recorded: readonly RecordedEvent[],
): Promise<{ data: WebhookEvent[]; readCount: number }> {
  const data: WebhookEvent[] = [];
  let readCount = 0;
  for (let bytes = 0; readCount < recorded.length && bytes < MAX_PAGE_BYTES;) {
    const some = recorded.slice(readCount, readCount + READ_AT_ONCE);
    const datas = await readEventData(ctx, some);
    const events = some.flatMap((event, index) => (datas[index] ? [toEvent(ctx, event, datas[index])] : []));
    data.push(...events);
    bytes += events.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    readCount += some.length;
  }
  return { data, readCount };
}

function parseScopes(given: readonly string[]): WebhookScope[] {
  if (given.length === 0 || given.length > MAX_SCOPES)
    throw invalidAt(['scopes'], `must have 1 to ${MAX_SCOPES} entries`);
  const scopes = parseWebhookScopes(given, ['scopes']);
  const unlisted = scopes.filter((scope) => UNLISTED.includes(scope));
  if (unlisted.length === 0) return scopes;
  const message = `Events of ${unlisted.join(', ')} are not listed. Allowed are: ${listedWebhookScopes.join(', ')}`;
  throw new CommerceError('INVALID_SCOPE', message, {
    path: ['scopes'],
    scopes: unlisted,
    allowed: listedWebhookScopes,
  });
}

function checkedArguments({ from, after, limit }: QueryListWebhookEventArgs) {
  const size = limit ?? DEFAULT_LIMIT;
  const issues = [
    ...(Date.now() - from > MAX_AGE_MS ? [{ path: ['from'], message: 'must be at most an hour ago' }] : []),
    ...(after != null && !isId(after) ? [{ path: ['after'], message: 'must be an endCursor of this list' }] : []),
    ...(size < 1 || size > MAX_LIMIT ? [{ path: ['limit'], message: `must be from 1 to ${MAX_LIMIT}` }] : []),
  ];
  if (issues.length > 0) throw argumentInvalid(issues);
  // No event has the first id itself, which is not of version 7.
  const first = firstIdOf(from);
  return { afterId: after != null && after > first ? after : first, limit: size };
}

async function checkHistory(ctx: Context): Promise<void> {
  const [own] = await readRows(
    ctx,
    { isKept: column.boolean, isOnCluster: column.boolean },
    sql`
    select ${merchant.historySince} is not null as "isKept", has_citus() as "isOnCluster"
    from ${merchant} where ${ownedBy(ctx, merchant)}`,
  );
  // The functions that make the data of events take rows of tables, which a cluster cannot hand to them from a query.
  if (own?.isOnCluster) throw conflict('Events are not listed on a cluster. Register a webhook.');
  if (!own?.isKept) throw conflict('The merchant has no history, from which the events are made.');
}

function toEvent(
  { merchantId, session: { authorizedAppId } }: Context,
  { id, scope, recordId, sequence, createdAtMs, details }: RecordedEvent,
  { data, truncated }: EventData,
): WebhookEvent {
  const createdAt = new Date(createdAtMs);
  const ids = { id, merchantId, authorizedAppId };
  const body = unsignedEnvelope({ ...ids, createdAt, scope, sequence, data, details, truncated });
  return { id, scope, recordId, createdAt: createdAt.getTime(), body: JSON.stringify(body) };
}
