import { partNamed, type RecordPart, recordParts } from '../../change/record-parts.ts';
import type { Context } from '../../context.ts';
import { pipeline, type PipelineStep } from '../../db/connection/pipeline.ts';
import { uniqueMembers } from '../../db/errors/constraint-violation.ts';
import { columnsOf } from '../../db/sql/table-columns.ts';
import { touch } from '../../db/write/touch.ts';
import { isSame, isUnchanged } from '../../db/write/unchanged.ts';
import { insert, update } from '../../db/write/write.ts';
import type { RecordState, Row, RowState } from './take-back.ts';

/** Rows that no change concerns are still the object that was read, so most need no comparison. */
export function changedRows(record: RecordState, part?: string): RowState[] {
  const parts = part === undefined ? [...record.rows.values()] : [record.rows.get(part)];
  const rows = parts.flatMap((rows) => [...(rows?.values() ?? [])]);
  return rows.filter(({ stored, target }) => target && target !== stored && (!stored || !isUnchanged(target, stored)));
}

/** The members of a row that are written; all of them if it did not exist. */
export function changedMembers({ stored, target }: RowState): Row {
  if (!stored) return target!;
  return Object.fromEntries(Object.entries(target!).filter(([member, value]) => !isSame(value, stored[member])));
}

/**
 * Writes the changed rows of records of one type: a few statements, however many records there are. A record of which
 * only parts change gets a new `updatedAt` and `version` too.
 */
export async function writeRecords(ctx: Context, records: readonly RecordState[]): Promise<void> {
  const [first] = records;
  if (!first) return;
  const parts: readonly RecordPart[] = recordParts[first.recordType];
  const steps = parts.flatMap(({ part, table }) => {
    // A row that moves between two of the records is in both.
    const changed = [...new Set(records.flatMap((record) => changedRows(record, part)))];
    const written = changed.flatMap(({ stored, target }) => (stored ? [withNextVersion(target!)] : []));
    const inserted = changed.flatMap(({ stored, target }) => (stored ? [] : [target!]));
    return [...update(ctx, table, written as never), ...insert(ctx, table, inserted as never)] as PipelineStep[];
  });
  const touched = records.filter(isOnlyInParts).map(({ recordId }) => recordId);
  await pipeline(ctx, [...steps, ...touch(ctx, partNamed(first.recordType, '')!.table, touched)]);
}

/**
 * Gives the values of unique members free that other rows of the records take, before any of them is written: pages have
 * their slugs in one table for records of several types.
 */
export async function releaseUniqueValues(ctx: Context, records: readonly RecordState[]): Promise<void> {
  const changed = new Set(records.flatMap((record) => changedRows(record)));
  const byTable = Map.groupBy(changed, ({ part }) => part.table);
  const steps = [...byTable].flatMap(
    ([table, rows]) => update(ctx, table, released(table, rows) as never) as PipelineStep[],
  );
  if (steps.length > 0) await pipeline(ctx, steps);
}

function isOnlyInParts(record: RecordState): boolean {
  return changedRows(record).length > 0 && changedRows(record, '').length === 0;
}

function withNextVersion(row: Row): Row {
  return typeof row['version'] === 'number' ? { ...row, version: row['version'] + 1 } : row;
}

/**
 * The rows whose value of a unique member another row takes, with their ids in its place: rows could otherwise not
 * swap their names, because the database compares each row when it is written.
 */
function released(table: RecordPart['table'], rows: readonly RowState[]): Row[] {
  // Only texts: a reference must be the id of another record.
  const members = uniqueMembers(table).filter((member) => columnsOf(table)[member]!.getSQLType() === 'text');
  const takers = new Map(members.map((member) => [member, takersOf(member, rows)]));
  return rows.flatMap(({ stored }) => {
    if (!stored) return [];
    const taken = members.filter((member) => {
      const taker = stored[member] === null ? undefined : takers.get(member)!.get(unique(stored[member]));
      return taker !== undefined && taker['id'] !== stored['id'];
    });
    return taken.length > 0
      ? [{ ...stored, ...Object.fromEntries(taken.map((member) => [member, stored['id']])) }]
      : [];
  });
}

/**
 * The rows that take a value of a unique member, by that value: rows that get another value, and rows that are restored
 * with their name. Names are unique among rows that are not deleted, other members among all rows.
 */
function takersOf(member: string, rows: readonly RowState[]): Map<string, Row> {
  return new Map(
    rows.flatMap(({ stored, target }) => {
      const isRestored = member === 'name' && stored?.['deleted'] === true && target!['deleted'] !== true;
      const isKept = stored && !isRestored && unique(stored[member]) === unique(target![member]);
      return isKept ? [] : [[unique(target![member]), target!]];
    }),
  );
}

function unique(value: unknown): string {
  return String(value).toLowerCase();
}
