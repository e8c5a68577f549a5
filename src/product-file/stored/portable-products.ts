import { and, eq, not, sql } from 'drizzle-orm';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import { idsWithoutSlug } from '../../product/stored/product-keys.ts';
import { type PortableProduct, readPortableProducts } from './portable-product.ts';

/** Products read by one statement. */
const PAGE_SIZE = 200;

/**
 * The merchant's products, not deleted, in the order of their slugs: another database gives the same order. Products
 * without a slug come last.
 */
export async function* portableProductPages(ctx: MerchantContext): AsyncGenerator<PortableProduct[]> {
  for (let after: string | null = ''; after !== null;) {
    const page: SluggedPage = await sluggedPage(ctx, after);
    after = page.end;
    if (page.ids.length > 0) yield await readPortableProducts(ctx, page.ids);
  }
  const withoutSlug = await idsWithoutSlug(ctx, not(product.deleted));
  for (let from = 0; from < withoutSlug.length; from += PAGE_SIZE)
    yield await readPortableProducts(ctx, withoutSlug.slice(from, from + PAGE_SIZE));
}

export async function countProducts(ctx: MerchantContext): Promise<number> {
  return await ctx.db.$count(product, and(ownedBy(ctx, product), not(product.deleted)));
}

/**
 * The number of option columns that the product with most of them needs: one for each variant type, and more where a
 * variant has several values of one type.
 */
export async function countOptionColumns(ctx: MerchantContext): Promise<number> {
  const [row] = await readRows(
    ctx,
    { count: column.number },
    sql`
    select coalesce(max(of_product.count), 0)::int as "count" from (
      select of_type.product_id, sum(of_type.most) as count from (
        select of_variant.product_id, of_variant.type_id, max(of_variant.count) as most from (
          select ${variant.productId}, ${variant.id}, type_id, count(*) as count
          from ${variant}, unnest(${variant.variantTypeIds}) as type_id
          where ${ownedBy(ctx, variant)} and not ${variant.deleted} group by 1, 2, 3
        ) as of_variant group by 1, 2
      ) as of_type group by 1
    ) as of_product`,
  );
  return row!.count;
}

type SluggedPage = { ids: string[]; end: string | null };

async function sluggedPage(ctx: MerchantContext, after: string): Promise<SluggedPage> {
  const { slug, targetId, targetType } = pageMetadata;
  const rows = await ctx.db
    .select({ id: product.id, slug })
    .from(pageMetadata)
    .innerJoin(product, and(ownedBy(ctx, product), eq(product.id, targetId), not(product.deleted)))
    .where(and(ownedBy(ctx, pageMetadata), eq(targetType, 'PRODUCT'), sql`${slug} ~>~ ${after}`))
    .orderBy(sql`${slug} using ~<~`)
    .limit(PAGE_SIZE);
  return { ids: rows.map(({ id }) => id), end: rows.length < PAGE_SIZE ? null : rows.at(-1)!.slug };
}
