import { isSame } from '../../db/write/unchanged.ts';
import { changedPrices, priceMembers } from './take-back-prices.ts';
import { type ChangedPart, pathPrefix, type RecordState, type Row, shownValue, UNWRITTEN } from './take-back.ts';

/** Whether members have the values that they had before the first of several changes, by their paths. */
export type FormerMembers = ReadonlyMap<string, boolean>;

/**
 * Compares the members that a part of a change changed with their former values. It is called for the last change first,
 * so that the result of the first change stays: of a member that was changed twice, the second change alone does not
 * show the former value.
 */
export function compareFormer(
  record: RecordState,
  { part: name, before, after }: ChangedPart,
  members: Map<string, boolean>,
): void {
  for (const id of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const { part, stored } = record.rows.get(name)?.get(id) ?? {};
    const [former = {}, later = {}] = [before[id], after[id]];
    if (!part || !stored) continue;
    const found = (member: string): unknown => shownValue(part, stored, member);
    for (const [path, isFormer] of compared(former, later, found)) members.set(pathPrefix(name, id) + path, isFormer);
  }
}

function compared(former: Row, later: Row, found: (member: string) => unknown): [string, boolean][] {
  // A row that was created or removed is taken back as a whole, also what a count was created with.
  if ('createdAt' in former !== 'createdAt' in later) return [['stockCount', false]];
  const members = new Set([...Object.keys(former), ...Object.keys(later)]).difference(UNWRITTEN);
  return [...members].flatMap((member): [string, boolean][] => {
    if (member !== 'prices') return [[member, isSame(found(member), former[member])]];
    const [present, value] = [priceMembers(found(member)), priceMembers(former[member])];
    return changedPrices(former[member], later[member]).map((path) => [
      `prices.${path}`,
      isSame(present.get(path), value.get(path)),
    ]);
  });
}
