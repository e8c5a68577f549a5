/**
 * A cell that begins with one of these characters may be calculated as a formula, according to OWASP's page on CSV
 * injection. A line break is one of them, because some programs begin a new cell after it.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Names and abbreviations of months in English and German. */
const MONTH = `(?:${[
  'jan(?:uary?)?',
  'feb(?:ruary?)?',
  'mar(?:ch)?',
  'märz?',
  'mrz',
  'apr(?:il)?',
  'ma[iy]',
  'jun[ei]?',
  'jul[iy]?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'o[ck]t(?:ober)?',
  'nov(?:ember)?',
  'de[cz](?:ember)?',
].join('|')})`;
/**
 * Texts that spreadsheet programs replace by other numbers, dates, times or boolean values: 0012, 4006381333931, 3E10,
 * 1.50, .5, (12), 1 1/2, 10-12, 5 May, May 5, 5 PM, True. Words are English or German.
 */
const REPLACED = new RegExp(
  `^'*\\s*(?:${[
    '-?0\\d+',
    '-?\\d{12,}',
    '-?\\d+(?:[.,]\\d+)?e-?\\d+',
    '-?(?:\\d+\\s+)?\\d+(?:\\s*[./:,-]\\s*\\d+)+[./-]?',
    '-?[.,]\\d+',
    '\\(\\d+(?:[.,]\\d+)*\\)',
    '\\d{1,2}\\s+[ap]m?',
    `\\d{1,4}[\\s./-]*${MONTH}(?:[\\s./,-]*\\d{1,4})?`,
    `${MONTH}[\\s./,-]*\\d{1,4}(?:[\\s./,-]+\\d{1,4})?`,
    'true|false|wahr|falsch',
  ].join('|')})(?:\\s+\\d{1,2}(?::\\d+)+)?(?:\\s+[ap]m?)?\\s*$`,
  'iu',
);
/** Replaced too, but in columns of keys `printKey` writes the apostrophe: an import refuses such a key without it. */
const SHORTENED = /^'*\s*-?\d+(?:[.,]\d+)?e\+\d+\s*$/iu;

/** Puts an apostrophe before a cell that a spreadsheet program would calculate, as Shopify's exports do. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell) ? `'${cell}` : cell;
}

/**
 * Puts an apostrophe before a cell whose own apostrophe an import would remove. `keepsText`: also before a text that a
 * spreadsheet program would replace.
 */
export function escapeCell(cell: string, { keepsText, isKey }: { keepsText: boolean; isKey: boolean }): string {
  return (keepsText || cell.startsWith("'")) && isReplaced(cell, isKey) ? `'${cell}` : escapeFormula(cell);
}

export function unescapeCell(cell: string, isKey: boolean): string {
  return cell.startsWith("'") && (FORMULA.test(cell) || isReplaced(cell, isKey)) ? cell.slice(1) : cell;
}

function isReplaced(cell: string, isKey: boolean): boolean {
  return REPLACED.test(cell) || (!isKey && SHORTENED.test(cell));
}
