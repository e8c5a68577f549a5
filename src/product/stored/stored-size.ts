import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { product, variant } from '../../../drizzle/product.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { cachedSql } from '../../db/sql/compiled-statement.ts';
import { idArrayText, ownedBy } from '../../db/sql/parameter.ts';
import { isListColumn, writtenColumns } from '../../db/sql/table-columns.ts';
import type { RowCondition } from '../../db/write/stored-rows.ts';
import { type InputPath, invalidAt } from '../../errors.ts';

/**
 * Maximum bytes of the stored products that a request changes, together with their variants and metadata. All of them are
 * read into memory, where lists take several times as much, and a product can become as large as one likes by requests
 * that change one variant each. The largest products of ordinary shops have 1,000 variants of 8 KiB. 1,000 products with
 * 20 variants of 1.5 KiB have 40 MiB.
 */
export const MAX_STORED_BYTES = 48 * 1024 * 1024;

/** Added for each row. In memory a row without texts and lists takes 350 bytes, and its copy for the changes as much. */
const ROW_BYTES = 512;

type SizedTable = typeof product | typeof variant | typeof pageMetadata;

/** The deleted variants that are read besides the live ones: those with these ids, and others of the products. */
export type DeletedVariants = { ids: readonly string[]; others: RowCondition | null };

/**
 * Refuses to change products that are too large together, before they, their variants and their metadata are read. Returns
 * their bytes.
 */
export async function refuseTooLarge(
  ctx: Context,
  ids: readonly string[],
  deleted: DeletedVariants,
  path: InputPath,
): Promise<number> {
  const bytes = await storedBytes(ctx, ids, deleted);
  if (bytes <= MAX_STORED_BYTES) return bytes;
  const limit = `at most ${MAX_STORED_BYTES} bytes of stored products are changed at once`;
  const remedy = ids.length > 1 ? 'send fewer products at once' : 'a larger product can only be deleted';
  throw invalidAt(
    path,
    `names products that have ${bytes} bytes with their variants and metadata, but ${limit}: ${remedy}`,
  );
}

/** The bytes of products with their variants and metadata. */
export async function storedBytes(ctx: Context, ids: readonly string[], deleted: DeletedVariants): Promise<number> {
  const list = idArrayText(ids);
  const named = idArrayText(deleted.ids);
  const { merchantId } = ctx;
  const { others } = deleted;
  const ofProducts = sql`${variant.productId} = any(${list}::uuid[])`;
  const [found] = await readRows(
    ctx,
    { bytes: column.number },
    cachedSql(
      ctx,
      `size of products ${others?.name}`,
      [
        merchantId,
        list,
        merchantId,
        list,
        merchantId,
        list,
        merchantId,
        named,
        ...(others ? [merchantId, list, ...others.values] : []),
      ],
      () => sql`
      select ${sql.join(
        [
          bytesOf(ctx, product, sql`${product.id} = any(${list}::uuid[])`),
          bytesOf(ctx, pageMetadata, sql`${pageMetadata.targetId} = any(${list}::uuid[])`),
          bytesOf(ctx, variant, sql`${ofProducts} and not ${variant.deleted}`),
          bytesOf(ctx, variant, sql`${variant.id} = any(${named}::uuid[]) and ${variant.deleted}`),
          ...(others ? [bytesOf(ctx, variant, sql`${ofProducts} and ${others.condition()}`)] : []),
        ],
        sql` + `,
      )} as bytes`,
    ),
  );
  return found!.bytes;
}

function bytesOf(ctx: Context, table: SizedTable, where: SQL): SQL {
  const lengths = sizedColumns(table).map((column) => sql`coalesce(octet_length(${column}::text), 0)`);
  const rowBytes = sql.raw(String(ROW_BYTES));
  return sql`(
    select coalesce(sum(${rowBytes} + ${sql.join(lengths, sql` + `)}), 0) from ${table}
    where ${ownedBy(ctx, table)} and ${where}
  )::float8`;
}

/** Texts, lists and documents. */
function sizedColumns(table: SizedTable): AnyPgColumn[] {
  const columns = writtenColumns(table).map(([, column]) => column);
  return columns.filter((column) => isListColumn(column) || ['json', 'text'].includes(column.getSQLType()));
}
