import { type InputPath, invalidAt } from '../../errors.ts';
import { optionsKey } from '../merge/merge-variants.ts';
import type { StoredProduct, VariantRow } from '../stored/stored-products.ts';
import type { BulkProductInput } from './bulk-products-input.ts';
import { type ResolvedNames, variantValueIds } from './resolve-names.ts';
import {
  byId,
  bySourceId,
  type Entry,
  isRepeatedDeletion,
  isShared,
  type Search,
  searchIn,
  STEPS,
} from './variant-search.ts';

/**
 * The stored variant that each entry of a product updates: the one with its id, else with its `sourceId`, else with its
 * option values, else with its sku if that is unique in the product, else the only variant if the product and the
 * input have one each. Deleted variants are found too, if no other one is; they stay deleted. An entry without a
 * stored variant is a new one. It is refused if it could mean one of several variants, or restore one of several deleted ones.
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
  const repeatedDeletions = new Set(entries.filter((entry) => isRepeatedDeletion(search, entry)));
  let found: (VariantRow | undefined)[] = [];
  for (const { find, isLive } of STEPS) {
    const before = found;
    const taken = new Set(before);
    found = entries.map((entry, index) => {
      if (before[index] || (entry.id !== undefined && find !== byId)) return before[index];
      if (isLive && repeatedDeletions.has(entry)) return undefined;
      const row = find(search, entry);
      return (isLive && row?.deleted) || (taken.has(row) && find !== bySourceId) ? undefined : row;
    });
    if (isLive && find !== bySourceId) found = withoutDeletions(entries, before, found);
  }
  refuseUnclear(search, found, path);
  refuseRepeated(found, path);
  return found;
}

/**
 * A feed may replace a variant: one entry deletes it, and another one has its options or its sku. The other one updates
 * it then, and the deletion may still mean another variant.
 */
function withoutDeletions(
  entries: readonly Entry[],
  before: readonly (VariantRow | undefined)[],
  found: readonly (VariantRow | undefined)[],
): (VariantRow | undefined)[] {
  const updated = new Set(found.filter((row, index) => row && !entries[index]!.deleted));
  return found.map((row, index) => (entries[index]!.deleted && !before[index] && updated.has(row) ? undefined : row));
}

/** Refuses entries that could mean any of several variants: as new ones they would double them. */
function refuseUnclear(search: Search, found: readonly (VariantRow | undefined)[], path: InputPath): void {
  const { entries, live, rowsBy, entriesBySku } = search;
  const isUnclear = ({ id, sourceId, options, sku }: Entry): boolean =>
    id === undefined &&
    (sourceId == null || isShared(search, { sourceId })) &&
    options === '' &&
    (sku == null || rowsBy.sku.has(sku) || entriesBySku.get(sku)!.length > 1) &&
    (live.length > 1 || isShared(search, { sourceId, sku }));
  const index = entries.findIndex((entry, index) => !found[index] && isUnclear(entry));
  if (index === -1) return;
  const message = 'must tell which of several variants it is: by id, sourceId, variantValues or a unique sku';
  throw invalidAt([...path, 'variants', index], message);
}

function refuseRepeated(found: readonly (VariantRow | undefined)[], path: InputPath): void {
  const seen = new Set<VariantRow>();
  for (const [index, row] of found.entries()) {
    if (row && seen.has(row)) {
      const message = 'must not be a variant that another entry names too';
      throw invalidAt([...path, 'variants', index], message);
    }
    if (row) seen.add(row);
  }
}
