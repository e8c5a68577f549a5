import { exportTimes, type FileProduct, type WantedRecords } from '../import/file-product.ts';
import type { ProductLine, VariantLine } from '../line/product-line-input.ts';
import { CellLocations } from './cell-locations.ts';
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
  let locations: CellLocations;
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
    read: (known, records, notes) => {
      const read = readProduct(product, known, { records, notes });
      locations = new CellLocations(product, read);
      return read;
    },
    mistakes: () => mistakes.list(),
    warnings: () => warnings.list(),
    locate: (path) => locations.find(path),
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
