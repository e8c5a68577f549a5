import { type SQL, sql } from 'drizzle-orm';
import { change, changePart, changeTransaction } from '../../../drizzle/change.ts';
import { merchant } from '../../../drizzle/merchant.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { isPartOfChange } from '../../change/part-of-change.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { hasComputingRules, isDynamicType } from '../../price-list/dynamic-list.ts';
import { type ListChange, type PriceChange, type PriceHistory } from './lowest-price.ts';

type Side = { prices?: StoredPrice[] | null; isCreated?: boolean } | null;
/**
 * A change of the prices of a variant. Without an id it is of the transaction that reads it; without a variant the values of
 * the change are not kept.
 */
type VariantChange = {
  id: string | null;
  atMs: number;
  variantId: string | null;
  productId: string;
  before: Side;
};

/** The changes of the prices of products, the last one first, and those of price lists. */
export type PriceHistories = {
  readonly sinceMs: number | null;
  /** When the currency of base prices changed; null if it did not. */
  readonly currencySinceMs: number | null;
  readonly changes: readonly VariantChange[];
  readonly lists: readonly StoredListChange[];
};

/** `ruleList`: whether it has rules that compute prices. */
type ListState = { type: string | null; deleted: boolean; ruleList: boolean };
/** A change of a price list. `before`: the former values of the members that it changed. `present`: all values now. */
type StoredListChange = Pick<ListChange, 'atMs' | 'what'> & {
  listId: string;
  before: Partial<ListState>;
  present: ListState;
};

/** Bytes of the changes from which the database makes one document. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Bytes of the document. Node parses it without a pause: 4 MiB take about 50 ms. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/**
 * A JSON document of the type `PriceHistories` about the products whose ids `products` selects; `null` if there are too
 * many changes for one request.
 */
export function priceHistories(scope: SqlScope, products: SQL): SQL {
  return sql`(
    select case when octet_length(found.document) <= ${sql.raw(String(MAX_DOCUMENT_BYTES))} then found.document else 'null' end
    from (
      select case when ${changedBytes(scope, products)} <= ${sql.raw(String(MAX_READ_BYTES))}
        then ${document(scope, products)} else 'null' end as document
    ) as found)`;
}

/** The bytes that are recorded of the changes of the products, and of all price lists. */
function changedBytes(scope: SqlScope, products: SQL): SQL {
  const { row, from } = aliased(scope, change);
  return sql`(
    select coalesce(sum(${row.bytes}), 0) from ${from}
    where ${ownedBy(scope.tenant, row)} and ${row.recordId} in (${products} union all ${priceLists(scope)}))`;
}

/** The ids of all price lists: changes are found by the ids of their records, not by the types. */
function priceLists(scope: SqlScope): SQL {
  const { row, from } = aliased(scope, priceList);
  return sql`select ${row.id} from ${from} where ${ownedBy(scope.tenant, row)}`;
}

function document(scope: SqlScope, products: SQL): SQL {
  const { row: own, from: merchants } = aliased(scope, merchant);
  return sql`(
    select json_build_object('sinceMs', (extract(epoch from ${own.historySince}) * 1000)::bigint,
      'currencySinceMs', (extract(epoch from ${own.currencySince}) * 1000)::bigint,
      'changes', ${variantChanges(scope, products)}, 'lists', ${listChanges(scope)})::text
    from ${merchants} where ${ownedBy(scope.tenant, own)})`;
}

function variantChanges(scope: SqlScope, products: SQL): SQL {
  return sql`coalesce((
    select json_agg(json_build_object('id', part.id, 'atMs', part.at_ms, 'productId', part.product_id,
      'variantId', variant.id, 'before', variant.before) order by part.id desc nulls first, part.statement desc)
    from (${recordedParts(scope, products)} union all ${unrecordedParts(scope, products)}) part
    left join lateral (
      select coalesce(former.key, later.key) as id,
        json_build_object('prices', former.value -> 'prices', 'isCreated', former.key is null) as before,
        former.value -> 'prices' is not null or later.value -> 'prices' is not null or former.key is null as is_price
      from json_each(part.before) former
      full join json_each(part.after) later on later.key = former.key
    ) variant on true
    where variant.is_price or part.truncated
  ), '[]')`;
}

function recordedParts(scope: SqlScope, products: SQL): SQL {
  const { row, from } = aliased(scope, change);
  const { row: part, from: parts } = aliased(scope, changePart);
  return sql`
    select ${row.id} as id, ${msOf(row)} as at_ms, ${row.recordId} as product_id, ${part.statement} as statement,
      ${part.before} as before, ${part.after} as after, ${part.truncated} as truncated
    from ${from} join ${parts} on ${isPartOfChange(scope.tenant, part, row)} and ${part.part} = 'variants'
    where ${ownedBy(scope.tenant, row)} and ${row.recordId} in (${products}) and ${row.recordType} = 'PRODUCT'`;
}

