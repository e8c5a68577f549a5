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

const COLUMNS: Readonly<Record<string, (change: Change, member: ChangeMember) => string>> = {
  Time: ({ createdAt }) => new Date(createdAt).toISOString(),
  'Record type': ({ recordType }) => recordType,
  Record: ({ recordId }) => recordId,
  Number: ({ number }) => String(number),
  Kind: ({ kind }) => kind,
  App: ({ changeSet }) => changeSet.app?.name ?? '',
  Operation: ({ changeSet }) => changeSet.operation ?? '',
  Person: ({ changeSet }) => changeSet.actor ?? '',
  'Database role': ({ changeSet }) => changeSet.databaseRole ?? '',
  'Change set': ({ changeSet }) => changeSet.id,
  Member: (_, { path }) => path,
  Before: (_, { before }) => before ?? '',
  After: (_, { after }) => after ?? '',
};

const NO_MEMBER: ChangeMember = { path: '', before: null, after: null };

/** A sheet for auditors, with a row for each member. */
export async function historyCsv(changes: readonly Change[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const { escapeFormula } = await import('../../product-file/csv/text/escape.ts');
  const rows = changes.flatMap((change) =>
    (change.members.length > 0 ? change.members : [NO_MEMBER]).map((member) =>
      Object.values(COLUMNS).map((cell) => escapeFormula(cell(change, member))),
    ),
  );
  return stringify([Object.keys(COLUMNS), ...rows]);
}
