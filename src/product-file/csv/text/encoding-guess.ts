import type { CsvRow, RowPlace } from './read-csv-rows.ts';
import type { TextReader } from './text-reader.ts';

const WORD_BEYOND_ASCII = /\S*[^\0-\x7f]\S*/;

/**
 * Keeps the first word beyond ASCII of a sheet whose encoding was guessed. Bytes do not tell Windows-1252 from other
 * encodings of one byte, such as that of Excel for Mac, but a reader sees it in a word.
 */
export class EncodingGuess {
  readonly #reader: TextReader;
  /** Undefined if nothing was guessed. `place`: the column. */
  word: (RowPlace & { place: number; text: string }) | undefined;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  see({ cells, line, row }: CsvRow): void {
    if (this.word || !this.#reader.isGuessed) return;
    const place = cells.findIndex((cell) => WORD_BEYOND_ASCII.test(cell));
    const [text] = WORD_BEYOND_ASCII.exec(cells[place] ?? '') ?? [];
    if (text !== undefined) this.word = { line, row, place, text };
  }
}
