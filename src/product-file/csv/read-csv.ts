import { type FileEntry, MAX_PRODUCT_BYTES } from '../import/file-product.ts';
import { type Skipped, skippedBy } from '../import/skipped.ts';
import { type Column, keyPlaces, PRODUCT_COLUMNS } from './columns.ts';
import { type Layout, readLayout } from './layout.ts';
import { CsvFileError } from './text/csv-file-error.ts';
import { unescapeCell } from './text/escape.ts';
import { type CsvRow, readCsvRows, RowError, type RowPlace } from './text/read-csv-rows.ts';
import { fileProduct } from './file-product.ts';
import { SheetProduct, SheetRow } from './sheet-row.ts';

const MAX_ROWS_PER_PRODUCT = 5_000;
/** Bounds the memory of a header. An export has five columns for each price list. */
const MAX_COLUMNS = 20_000;

export type ProductCsv = { layout: Layout; entries: AsyncGenerator<FileEntry> };

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

/** Streams the products of a file. */
export async function readCsv(chunks: AsyncIterable<Uint8Array>, encoding?: string): Promise<ProductCsv> {
  const rows = readCsvRows(chunks, encoding);
  const header = await rows.next().catch((error: unknown) => {
    throw error instanceof RowError ? new CsvFileError(`The file cannot be read as CSV: ${error.message}.`) : error;
  });
  if (header.done) throw new CsvFileError('The file is empty: a product sheet begins with a line of column names.');
  const { cells } = header.value;
  if (cells.length > MAX_COLUMNS) throw new CsvFileError(`The first line has more than ${MAX_COLUMNS} columns.`);
  const layout = readLayout(cells);
  if (!layout.columns.has('handle'))
    throw new CsvFileError(
      'The file is no product sheet: its first line has no column Handle. Columns are separated by commas, semicolons or tabs.',
    );
  return { layout, entries: products(rows, layout) };
}

async function* products(rows: AsyncGenerator<CsvRow>, layout: Layout): AsyncGenerator<FileEntry> {
  const groups = new RowGroups(layout);
  const keys = keyPlaces(layout.columns);
  const unescaped = (cell: string, place: number): string => unescapeCell(cell, keys.has(place));
  try {
    for await (const { cells, ...place } of rows) yield* groups.add({ ...place, cells: cells.map(unescaped) });
    yield* groups.finish();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    // Complete products before the damage are imported. The last product is not, because its rows may go on after the
    // damage.
    const reason = `nothing can be read from here on, so what follows, and a product that may go on there, is left out`;
    yield { skipped: skippedBy(groups.handle, [{ ...error.place, reason: `${reason}: ${error.message}` }]) };
  }
}

/** Groups consecutive rows with one handle into products. */
class RowGroups {
  readonly #layout: Layout;
  readonly #firstRows = new Map<string, RowPlace>();
  #group: SheetProduct | undefined;
  /** The product is too large, or its first row cannot be read. */
  #unreadable: Skipped | undefined;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The handle of the current product. */
  get handle(): string | null {
    return this.#group?.handle ?? null;
  }

  /** Returns the entries that are complete with this row. */
  add(row: CsvRow): FileEntry[] {
    const place = this.#layout.columns.get('handle')!;
    const handle = (row.cells[place] ?? '').trim();
    const complete = handle === this.handle ? [] : this.finish();
    if (handle === '') return [...complete, this.#withoutHandle(row, place)];
    this.#group ??= new SheetProduct(handle, this.#layout);
    this.#group.bytes += bytesOf(row);
    this.#unreadable ??= tooLarge(row, this.#group);
    const reason = wrongWidth(row, this.#layout);
    const [first] = this.#group.rows;
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
    const [{ line, row }] = product.rows as [SheetRow];
    const earlier = this.#firstRows.get(product.handle);
    if (earlier) product.mistakes.add({ line, row }, this.#layout.columns.get('handle'), repeatedAt(earlier));
    else this.#firstRows.set(product.handle, { line, row });
    this.#group = undefined;
    this.#unreadable = undefined;
    return [unreadable ? { skipped: unreadable } : { product: fileProduct(product) }];
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

function wrongWidth({ cells }: CsvRow, { titles }: Layout): string | null {
  const extra = cells.slice(titles.length).some((cell) => cell.trim() !== '');
  if (cells.length >= titles.length && !extra) return null;
  return `has ${cells.length} cells where the first line has ${titles.length}`;
}

function repeatedAt({ row }: RowPlace): string {
  return `the rows of a product must follow each other, and this handle was there on row ${row}`;
}

function isOther(cell: string | undefined, first: string | undefined): boolean {
  return first !== undefined && cell !== undefined && cell.trim() !== '' && cell.trim() !== first.trim();
}

/** With a byte for each delimiter: a row may have any number of empty cells, which take memory too. */
function bytesOf({ cells }: CsvRow): number {
  return cells.reduce((bytes, cell) => bytes + Buffer.byteLength(cell), cells.length);
}
