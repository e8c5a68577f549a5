import { wantedAttributes } from '../import/extras-input.ts';
import type { FileProduct, WantedBundle, WantedRecords } from '../import/import-input.ts';
import { importInput } from './bulk-input.ts';
import { cellLocation } from './cell-location.ts';
import { parseTime } from './cells.ts';
import type { Layout } from './columns.ts';
import { isVariantRow, variantKeyIn } from './csv-variants.ts';
import { bundleIn, productExtrasIn, variantExtrasIn } from './extras-cells.ts';
import type { CsvProduct } from './read-csv.ts';
import { hasUnnamedCount, locationsIn } from './stocks-input.ts';
import { rowReader, type RowReader } from './row-reader.ts';

/** A product of a sheet, as imports take it. */
export function fileProduct(csvProduct: CsvProduct, layout: Layout): FileProduct {
  const reader = rowReader(layout);
  const { handle, rows, bytes } = csvProduct;
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
    wanted: () => wantedRecords(csvProduct, layout, reader),
    input: (stored, storeIds, notes) => importInput(csvProduct, layout, storeIds, stored, notes),
    bundles: () => bundles(csvProduct, layout, reader),
    locate: (path) => cellLocation(csvProduct, layout, reader, path),
  };
}

function wantedRecords({ rows }: CsvProduct, layout: Layout, reader: RowReader): WantedRecords {
  const isCounted = (place: number) => rows.some(({ cells }) => (cells[place] ?? '').trim() !== '');
  const others = [...layout.inventories].flatMap(([label, place]) => (isCounted(place) ? [label] : []));
  return {
    locations: [...(rows.some((row) => hasUnnamedCount(row, reader)) ? [''] : []), ...others],
    existingLocations: rows.flatMap((row) => locationsIn(row, reader)),
    attributes: [
      ...wantedAttributes(productExtrasIn(rows[0]!, reader).attributes),
      ...rows.flatMap((row) => wantedAttributes(variantExtrasIn(row, reader).attributes)),
    ],
  };
}

function bundles({ rows }: CsvProduct, layout: Layout, reader: RowReader): WantedBundle[] {
  return rows.flatMap((row) => {
    const bundle = bundleIn(row, reader);
    return bundle !== undefined && isVariantRow(row, layout, reader)
      ? [{ variantKey: variantKeyIn(row, rows[0]!, layout, reader), bundle }]
      : [];
  });
}
