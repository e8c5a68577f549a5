import type { RevertResult } from '../../graphql/generated/types.ts';
import type { ListedConflict } from '../../revert/listed-conflicts.ts';
import { oneLine } from '../command-line/table.ts';
import { memberLines } from './history-text.ts';

type Layout = { columns: number; isDryRun: boolean };
export type Reverted = RevertResult & { errors?: readonly { path: string; message: string }[]; interrupted?: true };

/** A paragraph for each record, with a line for each member, and a summary. */
export function revertText(result: Reverted, { columns, isDryRun }: Layout): string {
  const { recordCount, records, changeSetId, erasedCustomerIds } = result;
  const erased = erasedCustomerIds.map((id) => ({ path: `CUSTOMER.${id}`, message: 'the customer is erased' }));
  const errors = result.errors ?? erased;
  const paragraphs = records.map(({ recordType, recordId, members }) =>
    [`${recordType} ${recordId}`, ...members.flatMap((member) => memberLines(member, Math.max(columns, 40))), ''].join(
      '\n',
    ),
  );
  const left = errors.map(({ path, message }) => `left: ${path}: ${oneLine(message)}\n`);
  const verb = isDryRun ? 'would be taken back' : 'taken back';
  const isDone = changeSetId != null && recordCount > 0 && !isDryRun;
  const set = !isDone ? '' : `; take this back with: commerce revert ${changeSetId}`;
  return `${paragraphs.join('\n')}${left.join('')}${recordCount} ${recordCount === 1 ? 'record' : 'records'} ${verb}${set}\n`;
}

/** A line for each member that has changed since, and how many are not listed. */
export function conflictsText(conflicts: readonly ListedConflict[], count: number): string {
  const lines = conflicts.map(
    ({ recordType, recordId, path, expected, found }) =>
      `${recordType} ${recordId} ${path}: ${oneLine(`${expected ?? '-'} was expected, ${found ?? '-'} was found`)}`,
  );
  const more = count > conflicts.length ? [`and ${count - conflicts.length} more`] : [];
  return [...lines, ...more].join('\n');
}
