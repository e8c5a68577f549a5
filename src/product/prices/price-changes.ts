import { type SQL, sql } from 'drizzle-orm';
import { change, changePart, changeTransaction } from '../../../drizzle/change.ts';
import { merchant } from '../../../drizzle/merchant.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { isPartOfChange } from '../../change/part-of-change.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { hasComputingRules } from '../../price-list/dynamic-list.ts';
import type { StoredListChange } from './list-history.ts';

type Side = { prices?: StoredPrice[] | null; isCreated?: boolean } | null;
/**
 * A change of the prices of a variant. Without an id it is of the transaction that reads it; without a variant the values of
 * the change are not kept.
 */
export type VariantChange = {
  readonly id: string | null;
  readonly atMs: number;
  readonly variantId: string | null;
  readonly productId: string;
  readonly before: Side;
};

/** The changes of the prices of products, and those of price lists, the last one first. */
export type PriceChanges = {
  readonly sinceMs: number | null;
  /** When the currency of base prices changed; null if it did not. */
  readonly currencySinceMs: number | null;
  readonly changes: readonly VariantChange[];
  readonly lists: readonly StoredListChange[];
};

/** Bytes of the changes from which the database makes one document. */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Bytes of the document. Node parses it without a pause: 4 MiB take about 50 ms. */
const MAX_DOCUMENT_BYTES = 4 * 1024 * 1024;

/**
 * A JSON document of the type `PriceChanges` about the products whose ids `products` selects; `null` if there are too
 * many changes for one request.
 */
export function priceChanges(scope: SqlScope, products: SQL): SQL {
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
        'ruleList', ${hasComputingRules(own.ruleList)}))
      order by ${row.id} desc, ${part.statement} desc)
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
