import { sql } from 'drizzle-orm';
import { categoryProduct } from '../../../drizzle/category-product.ts';
import { productSearchPending } from '../../../drizzle/product-search.ts';
import { product } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline, pipelineStep } from '../../db/connection/pipeline.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { plannedForValues } from '../../db/sql/compiled-statement.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { insert } from '../../db/write/write.ts';
import { categoryPredicate, type ConditionalCategory } from './condition-predicate.ts';
import { factColumns, PART } from './product-facts.ts';

/** A product that is to be in a category, or, without `isMember`, no longer. */
type Difference = { productId: string; categoryId: string; createdAt: string; isMember: boolean };

/**
 * Puts the products into those of the categories whose conditions they meet, and takes them out of the others. The
 * search documents of products whose categories change are queued, and those of `saved`, which may show other
 * categories now. The caller holds the merchant's lock.
 */
export async function compareProducts(
  ctx: MerchantContext,
  productIds: readonly string[],
  categories: readonly ConditionalCategory[],
  saved: readonly string[] = [],
): Promise<void> {
  const differences = await findDifferences(ctx, productIds, categories);
  const changed = new Set([...differences.map(({ productId }) => productId), ...saved]);
  const added = differences.filter(({ isMember }) => isMember);
  const removed = differences.filter(({ isMember }) => !isMember);
  await pipeline(ctx, [
    ...(removed.length > 0 ? [pipelineStep(removal(ctx, removed))] : []),
    ...insert(
      ctx,
      categoryProduct,
      added.map(({ productId, categoryId, createdAt }) => ({ productId, categoryId, createdAt, byConditions: true })),
    ),
    ...insert(
      ctx,
      productSearchPending,
      // With an id of the table's volatile default a cluster would insert the rows through the coordinator.
      [...changed].map((productId) => ({ id: newId(), productId })),
    ),
  ]);
}

/**
 * One statement for all categories: what their conditions compare is read once per product. It is planned each time:
 * the conditions of each merchant make another text.
 */
async function findDifferences(
  ctx: MerchantContext,
  productIds: readonly string[],
  categories: readonly ConditionalCategory[],
): Promise<Difference[]> {
  const products = idArray(productIds);
  const predicates = categories.map((category) => ({ id: category.id, predicate: categoryPredicate(category) }));
  const columns = factColumns(
    ctx,
    predicates.flatMap(({ predicate }) => predicate.facts),
  );
  const matched = predicates.map(({ id, predicate }) => sql`case when ${predicate.sql} then ${id}::uuid end`);
  const compared = sql`
    with ${sql.identifier(PART)} as materialized (
      select ${sql.join([sql`${product.id} as product_id`, sql`${product.createdAt} as created_at`, ...columns], sql`, `)}
      from ${product} where ${ownedBy(ctx, product)} and ${product.id} = any(${products}) and not ${product.deleted}
    ),
    wanted as (
      select part.product_id, matched.category_id, part.created_at
      from ${sql.identifier(PART)}, unnest(array[${sql.join(matched, sql`, `)}]) as matched(category_id)
      where matched.category_id is not null
    ),
    stored as (
      select ${categoryProduct.productId} as product_id, ${categoryProduct.categoryId} as category_id,
        ${categoryProduct.createdAt} as created_at
      from ${categoryProduct}
      where ${ownedBy(ctx, categoryProduct)} and ${categoryProduct.byConditions}
        and ${categoryProduct.productId} = any(${products})
        and ${categoryProduct.categoryId} = any(${idArray(categories.map(({ id }) => id))})
    )
    select product_id as "productId", category_id as "categoryId", created_at::text as "createdAt",
      stored.product_id is null as "isMember"
    from wanted full join stored using (product_id, category_id, created_at)
    where wanted.product_id is null or stored.product_id is null`;
  return await readRows(
    ctx,
    { productId: column.text, categoryId: column.text, createdAt: column.text, isMember: column.boolean },
    plannedForValues(compared),
  );
}

function removal(ctx: MerchantContext, removed: readonly Difference[]) {
  return sql`
    delete from ${categoryProduct} using json_to_recordset(${JSON.stringify(removed)}::json)
      as gone("productId" uuid, "categoryId" uuid, "createdAt" timestamptz)
    where ${ownedBy(ctx, categoryProduct)} and ${categoryProduct.categoryId} = gone."categoryId"
      and ${categoryProduct.byConditions} and ${categoryProduct.createdAt} = gone."createdAt"
      and ${categoryProduct.productId} = gone."productId"`;
}
