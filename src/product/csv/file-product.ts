import { normalizedName } from '../../field-input.ts';
import { wantedAttributes } from '../exchange/extras-input.ts';
import type { FileProduct, WantedBundle, WantedRecords } from '../exchange/import-input.ts';
import { importInput } from './bulk-input.ts';
import { cellLocation } from './cell-location.ts';
import { parseTime } from './cells.ts';
import type { Layout } from './columns.ts';
import { isVariantRow, variantKeyIn } from './csv-variants.ts';
import { bundleIn, productExtrasIn, variantExtrasIn } from './extras-cells.ts';
import type { CsvProduct } from './read-csv.ts';
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
    sourceId: reader.read(first, 'sourceId', normalizedName) ?? null,
    isSlugFirst: reader.has('sourceId'),
    exportedAt: () => ({
      product: reader.read(first, 'updatedAt', parseTime) ?? null,
      stock: reader.read(first, 'stockUpdatedAt', parseTime) ?? null,
    }),
    wanted: () => wantedRecords(csvProduct, layout, reader),
    input: (stored, storeIds, onUnknown) => importInput(csvProduct, layout, storeIds, stored, onUnknown),
    bundles: () => bundles(csvProduct, layout, reader),
    locate: (path) => cellLocation(csvProduct, layout, reader, path),
  };
}

function wantedRecords({ rows }: CsvProduct, layout: Layout, reader: RowReader): WantedRecords {
  const isCounted = (place: number | undefined) =>
    place !== undefined && rows.some(({ cells }) => (cells[place] ?? '').trim() !== '');
  const others = [...layout.inventories].flatMap(([label, place]) => (isCounted(place) ? [label] : []));
  return {
    locations: [...(isCounted(layout.columns.get('inventory')) ? [''] : []), ...others],
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
