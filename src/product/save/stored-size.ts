import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/rows.ts';
import { cachedSql } from '../../db/sql/compiled-statement.ts';
import { isId } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { argumentInvalid, type InputPath } from '../../errors.ts';

/**
 * Bytes of stored products and variants that a request may change. All of them are read into memory, where they take
 * several times as much, and requests that change one variant each can store any number of bytes. The largest products
 * of ordinary shops have 1,000 variants of 8 KiB.
 */
const MAX_STORED_BYTES = 32 * 1024 * 1024;

/** The columns without a limit of a few hundred characters. */
const LONG_OF_PRODUCT = [product.description, product.attributes, product.translations, product.variantTypes];
const LONG_OF_VARIANT = [variant.prices, variant.images, variant.variantValues, variant.attributes, variant.bundle];

/** Refuses to change products that are too large together, before they are read. */
export async function refuseTooLarge(ctx: Context, ids: readonly string[], path: InputPath): Promise<void> {
  const list = `{${ids.filter(isId).join(',')}}`;
  const [found] = await readRows(
    ctx,
    { bytes: column.number },
    cachedSql(
      ctx,
      'size of products',
      [ctx.merchantId, list, ctx.merchantId, list],
      () => sql`
      select (
        select coalesce(sum(${bytesOf(LONG_OF_PRODUCT)}), 0) from ${product}
        where ${ownedBy(ctx, product)} and ${product.id} = any(${list}::uuid[])
      )::float8 + (
        select coalesce(sum(${bytesOf(LONG_OF_VARIANT)}), 0) from ${variant}
        where ${ownedBy(ctx, variant)} and ${variant.productId} = any(${list}::uuid[]) and not ${variant.deleted}
      )::float8 as bytes`,
    ),
  );
  if (found!.bytes <= MAX_STORED_BYTES) return;
  const limit = `at most ${MAX_STORED_BYTES} bytes of stored products are changed at once`;
  const remedy = ids.length > 1 ? 'send fewer products at once' : 'a larger product can only be deleted';
  throw argumentInvalid([
    {
      path,
      message: `names products that have ${found!.bytes} bytes with their variants, but ${limit}: ${remedy}`,
    },
  ]);
}

function bytesOf(columns: AnyPgColumn[]): SQL {
  const lengths = columns.map((column) => sql`coalesce(octet_length(${column}::text), 0)`);
  return sql.join(lengths, sql` + `);
}