/** What the transaction that reads has changed: its changes are recorded when it ends. */
function unrecordedParts(scope: SqlScope, products: SQL): SQL {
  const { row: transaction, from } = aliased(scope, changeTransaction);
  const { row: part, from: parts } = aliased(scope, changePart);
  return sql`
    select null, (extract(epoch from clock_timestamp()) * 1000)::bigint, ${part.recordId}, ${part.statement},
      ${part.before}, ${part.after}, ${part.truncated}
    from ${from} join ${parts} on ${ownedBy(scope.tenant, part)} and ${part.changeTransactionId} = ${transaction.id}
      and ${part.part} = 'variants'
    where ${ownedBy(scope.tenant, transaction)} and ${transaction.transactionId} = pg_current_xact_id_if_assigned()
      and ${part.recordId} in (${products}) and ${part.recordType} = 'PRODUCT'`;
}

/** A list that was created has no earlier rows, so its creation is not listed. */
function listChanges(scope: SqlScope): SQL {
  const { row, from } = aliased(scope, change);
  const { row: part, from: parts } = aliased(scope, changePart);
  const { row: own, from: lists } = aliased(scope, priceList);
  const has = (member: string): SQL =>
    sql`(${part.before} -> ${sql.raw(`'${member}'`)} is not null or ${part.after} -> ${sql.raw(`'${member}'`)} is not null)`;
  return sql`coalesce((
    select json_agg(json_build_object('listId', ${row.recordId}, 'atMs', ${msOf(row)},
      'what', case
        when ${has('currency')} or ${has('currencyCode')} then 'currency'
        when ${has('type')} or ${has('ruleList')} or ${part.truncated} then 'rules'
        else 'deleted'
      end,
      'before', ${formerListState(part)},
      'present', json_build_object('type', ${own.type}, 'deleted', ${own.deleted},
        'ruleList', ${hasComputingRules(own.ruleList)})))
    from ${from} join ${parts} on ${isPartOfChange(scope.tenant, part, row)}
    join ${lists} on ${ownedBy(scope.tenant, own)} and ${own.id} = ${row.recordId}
    where ${ownedBy(scope.tenant, row)} and ${row.recordId} in (${priceLists(scope)})
      and ${row.recordType} = 'PRICE_LIST' and ${row.kind} <> 'CREATED'
      and (${has('currency')} or ${has('currencyCode')} or ${has('type')} or ${has('ruleList')} or ${has('deleted')}
        or ${part.truncated})
  ), '[]')`;
}

function formerListState(part: typeof changePart): SQL {
  return sql`coalesce((
    select json_object_agg(former.key, case former.key
      when 'ruleList' then to_json(${hasComputingRules(sql`former.value`)}) else former.value end)
    from json_each(${part.before}) former where former.key in ('type', 'deleted', 'ruleList')
  ), '{}')`;
}

function msOf(row: typeof change): SQL {
  return sql`(extract(epoch from ${row.createdAt}) * 1000)::bigint`;
}

/** `inheritedCurrency`: the one that a price without a currency of its own has. */
export type PricePlace = {
  readonly productId: string;
  readonly variantId: string;
  readonly priceListId: string | null;
  readonly inheritedCurrency: string | null;
};

/** The history of one price, of which `stored` is the last state. */
export function historyOf(histories: PriceHistories, place: PricePlace, stored: StoredPrice | null): PriceHistory {
  const { sinceMs, changes } = histories;
  const { productId, variantId, priceListId, inheritedCurrency } = place;
  const own = changes.filter(
    (one) =>
      one.productId === productId &&
      (one.variantId === null || one.variantId === variantId) &&
      // What was recorded before the history was ended, and begun again later, has a gap after it.
      one.atMs >= (sinceMs ?? Infinity),
  );
  const shown = (price: StoredPrice | null) => price && { ...price, currency: price.currency ?? inheritedCurrency };
  const recorded = own.map(({ id, atMs, before, variantId: known }): PriceChange => ({
    id,
    atMs,
    before: shown(priceIn(before?.prices, priceListId)),
    isCreated: before?.isCreated ?? false,
    isTruncated: known === null,
  }));
  return {
    present: shown(stored),
    sinceMs,
    changes: recorded,
    listChanges: listChangesOf(histories, priceListId),
  };
}

function listChangesOf({ lists, currencySinceMs }: PriceHistories, priceListId: string | null): readonly ListChange[] {
  if (priceListId === null)
    return currencySinceMs === null ? [] : [{ atMs: currencySinceMs, what: 'currency', wasComputed: false }];
  const own = lists.filter(({ listId }) => listId === priceListId).toSorted((one, other) => other.atMs - one.atMs);
  let state = own[0]?.present;
  return own.map(({ atMs, what, before }) => {
    state = { ...state!, ...before };
    return { atMs, what, wasComputed: isComputed(state) };
  });
}

function isComputed({ type, deleted, ruleList }: ListState): boolean {
  return isDynamicType(type) && !deleted && ruleList;
}

/** The row of a price list, or the base price. Plain SQL may have stored something else. */
export function priceIn(prices: unknown, priceListId: string | null): StoredPrice | null {
  if (!Array.isArray(prices)) return null;
  const rows = prices as (StoredPrice | null)[];
  const row = rows.find((price) => price !== null && (price.priceListId ?? null) === priceListId);
  return row && Number.isFinite(row.sellPrice) ? row : null;
}
