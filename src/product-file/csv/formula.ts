/**
 * A cell that begins with one of these characters may be calculated as a formula, according to OWASP's page on CSV
 * injection. A line break is one of them, because some programs begin a new cell after it.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Puts an apostrophe before a cell that a spreadsheet program would calculate, as Shopify's exports do. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
