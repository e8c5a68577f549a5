import { type FileEntry, MAX_PRODUCT_BYTES } from '../import/file-product.ts';
import { type Skipped, skippedBy } from '../import/skipped.ts';
import { type Column, PRODUCT_COLUMNS } from './columns.ts';
import { fileProduct } from './file-product.ts';
import type { Layout } from './layout.ts';
import type { RowMistakes } from './row-mistakes.ts';
import { SheetProduct, SheetRow } from './sheet-row.ts';
import type { CsvRow, RowPlace } from './text/read-csv-rows.ts';

const MAX_ROWS_PER_PRODUCT = 5_000;
const EXCEL_HINT = 'Excel leaves out empty cells at the end of rows, so add a last column with a value in each row';

/**
 * The columns of the product, which its first row has. Other rows may repeat them. If they differ, two products may have
 * one handle, and the second would be lost.
 */
const REPEATED_COLUMNS: readonly Column[] = [
  'vendor',
  'brandTexts',
  'published',
  'status',
  'giftCard',
  'variantTypes',
  'colors',
  ...PRODUCT_COLUMNS.map(({ column }) => column),
];

/**
 * Further columns that say nothing in later rows if they are empty. `updatedAt` has a value in each row of an export, so that
 * a shorter row is damaged.
 */
const SILENT_COLUMNS: readonly Column[] = [
  ...REPEATED_COLUMNS.filter((column) => column !== 'updatedAt'),
  'imagePosition',
];

/** Groups consecutive rows with one handle into products. */
export class RowGroups {
  readonly #layout: Layout;
  /** Excel leaves out cells at the end of rows if they are empty in 16 rows, as those of the product are in later rows. */
  readonly #minLaterCells: number;
  /** The handles that come again, as `tornHandles` finds them. */
  readonly #torn: ReadonlyMap<string, RowPlace>;
  readonly #begun = new Map<string, { place: RowPlace; mistakes: RowMistakes }>();
  #group: SheetProduct | undefined;
  /** The product is too large, or its first row cannot be read. */
  #unreadable: Skipped | undefined;

  constructor(layout: Layout, torn: ReadonlyMap<string, RowPlace>) {
    this.#layout = layout;
    this.#minLaterCells = 1 + Math.max(...spokenPlaces(layout));
    this.#torn = torn;
  }

  /** The handle of the current product. */
  get handle(): string | null {
    return this.#group?.handle ?? null;
  }

