import type { FileEntry } from '../import/file-product.ts';
import { skippedBy } from '../import/skipped.ts';
import { keyPlaces } from './columns.ts';
import { type Layout, readLayout } from './layout.ts';
import { RowGroups } from './row-groups.ts';
import { CsvFileError } from './text/csv-file-error.ts';
import { StartOfSheet } from './text/delimiter.ts';
import { EncodingGuess } from './text/encoding-guess.ts';
import { unescapeCell } from './text/escape.ts';
import { type CsvRow, readCsvRows, RowError, type RowPlace } from './text/read-csv-rows.ts';
import { TextReader } from './text/text-reader.ts';

/** Bounds the memory of a header. An export has five columns for each price list. */
const MAX_COLUMNS = 20_000;

/** `guess` is complete when all entries were read. */
export type ProductCsv = { layout: Layout; guess: EncodingGuess; entries: AsyncGenerator<FileEntry> };

/** Handles, each with the row where it comes again after other handles. */
export type TornHandles = ReadonlyMap<string, RowPlace>;

/** Streams the products of a file. Those with the handles of `torn` are refused. */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { encoding, torn = new Map() }: { encoding?: string | undefined; torn?: TornHandles } = {},
): Promise<ProductCsv> {
  const reader = new TextReader(encoding);
  const guess = new EncodingGuess(reader);
  const start = new StartOfSheet();
  const rows = seen(readCsvRows(chunks, { reader, start }), guess);
  const layout = await readHeader(rows, start);
  return { layout, guess, entries: products(rows, layout, torn) };
}

/**
 * Reads a file for the handles whose rows do not follow each other, as after sorting. They have to be known before the first
 * of these rows is imported.
 */
export async function tornHandles(chunks: AsyncIterable<Uint8Array>, encoding?: string): Promise<TornHandles> {
  const start = new StartOfSheet();
  const rows = readCsvRows(chunks, { reader: new TextReader(encoding), start });
  const torn = new Map<string, RowPlace>();
  const seen = new Set<string>();
  let current = '';
  try {
    const layout = await readHeader(rows, start);
    const handleOf = handleReader(layout);
    for await (const { cells, ...place } of rows) {
      const handle = handleOf(cells);
      if (handle === current) continue;
      current = handle;
      if (seen.has(handle) && !torn.has(handle)) torn.set(handle, place);
      if (handle !== '') seen.add(handle);
    }
  } catch (error) {
    // The import reads the file again, and reports it.
    if (!(error instanceof RowError || error instanceof CsvFileError)) throw error;
  }
  return torn;
}

async function* seen(rows: AsyncIterable<CsvRow>, guess: EncodingGuess): AsyncGenerator<CsvRow> {
  for await (const row of rows) {
    guess.see(row);
    yield row;
  }
}

async function readHeader(rows: AsyncGenerator<CsvRow>, start: StartOfSheet): Promise<Layout> {
  const header = await rows.next().catch((error: unknown) => {
    throw error instanceof RowError ? new CsvFileError(`The file cannot be read as CSV: ${error.message}.`) : error;
  });
  if (header.done) throw new CsvFileError('The file is empty: a product sheet begins with a line of column names.');
  const { cells } = header.value;
  if (cells.length > MAX_COLUMNS) throw new CsvFileError(`The first line has more than ${MAX_COLUMNS} columns.`);
  const layout = readLayout(cells, { hasCommas: start.delimiter === ';' });
  if (!layout.columns.has('handle'))
    throw new CsvFileError(
      'The file is no product sheet: its first line has no column Handle. Columns are separated by commas, semicolons or tabs.',
    );
  return layout;
}

async function* products(rows: AsyncGenerator<CsvRow>, layout: Layout, torn: TornHandles): AsyncGenerator<FileEntry> {
  const groups = new RowGroups(layout, torn);
  const unescaped = cellReader(layout);
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

function cellReader({ columns }: Layout): (cell: string, place: number) => string {
  const keys = keyPlaces(columns);
  return (cell, place) => unescapeCell(cell, keys.has(place));
}

function handleReader(layout: Layout): (cells: readonly string[]) => string {
  const place = layout.columns.get('handle')!;
  const unescaped = cellReader(layout);
  return (cells) => unescaped(cells[place] ?? '', place).trim();
}
