import { type InputPath, notFound } from '../../errors.ts';
import { mergeVariant, variantColumns } from './merge-variant.ts';
import type { VariantInput } from './product-input.ts';
import type { VariantRow } from './stored-products.ts';
import type { VariantWrite } from './write-products.ts';

/** The variants that were sent, in the order of the input, and all that are written, in the order they will have. */
export type MergedVariants = { sent: VariantWrite[]; all: VariantWrite[] };

export function mergeVariants(
  inputs: VariantInput[],
  stored: Map<string, VariantRow>,
  path: InputPath,
): MergedVariants {
  const unknown = inputs.filter(({ id }) => id !== undefined && !stored.has(id)).map(({ id }) => id!);
  if (unknown.length > 0)
    throw notFound('Variant', unknown, [...path, inputs.findIndex(({ id }) => id === unknown[0]), 'id']);
  const sentIds = new Set(inputs.map(({ id }) => id));
  const sent = inputs.map((input, index) => mergeVariant(input, stored.get(input.id ?? ''), [...path, index]));
  const removed = [...stored.values()].filter(({ id, deleted }) => !sentIds.has(id) && !deleted);
  const all = [...sent, ...removed.map((row) => ({ stored: row, row: variantColumns({ ...row, deleted: true }) }))];
  return { sent, all: liveFirst(all) };
}

/** A list without its deleted variants, which is what clients read and send back, has the same positions. */
function liveFirst(variants: VariantWrite[]): VariantWrite[] {
  return [...variants.filter(({ row }) => !row.deleted), ...variants.filter(({ row }) => row.deleted)];
}
