import { and, eq, isNotNull, notExists, type SQL, sql } from 'drizzle-orm';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { product } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { isId } from '../../db/sql/id.ts';
import { idArray, ownedBy, textArray } from '../../db/sql/parameter.ts';

type ReadContext = Pick<Context, 'db' | 'merchantId'>;

/** The ids of the products with these `sourceId`s; deleted products are included. */
export async function idsBySourceId(ctx: ReadContext, sourceIds: readonly string[]): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map();
  // `is not null` lets Postgres use the partial index: it cannot derive that from a parameter.
  const { id, sourceId } = product;
  const rows = await ctx.db
    .select({ id, sourceId })
    .from(product)
    .where(and(ownedBy(ctx, product), isNotNull(sourceId), sql`${sourceId} = any(${textArray(sourceIds)})`));
  return new Map(rows.map(({ id, sourceId }) => [sourceId!, id]));
}

/**
 * The ids of the products whose pages have these slugs; deleted products are included. A product without a slug is found by
 * its id, which files have in place of the slug.
 */
export async function idsBySlug(ctx: ReadContext, slugs: readonly string[]): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const { slug, targetId, targetType } = pageMetadata;
  const hasSlug = sql`${slug} = any(${textArray(slugs)})`;
  const rows = await ctx.db
    .select({ id: targetId, slug })
    .from(pageMetadata)
    .where(and(ownedBy(ctx, pageMetadata), hasSlug, eq(targetType, 'PRODUCT')));
  const ids = slugs.filter(isId);
  const unnamed = ids.length === 0 ? [] : await idsWithoutSlug(ctx, sql`${product.id} = any(${idArray(ids)})`);
  return new Map([...unnamed.map((id) => [id, id] as const), ...rows.map(({ id, slug }) => [slug, id] as const)]);
}

/** Products that plain SQL has inserted: a product that the service creates has a slug. */
export async function idsWithoutSlug(ctx: ReadContext, condition: SQL): Promise<string[]> {
  const metadata = ctx.db
    .select({ id: pageMetadata.id })
    .from(pageMetadata)
    .where(and(ownedBy(ctx, pageMetadata), eq(pageMetadata.targetId, product.id)));
  const rows = await ctx.db
    .select({ id: product.id })
    .from(product)
    .where(and(ownedBy(ctx, product), condition, notExists(metadata)))
    .orderBy(product.id);
  return rows.map(({ id }) => id);
}
