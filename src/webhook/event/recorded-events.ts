import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { change, type ChangeRecordType } from '../../../drizzle/change.ts';
import { customer } from '../../../drizzle/customer.ts';
import { stockHold } from '../../../drizzle/stock-hold.ts';
import { stockMovement } from '../../../drizzle/stock-movement.ts';
import { type DeliveryDetails, type WebhookScope, webhookScopes } from '../../../drizzle/webhook.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { ownedBy, textArray } from '../../db/sql/parameter.ts';
import { RECORD_KINDS, recordKindOf } from '../ledger/record-kinds.ts';

/** `id` and `createdAt` are those of the change, the movement or the hold that caused the event. */
const RECORDED = {
  id: column.text,
  scope: column.oneOf(webhookScopes),
  recordId: column.text,
  sequence: column.number,
  createdAtMs: column.number,
  details: column.nullable(column.json<DeliveryDetails>),
  /** The last change of an erased customer. */
  isErasure: column.boolean,
};

export type RecordedEvent = Row<typeof RECORDED>;

export type Since = {
  readonly scopes: readonly WebhookScope[];
  /** The id with which the list begins, without it. Ids begin with their times. */
  readonly afterId: string;
  readonly limit: number;
};

/** The events of changes, oldest first, from the history, the movements of stock and the holds. */
export async function readRecordedEvents(ctx: MerchantContext, since: Since): Promise<RecordedEvent[]> {
  const parts = [recordChanges(ctx, since), movements(ctx, since), holds(ctx, since)];
  const all = sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  );
  return await readRows(
    ctx,
    RECORDED,
    sql`
    select e.id as "id", e.scope as "scope", e.record_id as "recordId", e.sequence as "sequence",
      (extract(epoch from e.created_at) * 1000)::float8 as "createdAtMs", e.details as "details",
      e.is_erasure as "isErasure"
    from (${all}) e order by e.id limit ${since.limit}`,
  );
}

/**
 * Changes of rows. Movements are changes of their count without a row here, but those of a transaction with another change
 * of the count belong to its event.
 */
function recordChanges(ctx: MerchantContext, { scopes, afterId, limit }: Since): SQL {
  const { id, recordType, recordId, number, kind, createdAt, changeTransactionId, changeSetId } = change;
  const ofTransaction = sql`${stockMovement.changeSetId} = c.change_set_id
        and ${stockMovement.changeTransactionId} = c.change_transaction_id
        and ${stockMovement.productStockLocationId} = c.record_id`;
  return sql`
    select c.id, c.scope, c.record_id, c.number as sequence, c.created_at,
      case when c.scope = 'store/stock/updated' then ${detailsOf(ctx, ofTransaction)} end as details, c.is_erasure
    from (
      select changed.*, ${scopeOf(scopes)} as scope
      from (
        select ${id}, ${recordType}, ${recordId}, ${number}, ${kind}, ${createdAt}, ${changeTransactionId}, ${changeSetId},
          ${isErasure(ctx)} as is_erasure
        from ${change}
        where ${ownedBy(ctx, change)} and ${id} > ${afterId}::uuid and ${recordType} = any(${textArray(typesOf(scopes))})
      ) changed
    ) c where c.scope = any(${textArray(scopes)}) order by c.id limit ${limit}`;
}

/** As the triggers choose it. An app that does not ask for erasures gets them as updates. */
function scopeOf(scopes: readonly WebhookScope[]): SQL {
  const erased = scopes.includes('store/customer/erased') ? 'store/customer/erased' : 'store/customer/updated';
  return sql`case changed.record_type
          when ${type('PRODUCT')} then case changed.kind
            when 'CREATED' then 'store/product/created' when 'DELETED' then 'store/product/deleted'
            else 'store/product/updated' end
          when ${type('CUSTOMER')} then case
            when changed.is_erasure then ${sql.raw(`'${erased}'`)}
            when changed.kind = 'CREATED' then 'store/customer/created' else 'store/customer/updated' end
          else 'store/stock/updated' end`;
}

