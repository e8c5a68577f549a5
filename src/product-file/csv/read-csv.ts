import { MAX_PRODUCT_BYTES, type Skipped } from '../import/file-product.ts';
import { type Column, PRODUCT_COLUMNS } from './columns.ts';
import { type Layout, readLayout } from './layout.ts';
import { unescapeFormula } from './cells.ts';
import { readCsvRows, RowError, type CsvRow } from './read-csv-rows.ts';

const MAX_ROWS_PER_PRODUCT = 5_000;
/** Bounds the memory of a header. An export has five columns for each price list. */
const MAX_COLUMNS = 20_000;

/** The consecutive rows of one product, and their size in the file. */
export type CsvProduct = { handle: string; rows: CsvRow[]; bytes: number };

export type CsvEntry = { product: CsvProduct; skipped?: undefined } | { product?: undefined; skipped: Skipped };

export type ProductCsv = { layout: Layout; entries: AsyncGenerator<CsvEntry> };

/**
 * The texts and names of the product, which its first row has. Other rows may repeat them. If they differ, two products
 * may have one handle, and the second would be lost.
 */
const REPEATED_COLUMNS: readonly Column[] = [
  'title',
  'vendor',
  ...PRODUCT_COLUMNS.flatMap(({ column, codec }) => (codec.isRepeatable ? [column] : [])),
];

/** The file is not a product file. */
export class CsvFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvFileError';
  }
}

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

async function* products(rows: AsyncGenerator<CsvRow>, layout: Layout): AsyncGenerator<CsvEntry> {
  const groups = new RowGroups(layout);
  try {
    for await (const { line, cells } of rows) yield* groups.add({ line, cells: cells.map(unescapeFormula) });
    yield* groups.finish();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    // Complete products before the damage are imported. The last product is not, because its rows may go on after the
    // damage.
    const reason = `nothing can be read from here on, so what follows, and a product that may go on there, is left out`;
    yield { skipped: { line: error.line, handle: groups.handle, reason: `${reason}: ${error.message}` } };
  }
}

/** Groups consecutive rows with one handle into products. */
class RowGroups {
  readonly #layout: Layout;
  readonly #firstLines = new Map<string, number>();
  #group: CsvProduct | undefined;
  #problem: Skipped | undefined;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** The handle of the current product. */
  get handle(): string | null {
    return this.#group?.handle ?? null;
  }

  /** Returns the entries that are complete with this row. */
  add(row: CsvRow): CsvEntry[] {
    const handle = (row.cells[this.#layout.columns.get('handle')!] ?? '').trim();
    const complete = handle === this.handle ? [] : this.finish();
    if (handle === '') return [...complete, { skipped: { line: row.line, handle: null, reason: 'has no Handle' } }];
    this.#group ??= { handle, rows: [], bytes: 0 };
    this.#group.bytes += bytesOf(row);
    this.#problem ??= problemOf(row, this.#group, this.#layout);
    // The first row is kept for its line.
    if (!this.#problem || this.#group.rows.length === 0) this.#group.rows.push(row);
    return complete;
  }

  /** Ends the current product, and returns it if there is one. */
  finish(): CsvEntry[] {
    if (!this.#group) return [];
    const product = this.#group;
    const problem = this.#problem ?? this.#repeated(product);
    this.#firstLines.set(product.handle, this.#firstLines.get(product.handle) ?? product.rows[0]!.line);
    this.#group = undefined;
    this.#problem = undefined;
    return [problem ? { skipped: problem } : { product }];
  }

  #repeated({ handle, rows }: CsvProduct): Skipped | undefined {
    const earlier = this.#firstLines.get(handle);
    if (earlier === undefined) return undefined;
    const reason = `the rows of a product must follow each other, and this handle was there on line ${earlier}`;
    return { line: rows[0]!.line, handle, reason };
  }
}

function problemOf(
  { line, cells }: CsvRow,
  { handle, rows, bytes }: CsvProduct,
  { titles, columns }: Layout,
): Skipped | undefined {
  const width = titles.length;
  if (bytes > MAX_PRODUCT_BYTES) return { line, handle, reason: `has more than ${MAX_PRODUCT_BYTES} bytes` };
  if (rows.length >= MAX_ROWS_PER_PRODUCT)
    return { line, handle, reason: `has more than ${MAX_ROWS_PER_PRODUCT} rows` };
  const extra = cells.slice(width).some((cell) => cell.trim() !== '');
  if (cells.length < width || extra)
    return { line, handle, reason: `has ${cells.length} cells where the first line has ${width}` };
  const place = REPEATED_COLUMNS.flatMap((column) => columns.get(column) ?? []).find((at) =>
    isOther(cells[at], rows[0]?.cells[at]),
  );
  if (place === undefined) return undefined;
  return {
    line,
    handle,
    reason: `${titles[place]} is not that of the first row of this product, on line ${rows[0]!.line}`,
  };
}

function isOther(cell: string | undefined, first: string | undefined): boolean {
  return first !== undefined && cell !== undefined && cell.trim() !== '' && cell.trim() !== first.trim();
}

/** With a byte for each delimiter: a row may have any number of empty cells, which take memory too. */
function bytesOf({ cells }: CsvRow): number {
  return cells.reduce((bytes, cell) => bytes + Buffer.byteLength(cell), cells.length);
}
