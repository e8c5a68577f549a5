import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import * as tables from '../../../drizzle/index.ts';
import { exportCsv } from '../../../src/product-file/csv/export-csv.ts';
import { importCsv } from '../../../src/product-file/csv/import-csv.ts';
import type { Imported, ImportOptions } from '../../../src/product-file/import/import-run.ts';
import type { Context } from '../../../src/context.ts';
import { productsInBundles } from '../../../src/product-file/line/bundled-products.ts';
import { readNamedRecords } from '../../../src/product-file/line/named-records.ts';
import { lineOf } from '../../../src/product-file/line/product-line.ts';
import { portableProductPages } from '../../../src/product-file/stored/portable-products.ts';

export const PUBLIC_URL = 'https://shop.example';

export async function importText(
  ctx: Context,
  sheet: string | Uint8Array,
  options: { chunkSize?: number; encoding?: string; isFile?: boolean } & Partial<ImportOptions> = {},
): Promise<Imported> {
  const bytes = typeof sheet === 'string' ? Buffer.from(sheet) : sheet;
  const { chunkSize = 65_536, isFile = true, ...given } = options;
  const open = () => inChunks(bytes, chunkSize);
  const again = isFile ? open : undefined;
  return await importCsv(ctx, open(), { retryImages: false, onBatch: () => {}, again, ...given });
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size));
}

export async function exportText(ctx: Context): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-sheet-'));
  try {
    await exportCsv(ctx, join(folder, 'sheet.csv'), { publicUrl: PUBLIC_URL, onProgress: () => {} });
    return await readFile(join(folder, 'sheet.csv'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes the times of the last changes, which differ between shops. */
export function untimed(file: string): string {
  return file.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '');
}

/** A CSV reader that shares no code with the import. Returns a record by column name for each row. */
export function recordsOf(sheet: string): Record<string, string>[] {
  const rows = [...sheet.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)].reduce<string[][]>(
    (rows, [whole, quoted, plain, end]) => {
      if (whole === '') return rows;
      rows.at(-1)!.push(quoted === undefined ? plain! : quoted.replaceAll('""', '"'));
      return end === ',' ? rows : [...rows, []];
    },
    [[]],
  );
  const [header, ...records] = rows.filter((row) => row.length > 0) as [string[], ...string[][]];
  return records.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

export function sheetOf(...records: Record<string, string>[]): string {
  const header = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const line = (cells: string[]): string => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return [line(header), ...records.map((record) => line(header.map((name) => record[name] ?? '')))].join('\n');
}

/** Generates a CSV of products, every third one with two options and four variants. */
export function generatedSheet(count: number): string {
  const header =
    'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Option2 Name,Option2 Value,Variant SKU,Variant Grams,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Barcode,Image Src,Image Position\n';
  const products = Array.from({ length: count }, (_, n) => {
    const head = `product-${n},Product ${n},"<p>Text ${n}, with a comma\nand a line</p>",Vendor ${n % 50},Type ${n % 20} > Sort ${n % 7},"tag ${n % 30}, tag ${n % 11}",true`;
    const tail = (v: number) =>
      `SKU-${n}-${v},${n % 5_000},${(n + v) % 90},${n % 300}.${10 + (n % 90)},${n % 4 === 0 ? 500 : ''},40${String(n * 10 + v).padStart(11, '0')}`;
    if (n % 3 !== 0) return `${head},Title,Default Title,,,${tail(0)},https://pictures.example/${n}.jpg,1\n`;
    const variants = [
      ['S', 'red'],
      ['S', 'blue'],
      ['M', 'red'],
      ['M', 'blue'],
    ] as const;
    return variants
      .map(
        ([size, colour], v) =>
          `${v === 0 ? `${head},Size,${size},Colour,${colour}` : `product-${n},,,,,,,,${size},,${colour}`},${tail(v)},${v < 2 ? `https://pictures.example/${n}-${v}.jpg,${v + 1}` : ','}\n`,
      )
      .join('');
  });
  return header + products.join('');
}

/** Tables that a repeated import may change: the records of the requests themselves. */
const REQUESTS = ['bulk_operation', 'bulk_operation_image'];
const STAMPS = ['updated_at', 'version'];

export async function catalogueRows(ctx: Context): Promise<Record<string, string[]>> {
  const tenants = Object.values(tables).filter(
    (table) => is(table, PgTable) && 'merchantId' in getTableColumns(table),
  ) as PgTable[];
  const names = tenants.map(getTableName).filter((name) => !REQUESTS.includes(name));
  const rows: Record<string, string[]> = {};
  for (const name of names) {
    const found = await ctx.db.execute<{ row: string }>(sql`
      select (to_jsonb(t) - ${`{${STAMPS.join(',')}}`}::text[])::text as row from ${sql.identifier(name)} t where merchant_id = ${ctx.merchantId} order by 1`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

/** All products with names instead of ids, which differ in every shop, and without the times of their last changes. */
export async function catalogue(ctx: Context): Promise<object[]> {
  const pages = await Array.fromAsync(portableProductPages(ctx));
  const products = pages.flat();
  const records = { ...(await readNamedRecords(ctx)), bundled: await productsInBundles(ctx, products) };
  return products.map((product) => {
    const { updatedAt: _at, stockUpdatedAt: _stockAt, ...line } = lineOf(product, records);
    const { sourceId, deleted } = product.stored.row;
    return { ...line, sourceId, deleted, slug: product.metaData?.slug };
  });
}
