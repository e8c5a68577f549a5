import { optionsKey } from '../merge/merge-variants.ts';
import type { VariantRow } from '../stored/stored-products.ts';
import type { BulkVariantInput } from './bulk-products-input.ts';

/** `options`: the key of its option values. */
export type Entry = BulkVariantInput & { options: string };

export type Search = {
  entries: readonly Entry[];
  rows: readonly VariantRow[];
  live: readonly VariantRow[];
  rowsBy: Record<'id' | 'sourceId' | 'options' | 'sku', Map<string | null, VariantRow[]>>;
  /** The entries of each sku. */
  entriesBySku: Map<string | null | undefined, Entry[]>;
};

export function searchIn(entries: readonly Entry[], rows: readonly VariantRow[]): Search {
  return {
    entries,
    rows,
    live: rows.filter(({ deleted }) => !deleted),
    rowsBy: {
      id: Map.groupBy(rows, ({ id }) => id),
      sourceId: Map.groupBy(rows, ({ sourceId }) => sourceId),
      options: Map.groupBy(rows, ({ variantValueIds }) => optionsKey(variantValueIds)),
      sku: Map.groupBy(rows, ({ sku }) => sku),
    },
    entriesBySku: Map.groupBy(entries, ({ sku }) => sku),
  };
}

type Find = (search: Search, entry: Entry) => VariantRow | undefined;

export const byId: Find = ({ rowsBy }, { id }) => rowsBy.id.get(id ?? null)?.[0];

export const bySourceId: Find = ({ rowsBy }, { sourceId, deleted }) =>
  sourceId == null ? undefined : only(rowsBy.sourceId.get(sourceId), deleted !== false);

const byOptions: Find = ({ rowsBy }, { options }) =>
  options === '' ? undefined : only(rowsBy.options.get(options), true);

const bySku: Find = ({ rowsBy, entriesBySku }, { sku, deleted }) =>
  sku == null || entriesBySku.get(sku)!.length > 1 ? undefined : only(rowsBy.sku.get(sku), deleted !== false);

/**
 * The only variant, which may get another sku. An entry with another `sourceId` or other option values is another
 * variant, because a feed may send the variants of a product one by one. The sku was looked up before: that of a
 * deleted variant must not replace the sku of the only variant that is left, nor that of several deleted ones.
 */
const asTheOnly: Find = (search, entry) => {
  const { sourceId, options } = entry;
  const [row, ...others] = candidates(search.rows);
  if (!row || others.length > 0 || search.entries.length > 1 || isShared(search, entry)) return undefined;
  const stored = optionsKey(row.variantValueIds);
  const isOther =
    (sourceId != null && row.sourceId !== null && sourceId !== row.sourceId) ||
    (options !== '' && stored !== '' && options !== stored);
  return isOther ? undefined : row;
};

const KEYS = [bySourceId, byOptions, bySku];

/** In this order. `isLive`: only live variants. */
export const STEPS: { find: Find; isLive?: boolean }[] = [
  { find: byId },
  ...KEYS.map((find) => ({ find, isLive: true })),
  ...[...KEYS, asTheOnly].map((find) => ({ find })),
];

/** The first key that finds a variant finds a deleted one, so that a later key must not delete another variant. */
export function isRepeatedDeletion(search: Search, entry: Entry): boolean {
  return entry.deleted != null && KEYS.map((find) => find(search, entry)).find(Boolean)?.deleted === true;
}

/** Whether several variants have the entry's `sourceId` or sku. */
export function isShared({ rowsBy }: Search, { sourceId, sku }: Pick<Entry, 'sourceId' | 'sku'>): boolean {
  const found = [rowsBy.sourceId.get(sourceId ?? null), rowsBy.sku.get(sku ?? null)];
  return [sourceId, sku].some((key, index) => key != null && candidates(found[index]).length > 1);
}

/**
 * The only candidate. `isNewestMeant`: of several deleted rows the newest one, which stays deleted. Only an entry that
 * restores a variant has to say which one. Option values may repeat among deleted variants.
 */
function only(rows: readonly VariantRow[] = [], isNewestMeant: boolean): VariantRow | undefined {
  const found = candidates(rows);
  if (isNewestMeant && found[0]?.deleted) return found.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  return found.length === 1 ? found[0] : undefined;
}

/** Those that are not deleted; all if all are deleted. */
function candidates(rows: readonly VariantRow[] = []): readonly VariantRow[] {
  const live = rows.filter(({ deleted }) => !deleted);
  return live.length > 0 ? live : rows;
}
