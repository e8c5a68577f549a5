import { type CsvError, parse } from 'csv-parse';

/** More than any product text. Limits a quote that is never closed. */
const MAX_ROW_BYTES = 1_048_576;

/** A row, and the line of the file where it begins. */
export type CsvRow = { line: number; cells: readonly string[] };

/** The file is damaged at this line. */
export class RowError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'RowError';
    this.line = line;
  }
}

/** Streams the rows of a CSV file without empty rows. Yields all rows before a damage, then throws RowError. */
export async function* readRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parser = rowParser();
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new RowError(parser.line(), 'it is not UTF-8 text');
    }
  };
  for await (const chunk of chunks) yield* parser.read(decode(chunk), false);
  yield* parser.read(decode(), true);
}

/** Calls the parser directly: as a stream it would drop the rows that were not read yet when it fails. */
function rowParser() {
  let rows: CsvRow[] = [];
  let line = 1;
  let emptyLines = 0;
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], { empty_lines }) => {
      line += empty_lines - emptyLines;
      emptyLines = empty_lines;
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
      line += 1 + lineBreaks(cells);
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
    line: () => line,
    read: async function* (text: string, isLast: boolean): AsyncGenerator<CsvRow> {
      const error = await feed(text, isLast);
      yield* rows;
      rows = [];
      if (error) throw new RowError(line, describeCsvError(error as CsvError));
    },
  };
}

function describeCsvError({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and not closed';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `a row has more than ${MAX_ROW_BYTES} bytes, perhaps because a quote is not closed`;
  return message;
}

function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}
