/** Bounds the memory for a file that is no product file: each of its lines may be one that cannot be read. */
const MAX_LISTED = 100_000;
/** Longer than the letters of any column. */
const MAX_LETTERS = 8;
/** Mistakes of one product that are listed. A last entry says that there are more. */
export const MAX_LISTED_MISTAKES = 1_000;

/** Where something is in a file: the line of its text, and in a sheet the row, as spreadsheet programs number it. */
export type Place = { line: number; row?: number };

/** `column`: the letters of the column in a sheet; left out if the whole row is meant. */
export type Mistake = Place & { column?: string; reason: string };

/** What is imported and is probably a slip. */
export type Warning = Mistake & { handle: string | null };

/**
 * A part of the file that the import skips, and why. `reason` joins those of all mistakes. A product of which the shop has a
 * newer state has no `mistakes`.
 */
export type Skipped = Place & { handle: string | null; reason: string; mistakes?: Mistake[] };

/** An entry for what is no mistake of the file, such as a newer state in the shop. */
export function reasonFor(part: Place & { handle: string | null }, reason: string): Skipped {
  const { line, ...row } = placeOf(part);
  return { line, handle: part.handle, reason, ...row };
}

export function skippedFor(part: Place & { handle: string | null }, reason: string): Skipped {
  return skippedBy(part.handle, [{ ...placeOf(part), reason }]);
}

export function repeated(part: Place & { handle: string }, earlier: Place): Skipped {
  return skippedFor(part, `is a product that the file has on ${placeText(earlier)} already`);
}

/** The place of a product or part with these mistakes is that of the first one. */
export function skippedBy(handle: string | null, mistakes: readonly Mistake[]): Skipped {
  const [first] = mistakes as [Mistake];
  const listed = atMost(mistakes);
  const reasons = listed.map((mistake) =>
    mistake.line === first.line ? mistake.reason : `${placeText(mistake)}: ${mistake.reason}`,
  );
  return { ...reasonFor({ ...placeOf(first), handle }, reasons.join('; ')), mistakes: listed };
}

/** Adds an entry. The last one that is listed says that further ones are not. */
export function listSkipped(skipped: Skipped[], entry: Skipped): void {
  if (skipped.length > MAX_LISTED) return;
  const more = '; further lines that cannot be read are skipped too, and not listed';
  skipped.push(skipped.length < MAX_LISTED ? entry : { ...entry, reason: entry.reason + more });
}

/** The place of what has more members. */
export function placeOf({ line, row }: Place): Place {
  return row === undefined ? { line } : { line, row };
}

/** The place as messages name it. */
export function placeText({ line, row }: Place): string {
  return row === undefined ? `line ${line}` : `row ${row}`;
}

/** Each mistake once: one cell may be refused at two members. */
export function distinctMistakes(mistakes: readonly Mistake[]): Mistake[] {
  const keyOf = ({ line, column, reason }: Mistake) => JSON.stringify([line, column, reason]);
  return [...new Map(mistakes.map((mistake) => [keyOf(mistake), mistake])).values()];
}

/** In the order of the file. */
export function inOrder(mistakes: readonly Mistake[]): Mistake[] {
  const letters = ({ column = '' }: Mistake): string => column.padStart(MAX_LETTERS);
  return mistakes.toSorted(
    (a, b) => a.line - b.line || (letters(a) < letters(b) ? -1 : Number(letters(a) > letters(b))),
  );
}

/**
 * Leaves out what may only follow from the known mistakes: another mistake of the same cell, and one without a column in the
 * same row, such as two variants that look the same without an option.
 */
export function withoutFollowing(mistakes: readonly Mistake[], known: readonly Mistake[]): Mistake[] {
  return mistakes.filter(
    ({ line, column }) => !known.some((one) => one.line === line && (column === undefined || one.column === column)),
  );
}

function atMost(mistakes: readonly Mistake[]): Mistake[] {
  const listed = mistakes.slice(0, MAX_LISTED_MISTAKES);
  if (mistakes.length === listed.length) return listed;
  return [...listed, { ...placeOf(listed.at(-1)!), reason: 'the product has more mistakes, which are not listed' }];
}
