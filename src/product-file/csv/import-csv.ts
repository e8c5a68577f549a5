import type { Context } from '../../context.ts';
import type { FileEntry, FileProduct, WantedRecords } from '../import/file-product.ts';
import { type ProductLine, productShapes, type VariantLine, variantShapes } from '../line/product-line-input.ts';
import { importProducts } from '../import/import-products.ts';
import type { Imported, ImportOptions } from '../import/import-run.ts';
import type { NamedRecords } from '../line/named-records.ts';
import type { Layout } from './layout.ts';
import { cellLocation } from './cell-location.ts';
import { parseTime } from './cells.ts';
import { PRODUCT_COLUMNS, VARIANT_COLUMNS } from './columns.ts';
import { type CsvEntry, type CsvProduct, readCsv } from './read-csv.ts';
import type { CsvRow } from './text/read-csv-rows.ts';
import { colorsIn, readProduct } from './read-product.ts';
import { membersIn, type ParsedCells, rowReader, type RowReader } from './row-reader.ts';
import { hasUnnamedCount, locationsIn } from './stocks.ts';

/** `encoding`: the encoding of the file, unless it is to be recognized. */
type CsvOptions = ImportOptions & { encoding?: string };

/** Imports a product sheet. */
export async function importCsv(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: CsvOptions,
): Promise<Imported> {
  const { layout, entries } = await readCsv(chunks, options.encoding);
  return await importProducts(ctx, fileEntries(entries, layout), options, (records) => ignoredColumns(layout, records));
}

async function* fileEntries(entries: AsyncIterable<CsvEntry>, layout: Layout): AsyncGenerator<FileEntry> {
  for await (const entry of entries) yield entry.skipped ? entry : { product: fileProduct(entry.product, layout) };
}

function ignoredColumns({ listPrices, titles, unread }: Layout, { priceLists }: NamedRecords): string[] {
  const ofOtherLists = [...listPrices].flatMap(([label, places]) =>
    priceLists.find(label) ? [] : [...places.values()].map((place) => titles[place]!),
  );
  return [...unread, ...ofOtherLists];
}

/** A product of a sheet, as imports take it. */
function fileProduct(product: CsvProduct, layout: Layout): FileProduct {
  const { handle, rows, bytes, mistakes } = product;
  const reader = rowReader(layout, mistakes);
  // Of a row without a product, each cell is checked, but not what the row lacks.
  if (handle === '') reader.refuse = () => {};
  const [first] = rows as [CsvRow];
  // All cells are parsed, so that no record is created for a product that is refused.
  const cells = parsedCells(rows, reader);
  return {
    line: first.line,
    row: first.row,
    lineCount: rows.length,
    bytes,
    handle,
    sourceId: reader.text(first, 'sourceId') ?? null,
    isSlugFirst: reader.has('sourceId'),
    wanted: wantedRecords(rows, cells, layout, reader),
    exportedAt: {
      product: reader.read(first, 'updatedAt', parseTime) ?? null,
      stock: reader.read(first, 'stockUpdatedAt', parseTime) ?? null,
    },
    read: (known, records, notes) => readProduct(product, cells, known, { layout, reader, records, notes }),
    mistakes: () => mistakes.list(),
    warnings: () => reader.warnings.list(),
    locate: (path) => cellLocation({ product, layout, reader }, path),
  };
}

function parsedCells(rows: readonly CsvRow[], reader: RowReader): ParsedCells {
  return {
    product: membersIn<ProductLine>(rows[0]!, reader, PRODUCT_COLUMNS, productShapes),
    variants: new Map(rows.map((row) => [row, membersIn<VariantLine>(row, reader, VARIANT_COLUMNS, variantShapes)])),
    colors: colorsIn(rows[0]!, reader),
  };
}

function wantedRecords(
  rows: readonly CsvRow[],
  { product, variants }: ParsedCells,
  layout: Layout,
  reader: RowReader,
): WantedRecords {
  const isCounted = (place: number) => rows.some(({ cells }) => (cells[place] ?? '').trim() !== '');
  const others = [...layout.inventories].flatMap(([label, place]) => (isCounted(place) ? [label] : []));
  return {
    locations: [...(rows.some((row) => hasUnnamedCount(row, reader)) ? [''] : []), ...others],
    existingLocations: rows.flatMap((row) => locationsIn(row, reader)),
    attributes: [product, ...variants.values()].flatMap(({ attributes }) => attributes ?? []),
  };
}