/** Not `exists` for the customer: a plan may read all erased customers of the merchant for it. */
function isErasure(ctx: MerchantContext): SQL {
  return sql`(${change.recordType} = ${type('CUSTOMER')} and coalesce((
            select ${customer.erasureId} is not null from ${customer}
            where ${ownedBy(ctx, customer)} and ${customer.id} = ${change.recordId}), false)
          and not exists (select from ${change} later where later.merchant_id = ${ctx.merchantId}
            and later.record_id = ${change.recordId} and later.id > ${change.id}))`;
}

/** The last movement of each count in a transaction stands for them all. */
function movements(ctx: MerchantContext, { scopes, afterId, limit }: Since): SQL {
  const { id, productStockLocationId, sequence, changeNumber, createdAt } = stockMovement;
  const { changeSetId, changeTransactionId } = stockMovement;
  const sameTransaction = sql`${changeSetId} = shown.change_set_id
        and ${changeTransactionId} = shown.change_transaction_id
        and ${productStockLocationId} = shown.product_stock_location_id`;
  const isAsked = scopes.some((scope) => scope === 'store/stock/created' || scope === 'store/stock/updated');
  const ofTransaction = (asked: SQL): SQL =>
    sql`from ${stockMovement} where ${ownedBy(ctx, stockMovement)} and ${sameTransaction} and ${asked}`;
  return sql`
    select event.id, event.scope, event.product_stock_location_id, event.change_number, event.created_at,
      case when event.scope = 'store/stock/updated' then event.details end, false
    from (
      select shown.*, ${detailsOf(ctx, sameTransaction)} as details,
        case when exists (select ${ofTransaction(sql`${sequence} = 1`)})
          then 'store/stock/created' else 'store/stock/updated' end as scope
      from (
        select ${id}, ${productStockLocationId}, ${sequence}, ${changeNumber}, ${createdAt}, ${changeSetId},
          ${changeTransactionId}
        from ${stockMovement} where ${ownedBy(ctx, stockMovement)} and ${id} > ${afterId}::uuid
          and ${changeNumber} is not null and ${isAsked}
      ) shown
      where not exists (select ${ofTransaction(sql`${sequence} > shown.sequence`)})
        and not exists (select from ${change} where ${ownedBy(ctx, change)}
          and ${change.recordId} = shown.product_stock_location_id
          and ${change.changeTransactionId} = shown.change_transaction_id)
    ) event where event.scope = any(${textArray(scopes)}) order by event.id limit ${limit}`;
}

/** As `stock_event_details` makes them for the transaction in progress. */
function detailsOf(ctx: MerchantContext, condition: SQL): SQL {
  const { delta, reason, reference } = stockMovement;
  const common = (member: AnyPgColumn): SQL =>
    sql`case when count(${member}) = count(*) and min(${member}) = max(${member}) then min(${member}) end`;
  return sql`(select json_build_object('delta', trim_scale(coalesce(sum(${delta}), 0)),
        'reason', ${common(reason)}, 'reference', ${common(reference)})
      from ${stockMovement} where ${ownedBy(ctx, stockMovement)} and ${condition})`;
}

function holds(ctx: MerchantContext, { scopes, afterId, limit }: Since): SQL {
  const { id, createdAt } = stockHold;
  return sql`
    select ${id}, 'store/stock/held', ${id}, 1, ${createdAt}, null::json, false
    from ${stockHold} where ${ownedBy(ctx, stockHold)} and ${id} > ${afterId}::uuid
      and ${scopes.includes('store/stock/held')}
    order by ${id} limit ${limit}`;
}

function typesOf(scopes: readonly WebhookScope[]): ChangeRecordType[] {
  return [...new Set(scopes.flatMap((scope) => RECORD_KINDS[recordKindOf(scope)].changeType ?? []))];
}

function type(recordType: ChangeRecordType): SQL {
  return sql.raw(`'${recordType}'`);
}
