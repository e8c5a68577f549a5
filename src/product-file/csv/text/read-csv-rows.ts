import { type CsvError, parse } from 'csv-parse';
import { MAX_PRODUCT_BYTES } from '../../import/file-product.ts';
import { type Start, StartOfSheet } from './delimiter.ts';
import { EncodingError, TextReader } from './text-reader.ts';

/** Ends a file in which a quote is never closed. */
const MAX_ROW_BYTES = MAX_PRODUCT_BYTES;
const START: RowPlace = { row: 1, line: 1 };
const TOO_LONG = `a row has more than ${MAX_ROW_BYTES} bytes, perhaps because a quote is not closed`;

/** A row as spreadsheet programs number it, and the line of the file's text where it begins. */
export type RowPlace = { row: number; line: number };
export type CsvRow = RowPlace & { cells: readonly string[] };

/** The file is damaged at this row. */
export class RowError extends Error {
  readonly place: RowPlace;
  override readonly name = 'RowError';

  constructor(place: RowPlace, message: string) {
    super(message);
    this.place = place;
  }
}

/**
 * Streams the rows of a CSV file without empty rows. If the file is damaged, all rows before the damage are returned,
 * and then RowError is thrown. The delimiter is recognized.
 */
export async function* readCsvRows(
  chunks: AsyncIterable<Uint8Array>,
  { reader = new TextReader(), start = new StartOfSheet() } = {},
): AsyncGenerator<CsvRow> {
  let parser: ReturnType<typeof rowParser> | undefined;
  for await (const chunk of withEnd(chunks)) {
    const isLast = chunk === undefined;
    let text = decode(reader, parser?.place() ?? START, chunk);
    if (!parser) {
      const begun = start.read(text, isLast);
      if (!begun) continue;
      parser = rowParser(begun);
      text = begun.text;
    }
    yield* parser.read(text, isLast);
  }
}

/** The chunks, and undefined after the last one. */
async function* withEnd(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  yield* chunks;
  yield undefined;
}

function decode(reader: TextReader, place: RowPlace, chunk?: Uint8Array): string {
  try {
    return reader.read(chunk ?? new Uint8Array(), !chunk);
  } catch (error) {
    throw error instanceof EncodingError ? new RowError(place, error.message) : error;
  }
}

/** Calls the parser directly: as a stream it would drop the rows that were not read yet when it fails. */
function rowParser(start: Start) {
  let rows: CsvRow[] = [];
  let { line } = start;
  // Spreadsheet programs show empty lines as rows, a row with line breaks as one, and no row for `sep=;`.
  let row = START.row;
  let emptyLines = 0;
  let unendedLength = 0;
  const parser = parse({
    delimiter: start.delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], { empty_lines }) => {
      line += empty_lines - emptyLines;
      row += empty_lines - emptyLines;
      emptyLines = empty_lines;
      if (cells.some((cell) => cell !== '')) rows.push({ row, line, cells });
      line += 1 + lineBreaks(cells);
      row += 1;
      return null;
    },
  });
  // Errors are reported by the callbacks.
  parser.on('error', () => {});
  const feed = async (text: string, isLast: boolean): Promise<Error | null | undefined> =>
    await new Promise((done) => {
      if (isLast) parser.end(text, done as () => void);
      else parser.write(text, done);
    });
  return {
    place: (): RowPlace => ({ row, line }),
    read: async function* (text: string, isLast: boolean): AsyncGenerator<CsvRow> {
      const { lines } = parser.info;
      const error = await feed(text, isLast);
      // The parser counts only the bytes of cells: a row of delimiters alone would have any number of cells.
      unendedLength = parser.info.lines === lines ? unendedLength + text.length : 0;
      yield* rows;
      rows = [];
      if (error) throw new RowError({ row, line }, describeCsvError(error as CsvError));
      if (unendedLength > MAX_ROW_BYTES) throw new RowError({ row, line }, TOO_LONG);
    },
  };
}

function describeCsvError({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and not closed';
  if (code === 'CSV_MAX_RECORD_SIZE') return TOO_LONG;
  return message;
}

function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}
