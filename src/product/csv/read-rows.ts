import { type CsvError, parse } from 'csv-parse';

/** Far above any product's text, and a bound for a quote that is never closed. */
const ROW_MAX_BYTES = 1_048_576;

/** A row of cells and the line of the file that it begins on. */
export type CsvRow = { line: number; cells: readonly string[] };

/** Damage in the file, with the line where it was met. */
export class RowError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'RowError';
    this.line = line;
  }
}

/** The rows of a CSV text as its bytes come; empty ones are passed over. All rows before a damage are answered. */
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

/** The parser is fed by hand: as a stream that fails it would throw away the rows that were not asked for yet. */
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
    max_record_size: ROW_MAX_BYTES,
    on_record: (cells: string[], { empty_lines }) => {
      line += empty_lines - emptyLines;
      emptyLines = empty_lines;
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
      line += 1 + lineBreaks(cells);
      return null;
    },
  });
  // The callbacks of its methods tell what is wrong.
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
      if (error) throw new RowError(line, explain(error as CsvError));
    },
  };
}

function explain({ code, message }: CsvError): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and not closed';
  if (code === 'CSV_MAX_RECORD_SIZE')
    return `a row has more than ${ROW_MAX_BYTES} bytes, perhaps because a quote is not closed`;
  return message;
}

function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((count, cell) => count + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}
