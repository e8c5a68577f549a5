/** Spreadsheets separate cells by these, as their language does. The first is assumed if none occurs. */
const DELIMITERS = [',', ';', '\t'] as const;
/** The line by which spreadsheets name the delimiter. */
const NAMED = /^\ufeff?sep=(.)(?:\r\n|\n|\r)/i;

export type Start = { delimiter: string; text: string; line: number };

/**
 * What the beginning of a file says: its delimiter, the text without a line that names the delimiter, and the number of
 * the next line. Undefined if the first line is not complete.
 */
export function startOf(text: string, isLast: boolean): Start | undefined {
  const named = NAMED.exec(text);
  if (named) return { delimiter: named[1]!, text: text.slice(named[0].length), line: 2 };
  const counts = countsInFirstLine(text, isLast);
  if (!counts) return undefined;
  const delimiter = [...DELIMITERS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0]!;
  return { delimiter, text, line: 1 };
}

/** How often each delimiter occurs outside of quotes. Empty lines before the first one do not count. */
function countsInFirstLine(text: string, isLast: boolean): Map<string, number> | undefined {
  const counts = new Map<string, number>();
  let isQuoted = false;
  let isEmpty = true;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) {
      if (!isEmpty) return counts;
      continue;
    } else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
    isEmpty = false;
  }
  return isLast ? counts : undefined;
}
