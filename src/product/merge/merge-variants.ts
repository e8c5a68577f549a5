import type { StoredVariantValue } from '../../../drizzle/product-values.ts';
import { type InputPath, invalidAt, notFound } from '../../errors.ts';
import { DEFAULT_LIST_SIZE } from '../../limits/list-size.ts';
import type { VariantInput } from '../input/product-input.ts';
import type { VariantRow } from '../stored/stored-products.ts';
import type { VariantWrite } from '../stored/write-product-rows.ts';
import type { MergedProduct } from './merge-product.ts';
import { mergeVariant, variantColumns } from './merge-variant.ts';
import { inStoredOrder } from './stored-order.ts';

const NONE: ReadonlyMap<string, unknown> = new Map();

/**
 * What becomes of stored variants that the input does not name. `keptInOrder`: new and restored variants come last, in
 * the order of the input; otherwise variants that the input names are in its order.
 */
export type UnnamedVariants = 'kept' | 'keptInOrder' | 'deleted';

export type MergedVariants = {
  /** One for each variant of the input. Undefined if it is to be deleted and does not exist. */
  sent: (VariantWrite | undefined)[];
  /** All variants of the product that the save writes, in their new order. */
  all: VariantWrite[];
};

export function mergeVariants(
  inputs: VariantInput[],
  stored: Map<string, VariantRow>,
  unnamed: UnnamedVariants,
  path: InputPath,
): MergedVariants {
  const unknown = inputs.filter(({ id }) => id !== undefined && !stored.has(id)).map(({ id }) => id!);
  if (unknown.length > 0)
    throw notFound('Variant', unknown, [...path, inputs.findIndex(({ id }) => id === unknown[0]), 'id']);
  const sent = inputs.map((input, index) => {
    const row = stored.get(input.id ?? '');
    return input.deleted && !row ? undefined : mergeVariant(input, row, [...path, index]);
  });
  const writes = new Map(sent.flatMap((write) => (write ? [[write.row.id, write]] : [])));
  const others = [...stored.values()].filter(({ id, deleted }) => !writes.has(id) && !deleted);
  // They keep their positions. Ordered with the others, one that stays deleted would take the place of a live one.
  const deleted = new Set([...writes.keys()].filter((id) => writes.get(id)!.row.deleted));
  const isLive = (id: string): boolean => !deleted.has(id);
  const live = liveIds(stored, unnamed === 'keptInOrder' ? NONE : writes).filter(isLive);
  const ids = [...orderedIds(unnamed, [...writes.keys()].filter(isLive), live), ...deleted];
  for (const row of others)
    writes.set(row.id, { stored: row, row: variantColumns({ ...row, deleted: unnamed === 'deleted' }) });
  const all = ids.map((id) => writes.get(id)!);
  refuseTooMany(all, stored, path);
  return { sent, all };
}

/**
 * Refuses more variants than one `saveProduct` may have, unless the product had more already and does not get more: many
 * requests with a few variants each could make it grow.
 */
export function refuseTooMany(
  all: readonly { row: { deleted: boolean } }[],
  stored: ReadonlyMap<string, { deleted: boolean }>,
  path: InputPath,
): void {
  const count = all.filter(({ row }) => !row.deleted).length;
  const storedCount = [...stored.values()].filter(({ deleted }) => !deleted).length;
  if (count <= Math.max(DEFAULT_LIST_SIZE, storedCount)) return;
  const message = `must leave the product with at most ${DEFAULT_LIST_SIZE.toLocaleString('en')} variants`;
  throw invalidAt(path, message);
}

function orderedIds(unnamed: UnnamedVariants, sent: string[], live: string[]): Iterable<string> {
  if (unnamed === 'kept') return inStoredOrder(live, sent);
  return new Set(unnamed === 'deleted' ? [...sent, ...live] : [...live, ...sent]);
}

/** The ids of the stored variants that are not deleted, or are sent, in their order. */
function liveIds(stored: Map<string, VariantRow>, sent: ReadonlyMap<string, unknown>): string[] {
  const rows = [...stored.values()].filter(({ id, deleted }) => sent.has(id) || !deleted);
  const inOrder = rows.sort(
    (a, b) => a.position - b.position || Number(a.deleted) - Number(b.deleted) || (a.id < b.id ? -1 : 1),
  );
  return inOrder.map(({ id }) => id);
}

/** Identifies a combination of option values, in whatever order they are; empty without values. */
export function optionsKey(values: readonly StoredVariantValue[] | null | undefined): string {
  const keys = (values ?? []).map(({ variantTypeId, variantValueId }) => `${variantTypeId} ${variantValueId}`);
  return [...new Set(keys)].sort().join();
}

/**
 * Refuses a variant that takes the option values of another one that is not deleted. `path` is the list
 * of variants in the input, `member` the member with their option values. Variants without option values may
 * repeat, and so may stored ones that keep what they have.
 */
export function refuseRepeatedOptions(
  { sentVariants, variants }: MergedProduct,
  path: InputPath,
  member: string,
): void {
  const live = variants.filter(({ row }) => !row.deleted);
  const byOptions = Map.groupBy(live, ({ row }) => optionsKey(row.variantValueIds));
  for (const [options, [first, ...others]] of byOptions) {
    if (options === '' || others.length === 0 || [first!, ...others].every(isKept)) continue;
    const index = sentVariants.findLastIndex((write) => write && [first, ...others].includes(write));
    const message = 'must not be the option values of another variant of the product';
    throw invalidAt([...path, index, member], message);
  }
}

function isKept({ stored, row }: VariantWrite): boolean {
  return (
    stored !== undefined && !stored.deleted && optionsKey(stored.variantValueIds) === optionsKey(row.variantValueIds)
  );
}
