/**
 * Characters with which a cell may be a formula: those of OWASP's page on CSV injection. A line break, too, can begin a
 * cell in a program that splits by lines.
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;
const NUMBER = /^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The cell with an apostrophe before what a spreadsheet would calculate, as in Shopify's exports. */
export function escapeFormula(cell: string): string {
  return FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
}

export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
