import type { Context } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import { isSame } from '../../db/write/unchanged.ts';
import { lockedRows, storedRows } from '../../db/write/stored-rows.ts';
import type { Conflict } from './take-back-prices.ts';
import {
  type ChangedPart,
  isCreation,
  pathPrefix,
  type RecordState,
  type Row,
  rowOf,
  type RowState,
  shownMembers,
} from './take-back.ts';

/** A row that would be inserted into a record again. */
type Inserted = { record: RecordState; id: string; state: RowState };
type PartOfRecord = ChangedPart & Pick<RecordState, 'recordId'>;
type MoveConflict = Conflict & Pick<RecordState, 'recordType' | 'recordId'>;

/**
 * Plain SQL can move a part to another record, such as a variant to another product. This is recorded as a removal from
 * the one record and a creation in the other. To take the removal back, the part is moved back instead of inserted. If
 * its values have changed since, that is a conflict. It does not matter whether the other record is taken back too, except
 * for values that the same statement changed: only the creation shows them.
 */
export async function takeMovesBack(
  ctx: Context,
  records: readonly RecordState[],
  parts: readonly PartOfRecord[],
  areLocked: boolean,
): Promise<MoveConflict[]> {
  const conflicts: MoveConflict[] = [];
  const byTable = Map.groupBy(records.flatMap(insertedParts), ({ state }) => state.part.table);
  for (const [table, inserted] of byTable) {
    const ids = [...new Set(inserted.map(({ id }) => id))].sort();
    const rowsOf = areLocked ? lockedRows : storedRows;
    const found = await pipeline(ctx, [rowsOf(ctx, table, { member: 'id', ids })]);
    const stored = new Map(found.map((row) => [String(row['id' as never]), row as Row]));
    for (const one of inserted) {
      const row = stored.get(one.id);
      if (row) conflicts.push(...moveBack(records, parts, one, row));
    }
  }
  return conflicts;
}

function insertedParts(record: RecordState): Inserted[] {
  return [...record.rows].flatMap(([part, rows]) =>
    part === ''
      ? []
      : [...rows].flatMap(([id, state]) => (!state.stored && state.target ? [{ record, id, state }] : [])),
  );
}

function moveBack(
  records: readonly RecordState[],
  parts: readonly PartOfRecord[],
  { record, id, state }: Inserted,
  stored: Row,
): MoveConflict[] {
  const { recordType, recordId } = record;
  const { part } = state;
  const rows = afterMove(records, parts, { id, state, stored }) ?? [state.target!, stored];
  const [former, found] = rows.map((row) => shownMembers(part, row)) as [Row, Row];
  // The revert of its creation in the other record may have marked it as deleted before.
  const changed = Object.keys(former).filter(
    (member) => member !== 'deleted' && !isSame(former[member], found[member]),
  );
  if (changed.length > 0)
    return changed.map((member) => ({
      recordType,
      recordId,
      path: pathPrefix(part.part, id) + member,
      expected: former[member],
      found: found[member],
    }));
  const { createdAt: _, ...target } = state.target!;
  const moved: RowState = { part, stored, target };
  // The record that it leaves is changed too.
  for (const { rows } of records) {
    const own = rows.get(part.part);
    if (own?.has(id)) own.set(id, moved);
  }
  return [];
}

/** The row as its creation in the other record shows it, and as it is after the later changes of it are taken back. */
function afterMove(
  records: readonly RecordState[],
  parts: readonly PartOfRecord[],
  { id, state, stored }: { id: string; state: RowState; stored: Row },
): [Row, Row] | undefined {
  const { part } = state;
  const holder = stored[part.of];
  const creation = parts.find(
    ({ recordId, part: name, before, after }) =>
      recordId === holder && name === part.part && isCreation(before[id], after[id]),
  );
  const found = records
    .find(({ recordId }) => recordId === holder)
    ?.rows.get(part.part)
    ?.get(id)?.target;
  return creation && found ? [rowOf(part, creation.after[id]!), found] : undefined;
}
