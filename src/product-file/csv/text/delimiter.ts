/**
 * Spreadsheet programs separate cells by one of these, depending on the language. The first is used if none occurs.
 * csv-parse takes a list of delimiters too, but would use all of them in one sheet: a comma would divide a cell of a
 * sheet with semicolons. Its `delimiter_auto` (7.0.3) throws a TypeError at a letter beyond ASCII, fails at a quoted
 * title in a sheet with semicolons, and counts all characters of many lines, also those in descriptions.
 */
const DELIMITERS = [',', ';', '\t'] as const;
/** The line `sep=;` with which spreadsheet programs name the delimiter before the first row. */
const NAMED = /^\ufeff?sep=([^"\r\n])(?:\r\n|\n|\r)/iu;
/** The delimiter is recognized in this part of the first line, in UTF-16 units, if the line is longer. */
const MAX_SNIFFED_LENGTH = 65_536;

/** The delimiter of a sheet, its first text without a line that names the delimiter, and the number of the text's line. */
export type Start = { delimiter: string; text: string; line: number };

/** Recognizes the delimiter in the first line of a sheet, which may arrive in any number of chunks. */
export class StartOfSheet {
  /** Undefined until it is recognized. */
  delimiter: string | undefined;
  #text = '';
  #isQuoted = false;
  #isEmpty = true;
  #isComplete = false;
  readonly #counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));

  /** Undefined if the first line is not complete yet. */
  read(text: string, isLast: boolean): Start | undefined {
    this.#text += text;
    if (!this.#isComplete) this.#count(text);
    // A line feed that belongs to the line break may be in the next chunk.
    const isEnded = this.#isComplete && !this.#text.endsWith('\r');
    if (!isEnded && !isLast && this.#text.length <= MAX_SNIFFED_LENGTH) return undefined;
    const start = this.#start();
    this.delimiter = start.delimiter;
    return start;
  }

  #start(): Start {
    const named = NAMED.exec(this.#text);
    if (named) return { delimiter: named[1]!, text: this.#text.slice(named[0].length), line: 2 };
    const delimiter = DELIMITERS.toSorted((a, b) => this.#counts.get(b)! - this.#counts.get(a)!)[0]!;
    return { delimiter, text: this.#text, line: 1 };
  }

  /** Counts the delimiters outside of quotes, up to the end of the first line that is not empty. */
  #count(text: string): void {
    for (const character of text) {
      const isBreak = !this.#isQuoted && (character === '\n' || character === '\r');
      if (isBreak && this.#isEmpty) continue;
      this.#isComplete = isBreak;
      if (isBreak) return;
      this.#isEmpty = false;
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      const count = this.#isQuoted ? undefined : this.#counts.get(character);
      if (count !== undefined) this.#counts.set(character, count + 1);
    }
  }
}
