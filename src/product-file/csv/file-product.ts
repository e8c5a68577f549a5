import { exportTimes, type FileProduct, type ReadProduct, type WantedRecords } from '../import/file-product.ts';
import type { ProductLine, VariantLine } from '../line/product-line-input.ts';
import { cellLocation } from './cell-location.ts';
import { colorsIn, readProduct } from './read-product.ts';
import type { SheetProduct, SheetRow } from './sheet-row.ts';
import { hasUnnamedCount, locationsIn } from './stocks.ts';

/** A product of a sheet, as imports take it. */
export function fileProduct(product: SheetProduct): FileProduct {
  const { handle, rows, bytes, mistakes, warnings } = product;
  const [first] = rows as [SheetRow];
  // All cells are parsed, so that no record is created for a product that is refused.
  const members = first.product;
  const ofVariants = rows.map(({ variant }) => variant);
  colorsIn(first);
  let read: ReadProduct;
  return {
    line: first.line,
    row: first.row,
    lineCount: rows.length,
    bytes,
    handle,
    sourceId: members.sourceId ?? null,
    isSlugFirst: first.has('sourceId'),
    wanted: wantedRecords(rows, [members, ...ofVariants]),
    exportedAt: exportTimes(members),
    read: (known, records, notes) => (read = readProduct(product, known, { records, notes })),
    mistakes: () => mistakes.list(),
    warnings: () => warnings.list(),
    locate: (path) => cellLocation(product, read, path),
  };
}

function wantedRecords(rows: readonly SheetRow[], lines: readonly Partial<ProductLine | VariantLine>[]): WantedRecords {
  const [{ layout }] = rows as [SheetRow];
  const others = [...layout.inventories].filter(([, place]) => rows.some((row) => !row.isEmpty(place)));
  return {
    locations: [...(rows.some(hasUnnamedCount) ? [''] : []), ...others.map(([label]) => label)],
    existingLocations: rows.flatMap(locationsIn),
    attributes: lines.flatMap(({ attributes }) => attributes ?? []),
  };
}
