import { parseExactly } from '../../change/parsed-members.ts';
import type { ChangeMember, RevertedRecord } from '../../graphql/generated/types.ts';
import { mapInSlices, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { withoutAddresses } from './without-addresses.ts';
import { priceMembers } from './take-back-prices.ts';
import { pathPrefix, type RecordState, type Row, type RowState, shownMembers } from './take-back.ts';
import { changedRows } from './write-records.ts';

/** The records that change, with the members that differ: their paths and values are those of a change. */
export async function revertedRecords(ctx: SlicedContext, records: readonly RecordState[]): Promise<RevertedRecord[]> {
  const listed = await mapInSlices(ctx, records, (record): RevertedRecord[] => {
    const members = changedRows(record).flatMap((row) => differences(record, row));
    members.sort((a, b) => (a.path < b.path ? -1 : 1));
    return members.length > 0 ? [{ recordType: record.recordType, recordId: record.recordId, members }] : [];
  });
  return listed.flat();
}

function differences({ recordId }: RecordState, { part, stored, target }: RowState): ChangeMember[] {
  const prefix = pathPrefix(part.part, String(target!['id']));
  // A row that moves between two records is in only one of them before, and in only one of them after.
  const [before, after] = [stored, target].map((row) =>
    row && (part.part === '' || row[part.of] === recordId)
      ? textsOf(shownMembers(part, row))
      : new Map<string, string>(),
  );
  return [...new Set([...before!.keys(), ...after!.keys()])].flatMap((path) => {
    const [one, other] = [before!.get(path) ?? null, after!.get(path) ?? null];
    return one === other ? [] : [{ path: prefix + path, before: shown(path, one), after: shown(path, other) }];
  });
}

function shown(path: string, text: string | null): string | null {
  return path === 'images' && text !== null ? JSON.stringify(withoutAddresses(path, parseExactly(text))) : text;
}

function textsOf({ prices, ...members }: Row): Map<string, string> {
  const priced = [...priceMembers(prices)].map(([path, value]) => [`prices.${path}`, value] as const);
  const values = [...Object.entries(members), ...priced].filter(([, value]) => value !== null);
  return new Map(values.map(([path, value]) => [path, JSON.stringify(value)]));
}

/** Movements have a change set also if the merchant has no history. */
export function hasMovement({ recordType, members }: RevertedRecord): boolean {
  return recordType === 'PRODUCT_STOCK_LOCATION' && members.some(({ path }) => path === 'stockCount');
}
