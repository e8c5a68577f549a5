import { getTableName, type SQL, sql } from 'drizzle-orm';
import { customer } from '../../../drizzle/customer.ts';
import { ALL_TRUNCATED } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { epochMs } from '../../db/sql/timestamp.ts';
import { RECORD_KINDS, type RecordKind, recordKindOf } from '../ledger/record-kinds.ts';
import type { RecordedEvent } from './recorded-events.ts';

const MAX_DATA_BYTES = 1_048_576;

export type EventData = { readonly data: string; readonly truncated: readonly string[] | null };

/**
 * The data of events as their records are now, in the order of the events. Null for a record that plain SQL has removed
 * from the database: the trigger that pushes the removal of a product makes its data from the removed row.
 */
export async function readEventData(
  ctx: MerchantContext,
  events: readonly RecordedEvent[],
): Promise<(EventData | null)[]> {
  const kinds = [...new Set(events.map(({ scope }) => recordKindOf(scope)))];
  const idsOf = (kind: RecordKind): string[] => [
    ...new Set(events.filter(({ scope }) => recordKindOf(scope) === kind).map(({ recordId }) => recordId)),
  ];
  const found = new Map<RecordKind, Map<string, EventData>>();
  for (const kind of kinds) found.set(kind, await readRecords(ctx, kind, idsOf(kind)));
  const erased = kinds.includes('customer') ? await readErased(ctx, idsOf('customer')) : new Map<string, string>();
  return events.map(({ scope, recordId, isErasure }) => {
    const kind = recordKindOf(scope);
    const data = found.get(kind)!.get(recordId) ?? null;
    const times = kind === 'customer' ? erased.get(recordId) : undefined;
    if (data === null || times === undefined) return data;
    return isErasure ? { data: times, truncated: null } : onlyId(recordId);
  });
}

async function readRecords(
  ctx: MerchantContext,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Map<string, EventData>> {
  const { table } = RECORD_KINDS[kind];
  // The function with which the triggers make the data of events.
  const events = sql.raw(`${getTableName(table)}_events`);
  const rows = await readRows(
    ctx,
    { id: column.text, data: column.text, truncated: column.nullable(column.json<string[]>) },
    sql`
    select e.id as "id", coalesce((s.short).data, e.data) as "data", (s.short).truncated::json as "truncated"
    from ${events}(${ctx.merchantId}::uuid, array(
      select r from ${table} r where r.merchant_id = ${ctx.merchantId} and r.id = any(${idArray(ids)}))) e
    cross join lateral (select ${shortened(sql`e.data`)} as short) s`,
  );
  return new Map(rows.map(({ id, data, truncated }) => [id, { data, truncated }]));
}

function shortened(data: SQL): SQL {
  return sql`case when octet_length(${data}) > ${sql.raw(String(MAX_DATA_BYTES))} then shorten_webhook_payload(${data}) end`;
}

/** The erased ones of customers, each with the data of the event of its erasure. */
async function readErased(ctx: MerchantContext, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await readRows(
    ctx,
    { id: column.text, data: column.text },
    sql`
    select ${customer.id} as "id", (
      select row_to_json(d)::text from (
        select ${customer.id}, ${epochMs(customer.createdAt)}::bigint as "createdAt",
          ${epochMs(customer.updatedAt)}::bigint as "updatedAt", ${customer.deleted}) d) as "data"
    from ${customer}
    where ${ownedBy(ctx, customer)} and ${customer.id} = any(${idArray(ids)}) and ${customer.erasureId} is not null`,
  );
  return new Map(rows.map(({ id, data }) => [id, data]));
}

function onlyId(id: string): EventData {
  return { data: JSON.stringify({ id }), truncated: JSON.parse(ALL_TRUNCATED) as string[] };
}
