import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { changeMember, columnOf, partNamed, type RecordPart, type recordParts } from '../../change/record-parts.ts';
import { columnsOf, isListColumn, writtenColumns } from '../../db/sql/table-columns.ts';
import { isSame } from '../../db/write/unchanged.ts';
import { withoutChange } from './exact-count.ts';
import type { FormerMembers } from './former-members.ts';
import { changedPrices, type Conflict, priceMembers, takeBackPrices } from './take-back-prices.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A row as it is stored, and as it will be; undefined where it does not exist. */
export type RowState = { readonly part: RecordPart; readonly stored: Row | undefined; target: Row | undefined };

/** The rows of a record by the names of their parts and by their ids. */
export type RecordState = {
  readonly recordType: keyof typeof recordParts;
  readonly recordId: string;
  readonly rows: ReadonlyMap<string, Map<string, RowState>>;
};

/** What a statement changed in the rows of one part of a record. */
export type ChangedPart = { readonly part: string; readonly before: Members; readonly after: Members };
/** The members of rows by the ids of the rows. */
type Members = Readonly<Record<string, Row>>;

/** The members of a change that no save writes. `createdAt` tells created and removed rows from others. */
export const UNWRITTEN: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', 'version']);

/** Whether the part of a change created the record, which others have deleted since. Then nothing is left to take back. */
export function isCreationOfDeleted(
  { recordId, rows }: RecordState,
  { part: name, before, after }: ChangedPart,
): boolean {
  return (
    name === '' &&
    isCreation(before[recordId], after[recordId]) &&
    rows.get('')?.get(recordId)?.stored?.['deleted'] === true
  );
}

/** Whether a part of a change created a row that has these members before and after. */
export function isCreation(former: Row = {}, later: Row = {}): boolean {
  return !('createdAt' in former) && 'createdAt' in later;
}

/** The path of a row, and whether a member of the row has its former value already. */
type Place = { readonly prefix: string; readonly isFormer: (member: string) => boolean };

/** Takes one part of a change back, and returns the members that have changed since. */
export function takeBack(
  record: RecordState,
  { part: name, before, after }: ChangedPart,
  members: FormerMembers,
): Conflict[] {
  const [part, rows] = [partNamed(record.recordType, name), record.rows.get(name)];
  if (!part || !rows) return [];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((id) => {
    const state = rows.get(id) ?? { part, stored: undefined, target: undefined };
    rows.set(id, state);
    const [former = {}, later = {}] = [before[id], after[id]];
    const prefix = pathPrefix(name, id);
    const place: Place = { prefix, isFormer: (member) => members.get(prefix + member) === true };
    if (isCreation(former, later)) return takeBackCreation(state, later, prefix);
    if (isCreation(later, former))
      return takeBackRemoval(state, former, place, { ...part.constant, id, [part.of]: record.recordId });
    return takeBackUpdate(state, former, later, place);
  });
}

/** Paths as part_members.sql makes them. */
export function pathPrefix(part: string, id: string): string {
  if (part === '') return '';
  return part === 'metaData' ? 'metaData.' : `${part}.${id}.`;
}

/**
 * A created row is marked as deleted. The page of a record is not, as in a deletion: it would stay so when a save restores
 * the record. Of a stock count nothing stays that a later movement would add to.
 */
function takeBackCreation(state: RowState, later: Row, prefix: string): Conflict[] {
  const { target } = state;
  if (!target || target['deleted'] === true) return [];
  const conflicts = differences(state, later, (path, found, expected) => ({ path: prefix + path, expected, found }));
  const isCount = state.part.table === productStockLocation;
  const stockCount = isCount && { stockCount: withoutChange(target['stockCount'], null, later['stockCount']) };
  if (conflicts.length === 0 && state.part.part !== 'metaData')
    state.target = { ...target, ...stockCount, deleted: true };
  if (!isCount || conflicts[0]?.path !== 'stockCount') return conflicts;
  // A count that others have changed since stays, without what it was created with.
  state.target = { ...target, ...stockCount };
  return conflicts.slice(1);
}

/** A row that was removed by plain SQL is inserted again. */
function takeBackRemoval(state: RowState, former: Row, { prefix, isFormer }: Place, keys: Row): Conflict[] {
  if (state.target)
    return differences(state, former, (path, found) => ({ path, expected: null, found }))
      .filter(({ path }) => !isFormer(path))
      .map((conflict) => ({ ...conflict, path: prefix + conflict.path }));
  state.target = { ...rowOf(state.part, former), ...keys };
  return [];
}

