import type { FileProduct, WantedRecords } from '../import/file-product.ts';
import { type AttributeEntry, productShapes } from '../line/product-line-input.ts';
import { cellLocation } from './cell-location.ts';
import { parseTime } from './cells.ts';
import { parseValue } from './codecs.ts';
import type { Column } from './columns.ts';
import type { Layout } from './layout.ts';
import type { CsvProduct } from './read-csv.ts';
import { readProduct } from './read-product.ts';
import { rowReader, type RowReader } from './row-reader.ts';
import { hasUnnamedCount, locationsIn } from './stocks-in.ts';

/** A product of a sheet, as imports take it. */
export function fileProduct(product: CsvProduct, layout: Layout): FileProduct {
  const reader = rowReader(layout);
  const { handle, rows, bytes } = product;
  const [first] = rows as [CsvProduct['rows'][number]];
  return {
    line: first.line,
    lineCount: rows.length,
    bytes,
    handle,
    sourceId: reader.text(first, 'sourceId') ?? null,
    isSlugFirst: reader.has('sourceId'),
    exportedAt: () => ({
      product: reader.read(first, 'updatedAt', parseTime) ?? null,
      stock: reader.read(first, 'stockUpdatedAt', parseTime) ?? null,
    }),
    wanted: () => wantedRecords(product, layout, reader),
    read: (known, records, notes) => readProduct(product, known, { layout, reader, records, notes }),
    locate: (path) => cellLocation(product, layout, reader, path),
  };
}

function wantedRecords({ rows }: CsvProduct, layout: Layout, reader: RowReader): WantedRecords {
  const isCounted = (place: number) => rows.some(({ cells }) => (cells[place] ?? '').trim() !== '');
  const others = [...layout.inventories].flatMap(([label, place]) => (isCounted(place) ? [label] : []));
  const parse = (cell: string) => parseValue(cell, productShapes['attributes']!) as AttributeEntry[] | null;
  const attributesIn = (row: CsvProduct['rows'][number], column: Column) => reader.read(row, column, parse) ?? [];
  return {
    locations: [...(rows.some((row) => hasUnnamedCount(row, reader)) ? [''] : []), ...others],
    existingLocations: rows.flatMap((row) => locationsIn(row, reader)),
    attributes: [
      ...attributesIn(rows[0]!, 'attributes'),
      ...rows.flatMap((row) => attributesIn(row, 'variantAttributes')),
    ],
  };
}
