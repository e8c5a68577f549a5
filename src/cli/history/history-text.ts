import type { Change, ChangeMember, ChangeSet } from '../../graphql/generated/types.ts';
import { oneLine } from '../command-line/table.ts';
import { wrapText } from '../command-line/wrap-text.ts';

const INDENT = '    ';

/** A paragraph for each change: when, what and who, and a line for each member. Longer lines are continued below. */
export function historyText(changes: readonly Change[], columns: number): string {
  if (changes.length === 0) return 'no changes\n';
  const width = Math.max(columns, 40);
  return changes.map((change) => changeText(change, width)).join('\n');
}

function changeText(change: Change, width: number): string {
  const { createdAt, number, kind, members, truncated } = change;
  const head = `${new Date(createdAt).toISOString()}  ${number}  ${kind}  ${originText(change.changeSet)}, change set ${change.changeSet.id}`;
  const rest = truncated ? [`${INDENT}(values are missing: too large, history full, or customer erased)`] : [];
  const lines = [...wrapText(head, width, INDENT), ...members.flatMap((member) => memberLines(member, width)), ...rest];
  return `${lines.join('\n')}\n`;
}

/** Who made the change, in words. */
export function originText({ operation, app, actor, databaseRole, applicationName }: ChangeSet): string {
  if (databaseRole != null)
    return `by SQL as ${oneLine(databaseRole)}${applicationName == null ? '' : ` (${oneLine(applicationName)})`}`;
  const by = app ? ` of ${oneLine(app.name)}` : '';
  return `by ${oneLine(operation ?? 'a request')}${by}${actor == null ? '' : ` for ${oneLine(actor)}`}`;
}

export function memberLines({ path, before, after }: ChangeMember, width: number): string[] {
  const values = `${before ?? '-'} → ${after ?? '-'}`;
  const line = `${INDENT}${path}: ${oneLine(values)}`;
  if (line.length <= width) return [line];
  return [
    `${INDENT}${path}:`,
    ...wrapText(`- ${oneLine(before ?? '')}`, width, INDENT),
    ...wrapText(`+ ${oneLine(after ?? '')}`, width, INDENT),
  ];
}

/** A sheet for auditors, with a row for each member. */
export async function historyCsv(changes: readonly Change[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const { escapeFormula } = await import('../../product-file/csv/text/escape.ts');
  const rows = changes.flatMap(({ members, ...change }) =>
    (members.length > 0 ? members : [{ path: '', before: null, after: null }]).map(({ path, before, after }) => [
      new Date(change.createdAt).toISOString(),
      change.recordType,
      change.recordId,
      String(change.number),
      change.kind,
      change.changeSet.app?.name ?? '',
      change.changeSet.operation ?? '',
      change.changeSet.actor ?? '',
      change.changeSet.databaseRole ?? '',
      change.changeSet.id,
      path,
      before ?? '',
      after ?? '',
    ]),
  );
  return stringify([TITLES, ...rows.map((row) => row.map(escapeFormula))]);
}

const TITLES = [
  'Time',
  'Record type',
  'Record',
  'Number',
  'Kind',
  'App',
  'Operation',
  'Person',
  'Database role',
  'Change set',
  'Member',
  'Before',
  'After',
];
