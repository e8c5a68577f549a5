import { type Layout, readLayout } from './columns.ts';
import { readRows, RowError, type CsvRow } from './read-rows.ts';

const MAX_ROWS_PER_PRODUCT = 5_000;

/** The consecutive rows of one product. */
export type CsvProduct = { handle: string; rows: CsvRow[] };

/** A part of the file that the import skips, and why. */
export type Skipped = { line: number; handle: string | null; reason: string };

export type CsvEntry = { product: CsvProduct; skipped?: undefined } | { product?: undefined; skipped: Skipped };

export type ProductCsv = { layout: Layout; entries: AsyncGenerator<CsvEntry> };

/** The file is not a product file. */
export class CsvFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvFileError';
  }
}

/** Streams the products of a file. */
export async function readCsv(chunks: AsyncIterable<Uint8Array>): Promise<ProductCsv> {
  const rows = readRows(chunks);
  const header = await rows.next().catch((error: unknown) => {
    throw error instanceof RowError ? new CsvFileError(`The file cannot be read as CSV: ${error.message}.`) : error;
  });
  if (header.done) throw new CsvFileError('The file is empty: a product sheet begins with a line of column names.');
  const layout = readLayout(header.value.cells);
  if (!layout.columns.has('handle'))
    throw new CsvFileError(
      'The file is no product sheet: its first line has no column Handle. Columns are separated by commas.',
    );
  return { layout, entries: products(rows, layout) };
}

/** Consecutive rows with one handle are one product. */
async function* products(rows: AsyncGenerator<CsvRow>, layout: Layout): AsyncGenerator<CsvEntry> {
  const firstLines = new Map<string, number>();
  let group: CsvProduct | undefined;
  let problem: Skipped | undefined;
  const finish = (): CsvEntry[] => {
    if (!group) return [];
    const { handle, rows } = group;
    const earlier = firstLines.get(handle);
    firstLines.set(handle, earlier ?? rows[0]!.line);
    if (earlier !== undefined)
      problem ??= {
        line: rows[0]!.line,
        handle,
        reason: `the rows of a product must follow each other, and this handle was there on line ${earlier}`,
      };
    return [problem ? { skipped: problem } : { product: group }];
  };
  try {
    for await (const row of rows) {
      const handle = (row.cells[layout.columns.get('handle')!] ?? '').trim();
      if (group && handle !== group.handle) {
        yield* finish();
        group = undefined;
        problem = undefined;
      }
      if (handle === '') {
        yield { skipped: { line: row.line, handle: null, reason: 'has no Handle' } };
        continue;
      }
      group ??= { handle, rows: [] };
      problem ??= problemOf(row, group, layout);
      if (group.rows.length < MAX_ROWS_PER_PRODUCT) group.rows.push(row);
    }
    yield* finish();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    // Complete products before the damage are imported. The last product is not, because its rows may go on after the
    // damage.
    yield {
      skipped: {
        line: error.line,
        handle: group?.handle ?? null,
        reason: `nothing can be read from here on, so what follows, and a product that may go on there, is left out: ${error.message}`,
      },
    };
  }
}

function problemOf({ line, cells }: CsvRow, { handle, rows }: CsvProduct, { titles }: Layout): Skipped | undefined {
  const width = titles.length;
  if (rows.length >= MAX_ROWS_PER_PRODUCT)
    return { line, handle, reason: `has more than ${MAX_ROWS_PER_PRODUCT} rows` };
  const extra = cells.slice(width).some((cell) => cell.trim() !== '');
  if (cells.length >= width && !extra) return undefined;
  return { line, handle, reason: `has ${cells.length} cells where the first line has ${width}` };
}
