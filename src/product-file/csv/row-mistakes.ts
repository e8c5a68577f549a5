import { inOrder, MAX_LISTED_MISTAKES, type Mistake } from '../import/skipped.ts';
import type { RowPlace } from './text/read-csv-rows.ts';

/**
 * The mistakes in the rows of one product, one more at most than are listed. Only the first one of a cell counts, because
 * a cell is read several times.
 */
export class RowMistakes {
  /** Made with the first mistake, because `RowGroups` keeps the mistakes of each product of a file. */
  #found: Map<string, Mistake> | undefined;

  /** Without a place, the whole row is meant. */
  add({ line, row }: RowPlace, place: number | undefined, reason: string): void {
    const key = place === undefined ? `${line} ${reason}` : `${line} ${place}`;
    this.#found ??= new Map();
    if (this.#found.has(key) || this.#found.size > MAX_LISTED_MISTAKES) return;
    this.#found.set(key, { line, row, ...(place !== undefined && { column: columnLetters(place) }), reason });
  }

  list(): Mistake[] {
    return inOrder([...(this.#found?.values() ?? [])]);
  }
}

/** The letters over a column in spreadsheet programs: A, …, Z, AA, AB, … */
export function columnLetters(place: number): string {
  const letter = String.fromCodePoint('A'.codePointAt(0)! + (place % 26));
  return place < 26 ? letter : columnLetters(Math.floor(place / 26) - 1) + letter;
}
