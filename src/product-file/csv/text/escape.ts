/**
 * A cell that begins with one of these characters may be calculated as a formula, according to OWASP's page on CSV
 * injection. A line break is one of them, because some programs begin a new cell after it.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const MONTH =
  '(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?';
/**
 * Texts that spreadsheet programs replace by other numbers or dates: 0012, 4006381333931, 3E10, 1.50, .5, 10-12, 5 May,
 * May 5. Names of months are English or German. Numbers with `E+` are left out: imports refuse them as keys without an
 * apostrophe.
 */
const REPLACED = new RegExp(
  `^'*\\s*(?:${[
    '-?0\\d+',
    '-?\\d{12,}',
    '-?\\d+(?:[.,]\\d+)?e-?\\d+',
    '\\d+(?:\\s*[./:,-]\\s*\\d+)+[./-]?',
    '-?[.,]\\d+',
    `\\d{1,4}[\\s./-]*${MONTH}(?:[\\s./,-]*\\d{1,4})?`,
    `${MONTH}[\\s./,-]*\\d{1,4}(?:[\\s./,-]+\\d{1,4})?`,
  ].join('|')})\\s*$`,
  'iu',
);

/** Puts an apostrophe before a cell that a spreadsheet program would calculate, as Shopify's exports do. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !NEGATIVE_NUMBER.test(cell) ? `'${cell}` : cell;
}

/**
 * Puts an apostrophe before a cell whose own apostrophe an import would remove. `keepsText`: also before a text that a
 * spreadsheet program would replace.
 */
export function escapeCell(cell: string, keepsText: boolean): string {
  return (keepsText || cell.startsWith("'")) && REPLACED.test(cell) ? `'${cell}` : escapeFormula(cell);
}

export function unescapeCell(cell: string): string {
  return cell.startsWith("'") && (FORMULA.test(cell) || REPLACED.test(cell)) ? cell.slice(1) : cell;
}
