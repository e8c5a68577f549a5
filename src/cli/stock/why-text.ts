import type { StockHold, StockMovement } from '../../graphql/generated/types.ts';
import { oneLine, timeCell } from '../command-line/table.ts';
import { wrapText } from '../command-line/wrap-text.ts';
import { originText } from '../history/history-text.ts';
import type { ExplainedCount } from './explained-stock.ts';
import type { FoundVariant } from '../database/find-place.ts';

const INDENT = '  ';
const CONTINUED = '      ';

/** A paragraph for each location: its count, a line for each hold, and one for each movement, newest first. */
export function stockText({ id, sku, name }: FoundVariant, counts: readonly ExplainedCount[], columns: number): string {
  const head = wrapText(`${oneLine(sku ?? '-')}  ${oneLine(name)}  variant ${id}`, columns, CONTINUED);
  const paragraphs = counts.map((count) => countLines(count, columns));
  if (counts.length === 0) paragraphs.push(['no counts']);
  return [head, ...paragraphs].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

function countLines(count: ExplainedCount, columns: number): string[] {
  const { name, stockCount, heldCount, availableCount, holds, hasMoreHolds, movements, hasMoreMovements } = count;
  return [
    ...wrapText(
      `${oneLine(name)}: count ${stockCount}, held ${heldCount}, available ${availableCount}`,
      columns,
      INDENT,
    ),
    ...holds.flatMap((hold) => wrapText(holdLine(hold), columns, CONTINUED)),
    ...(hasMoreHolds ? [`${INDENT}… more holds, see --limit`] : []),
    ...movements.flatMap((movement) => wrapText(movementLine(movement), columns, CONTINUED)),
    ...(hasMoreMovements ? [`${INDENT}… older movements, see --limit`] : []),
  ];
}

function holdLine({ quantity, reference, expiresAt }: StockHold): string {
  const owner = reference == null ? '' : `, reference ${oneLine(reference)}`;
  return `${INDENT}hold of ${quantity} until ${timeCell(expiresAt)}${owner}`;
}

function movementLine({ createdAt, kind, delta, countAfter, reason, reference, changeSet }: StockMovement): string {
  const difference = delta > 0 ? `+${delta}` : String(delta);
  const facts = [
    originText(changeSet),
    ...(reference == null ? [] : [`reference ${oneLine(reference)}`]),
    ...(reason == null ? [] : [`reason: ${oneLine(reason)}`]),
  ];
  return `${INDENT}${timeCell(createdAt)}  ${kind}  ${difference} → ${countAfter}  ${facts.join(', ')}`;
}