  /** Returns the entries that are complete with this row. */
  add(row: CsvRow): FileEntry[] {
    const place = this.#layout.columns.get('handle')!;
    const handle = (row.cells[place] ?? '').trim();
    if (handle === '') this.#refuseFollowedBy(row);
    const complete = handle === this.handle ? [] : this.finish();
    if (handle === '') return [...complete, this.#withoutHandle(row, place)];
    this.#group ??= this.#begin(handle, row);
    this.#group.bytes += bytesOf(row);
    this.#unreadable ??= tooLarge(row, this.#group);
    const [first] = this.#group.rows;
    const reason = wrongWidth(row, this.#layout, first && this.#minLaterCells);
    if (!first) {
      // Nothing else of a product is read if its cells may stand in the wrong columns. The row is kept for its place.
      if (reason !== null) this.#unreadable ??= skippedBy(handle, [{ line: row.line, row: row.row, reason }]);
    } else if (this.#unreadable) return complete;
    else if (reason !== null) {
      this.#group.mistakes.add(row, undefined, reason);
      return complete;
    } else refuseOther(row, first, this.#group);
    this.#group.rows.push(new SheetRow(row, this.#group));
    return complete;
  }

  /** Ends the current product, and returns it if there is one. */
  finish(): FileEntry[] {
    if (!this.#group) return [];
    const product = this.#group;
    const unreadable = this.#unreadable;
    this.#group = undefined;
    this.#unreadable = undefined;
    return [unreadable ? { skipped: unreadable } : { product: fileProduct(product) }];
  }

  /**
   * Without all its rows, a product would lose the variants in the others. So a product is refused if its rows do not
   * follow each other, also the first part of it: its mistakes count as long as it waits in a batch.
   */
  #begin(handle: string, { line, row }: RowPlace): SheetProduct {
    const product = new SheetProduct(handle, this.#layout);
    const place = this.#layout.columns.get('handle');
    const [first, next] = [this.#begun.get(handle), this.#torn.get(handle)];
    if (first) {
      product.mistakes.add({ line, row }, place, tornAt('was', first.place));
      first.mistakes.add(first.place, place, tornAt('is', { line, row }));
    } else {
      if (next) product.mistakes.add({ line, row }, place, tornAt('is', next));
      this.#begun.set(handle, { place: { line, row }, mistakes: product.mistakes });
    }
    return product;
  }

  /** The row may be one of the current product: people clear repeated cells. */
  #refuseFollowedBy({ row }: RowPlace): void {
    const [first] = this.#group?.rows ?? [];
    if (!this.#group || !first) return;
    const reason = `row ${row} has no Handle, and may be a variant of this product`;
    this.#group.mistakes.add(first, this.#layout.columns.get('handle'), reason);
  }

  /** The other cells of the row are checked too. */
  #withoutHandle(row: CsvRow, place: number): FileEntry {
    const product = new SheetProduct('', this.#layout);
    product.mistakes.add(row, place, 'has no Handle');
    product.bytes = bytesOf(row);
    product.rows.push(new SheetRow(row, product));
    const isReadable = wrongWidth(row, this.#layout) === null && product.bytes <= MAX_PRODUCT_BYTES;
    return isReadable ? { product: fileProduct(product) } : { skipped: skippedBy(null, product.mistakes.list()) };
  }
}

/** Refuses a cell of the product that is another one than in its first row. */
function refuseOther(row: CsvRow, first: SheetRow, { mistakes, layout: { columns, titles } }: SheetProduct): void {
  for (const place of REPEATED_COLUMNS.flatMap((column) => columns.get(column) ?? []))
    if (isOther(row.cells[place], first.cells[place]))
      mistakes.add(row, place, `${titles[place]} is not that of the first row of this product, on row ${first.row}`);
}

function tooLarge({ line, row }: CsvRow, { handle, rows, bytes }: SheetProduct): Skipped | undefined {
  const isLong = rows.length >= MAX_ROWS_PER_PRODUCT;
  if (bytes <= MAX_PRODUCT_BYTES && !isLong) return undefined;
  const limit = isLong ? `${MAX_ROWS_PER_PRODUCT} rows` : `${MAX_PRODUCT_BYTES} bytes`;
  return skippedBy(handle, [{ line, row, reason: `has more than ${limit}` }]);
}

function wrongWidth({ cells }: CsvRow, { titles }: Layout, min = titles.length): string | null {
  const extra = cells.slice(titles.length).some((cell) => cell.trim() !== '');
  if (cells.length >= min && !extra) return null;
  const hint = cells.length < titles.length ? `: ${EXCEL_HINT}` : '';
  return `has ${cells.length} cells where the first line has ${titles.length}${hint}`;
}

/** The columns that a later row of a product has to have. */
function spokenPlaces({ columns, options, listPrices, inventories }: Layout): number[] {
  return [
    ...[...columns].flatMap(([column, place]) => (SILENT_COLUMNS.includes(column) ? [] : [place])),
    ...options.flatMap(({ name, value }) => [name, value]),
    ...[...listPrices.values()].flatMap((places) => [...places.values()]),
    ...inventories.values(),
  ];
}

function tornAt(verb: 'was' | 'is', { row }: RowPlace): string {
  return `the rows of a product must follow each other, and this handle ${verb} there on row ${row}`;
}

function isOther(cell: string | undefined, first: string | undefined): boolean {
  return first !== undefined && cell !== undefined && cell.trim() !== '' && cell.trim() !== first.trim();
}

/** With a byte for each delimiter: a row may have any number of empty cells, which take memory too. */
function bytesOf({ cells }: CsvRow): number {
  return cells.reduce((bytes, cell) => bytes + Buffer.byteLength(cell), cells.length);
}