/** A row with these members of a change. */
export function rowOf(part: RecordPart, shown: Row): Row {
  const empty = writtenColumns(part.table).map(([member, column]) => [member, emptyValue(column)]);
  const members = Object.entries(shown).filter(([member]) => member !== 'updatedAt');
  const values = members.map(([member, value]) => [columnOf(member), storedValue(part, member, value)]);
  return { ...Object.fromEntries(empty), ...Object.fromEntries(values) };
}

/** The expected members that have other values. What others have added to the row since is no difference. */
function differences(
  state: RowState,
  expected: Row,
  conflict: (path: string, found: unknown, expected: unknown) => Conflict,
): Conflict[] {
  return Object.entries(expected).flatMap(([member, value]) => {
    if (UNWRITTEN.has(member)) return [];
    const found = shownValue(state.part, state.target!, member);
    if (isSame(found, value)) return [];
    if (member !== 'prices') return [conflict(member, found, value)];
    const [foundPrices, prices] = [priceMembers(found), priceMembers(value)];
    return [...prices].flatMap(([path, other]) => {
      const one = foundPrices.get(path) ?? null;
      return isSame(one, other) ? [] : [conflict(`prices.${path}`, one, other)];
    });
  });
}

function takeBackUpdate(state: RowState, former: Row, later: Row, { prefix, isFormer }: Place): Conflict[] {
  const members = new Set([...Object.keys(former), ...Object.keys(later)]);
  return [...members.difference(UNWRITTEN)].flatMap((member) => {
    const { part, target } = state;
    const [before, after] = [former[member] ?? null, later[member] ?? null];
    const found = target ? shownValue(part, target, member) : null;
    if (isFormer(member)) return [];
    if (target && part.table === productStockLocation && member === 'stockCount') {
      state.target = { ...target, stockCount: withoutChange(found, before, after) };
      return [];
    }
    if (isSame(found, before)) return [];
    if (target && member === 'prices') return takeBackList(state, found, [before, after], { prefix, isFormer });
    if (!target || !isSame(found, after)) return [{ path: prefix + member, expected: after, found }];
    state.target = { ...target, [columnOf(member)]: storedValue(part, member, before) };
    return [];
  });
}

function takeBackList(
  state: RowState,
  found: unknown,
  [before, after]: [unknown, unknown],
  { prefix, isFormer }: Place,
): Conflict[] {
  const changed = changedPrices(before, after);
  const open = changed.filter((path) => !isFormer(`prices.${path}`));
  if (isSame(found, after) && open.length === changed.length) {
    state.target = { ...state.target, prices: storedValue(state.part, 'prices', before) };
    return [];
  }
  if (open.length === 0) return [];
  const { prices, conflicts } = takeBackPrices(found, before, after, open);
  state.target = { ...state.target, prices };
  return conflicts.map((conflict) => ({ ...conflict, path: `${prefix}prices.${conflict.path}` }));
}

/** Members that no change shows: keys, and what is derived. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['id', 'version', 'path', 'targetType', 'lastMovementNumber']);

/** The members of a row by the names and with the values of changes. */
export function shownMembers(part: RecordPart, row: Row): Row {
  const members = Object.keys(row).filter(
    (member) => !NOT_SHOWN.has(member) && !UNWRITTEN.has(member) && member !== part.of,
  );
  return Object.fromEntries(members.map((member) => [changeMember(member), shownValue(part, row, member)]));
}

/** The value of a member as changes have it: times are in milliseconds. */
export function shownValue(part: RecordPart, row: Row, member: string): unknown {
  const value = row[columnOf(member)] ?? null;
  return typeof value === 'string' && isTime(part, member) ? Date.parse(value) : value;
}

function storedValue(part: RecordPart, member: string, value: unknown): unknown {
  if (value === null) {
    const column = columnsOf(part.table)[columnOf(member)];
    return column ? emptyValue(column) : null;
  }
  return typeof value === 'number' && isTime(part, member) ? new Date(value).toISOString() : value;
}

/** What a row has in a column of which its change says nothing. */
function emptyValue(column: AnyPgColumn): unknown {
  if (!column.notNull) return null;
  return isListColumn(column) ? [] : typeof column.default === 'object' ? null : (column.default ?? null);
}

function isTime(part: RecordPart, member: string): boolean {
  return columnsOf(part.table)[columnOf(member)]?.getSQLType().startsWith('timestamp') ?? false;
}
