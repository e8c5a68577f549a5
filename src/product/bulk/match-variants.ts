import { argumentInvalid, type InputPath } from '../../errors.ts';
import { optionsKey } from '../checks/option-values.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import type { BulkProductInput, BulkVariantInput } from './bulk-products-input.ts';
import { type ResolvedNames, variantValueIds } from './resolve-names.ts';

type Entry = BulkVariantInput & { options: string };

type Search = {
  entries: readonly Entry[];
  rows: readonly VariantRow[];
  live: readonly VariantRow[];
  rowsBy: Record<'id' | 'sourceId' | 'options' | 'sku', Map<string | null, VariantRow[]>>;
  /** The entries of each sku. */
  entriesBySku: Map<string | null | undefined, Entry[]>;
};

/**
 * The stored variant that each entry of a product updates: the one with its id, else with its `sourceId`, else with its
 * option values, else with its sku if that is unique in the product, else the only variant if the product and the
 * input have one each. Deleted variants are found too, if no other one is; they stay deleted. An entry without a
 * stored variant is a new one; if it could also mean one of several, it is refused.
 */
export function matchVariants(
  { variants }: BulkProductInput,
  stored: StoredProduct | undefined,
  names: ResolvedNames,
  path: InputPath,
): (VariantRow | undefined)[] {
  const entries = variants.map((variant) => ({
    ...variant,
    options: optionsKey(variantValueIds(variant.variantValues, names)),
  }));
  const search = searchIn(entries, [...(stored?.variants.values() ?? [])]);
  let found: (VariantRow | undefined)[] = [];
  for (const { find, isLive } of STEPS) {
    const taken = new Set(found);
    found = entries.map((entry, index) => {
      if (found[index] || (entry.id !== undefined && find !== byId)) return found[index];
      if (isLive && meansDeleted(search, entry)) return undefined;
      const row = find(search, entry);
      return (isLive && row?.deleted) || (taken.has(row) && find !== bySourceId) ? undefined : row;
    });
  }
  refuseUnclear(search, found, path);
  refuseRepeated(found, path);
  return found;
}

function searchIn(entries: readonly Entry[], rows: readonly VariantRow[]): Search {
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

const byId: Find = ({ rowsBy }, { id }) => rowsBy.id.get(id ?? null)?.[0];

const bySourceId: Find = ({ rowsBy }, { sourceId }) =>
  sourceId == null ? undefined : only(rowsBy.sourceId.get(sourceId));

const byOptions: Find = ({ rowsBy }, { options }) => (options === '' ? undefined : only(rowsBy.options.get(options)));

const bySku: Find = ({ rowsBy, entriesBySku }, { sku }) =>
  sku == null || entriesBySku.get(sku)!.length > 1 ? undefined : only(rowsBy.sku.get(sku));

/**
 * The only variant, which may get another sku. An entry with another `sourceId` or other option values is another
 * variant, because a feed may send the variants of a product one by one. The sku was looked up before: that of a
 * deleted variant must not replace the sku of the only variant that is left.
 */
const asTheOnly: Find = ({ entries, rows, live }, { sourceId, options }) => {
  const [row, ...others] = live.length > 0 ? live : rows;
  if (!row || others.length > 0 || entries.length > 1) return undefined;
  const stored = optionsKey(row.variantValueIds);
  const isOther =
    (sourceId != null && row.sourceId !== null && sourceId !== row.sourceId) ||
    (options !== '' && stored !== '' && options !== stored);
  return isOther ? undefined : row;
};

const KEYS = [bySourceId, byOptions, bySku];

/** In this order. `isLive`: only live variants. */
const STEPS: { find: Find; isLive?: boolean }[] = [
  { find: byId },
  ...KEYS.map((find) => ({ find, isLive: true })),
  ...[...KEYS, asTheOnly].map((find) => ({ find })),
];

/** A repeated deletion: its first key finds a deleted variant, so that its next key must not delete another one. */
function meansDeleted(search: Search, entry: Entry): boolean {
  return entry.deleted != null && KEYS.map((find) => find(search, entry)).find(Boolean)?.deleted === true;
}

/** The only row that is not deleted; if all are deleted, the newest. */
function only(rows: readonly VariantRow[] = []): VariantRow | undefined {
  const live = rows.filter(({ deleted }) => !deleted);
  if (live.length === 0) return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0];
  return live.length === 1 ? live[0] : undefined;
}

/** Refuses entries that could mean any of several variants: as new ones they would double them. */
function refuseUnclear(
  { entries, live, rowsBy, entriesBySku }: Search,
  found: readonly (VariantRow | undefined)[],
  path: InputPath,
): void {
  if (live.length < 2) return;
  const isShared = (sourceId: string): boolean =>
    (rowsBy.sourceId.get(sourceId) ?? []).filter(({ deleted }) => !deleted).length > 1;
  const isUnclear = ({ id, sourceId, options, sku }: Entry): boolean =>
    id === undefined &&
    (sourceId == null || isShared(sourceId)) &&
    options === '' &&
    (sku == null || rowsBy.sku.has(sku) || entriesBySku.get(sku)!.length > 1);
  const index = entries.findIndex((entry, index) => !found[index] && isUnclear(entry));
  if (index === -1) return;
  const message = 'must tell which of several variants it is: by id, sourceId, variantValues or a unique sku';
  throw argumentInvalid([{ path: [...path, 'variants', index], message }]);
}

function refuseRepeated(found: readonly (VariantRow | undefined)[], path: InputPath): void {
  const seen = new Set<VariantRow>();
  for (const [index, row] of found.entries()) {
    if (row && seen.has(row)) {
      const message = 'must not be a variant that another entry names too';
      throw argumentInvalid([{ path: [...path, 'variants', index], message }]);
    }
    if (row) seen.add(row);
  }
}
