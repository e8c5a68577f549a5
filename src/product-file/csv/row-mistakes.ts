import { inOrder, MAX_LISTED_MISTAKES, type Mistake } from '../import/skipped.ts';
import type { RowPlace } from './text/read-csv-rows.ts';

/** The place of a mistake that is not in one cell. */
export const WHOLE_ROW = -1;

/**
 * The mistakes in the rows of one product, one more at most than are listed. Only the first one of a cell counts, because
 * a cell is read several times.
 */
export class RowMistakes {
  readonly #found = new Map<string, Mistake>();

  add({ line, row }: RowPlace, place: number, reason: string): void {
    const key = place === WHOLE_ROW ? `${line} ${reason}` : `${line} ${place}`;
    if (this.#found.has(key) || this.#found.size > MAX_LISTED_MISTAKES) return;
    const column = place === WHOLE_ROW ? {} : { column: columnLetters(place) };
    this.#found.set(key, { line, row, ...column, reason });
  }

  list(): Mistake[] {
    return inOrder([...this.#found.values()]);
  }
}

/** The letters over a column in spreadsheet programs: A, …, Z, AA, AB, … */
export function columnLetters(place: number): string {
  const letter = String.fromCodePoint('A'.codePointAt(0)! + (place % 26));
  return place < 26 ? letter : columnLetters(Math.floor(place / 26) - 1) + letter;
}
