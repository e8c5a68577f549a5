import type { Mistake } from '../../import/skipped.ts';
import { quoted } from '../cells.ts';
import { columnLetters } from '../row-mistakes.ts';
import type { CsvRow } from './read-csv-rows.ts';
import type { TextReader } from './text-reader.ts';

const WORD_BEYOND_ASCII = /\S*[^\0-\x7f]\S*/;

/**
 * Keeps the first word beyond ASCII of a sheet whose encoding was guessed. Bytes do not tell Windows-1252 from other
 * encodings of one byte, such as that of Excel for Mac, but a reader sees it in a word.
 */
export class EncodingGuess {
  readonly #reader: TextReader;
  /** Undefined if nothing was guessed. */
  warning: Mistake | undefined;

  constructor(reader: TextReader) {
    this.#reader = reader;
  }

  see({ cells, line, row }: CsvRow): void {
    if (this.warning || !this.#reader.isGuessed) return;
    const place = cells.findIndex((cell) => WORD_BEYOND_ASCII.test(cell));
    if (place === -1) return;
    const [word] = WORD_BEYOND_ASCII.exec(cells[place]!)!;
    const reason = `is read as Windows-1252, as in ${quoted(word)}: if that is wrong, give --encoding, such as macintosh or windows-1250`;
    this.warning = { line, row, column: columnLetters(place), reason };
  }
}
