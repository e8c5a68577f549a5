import { and, not, sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { findOrCreateByName } from '../db/write/find-or-create.ts';
import { idArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { storedRows } from '../db/write/stored-rows.ts';
import { touch } from '../db/write/touch.ts';
import { insert } from '../db/write/write.ts';

export type WantedValue = { name: string; colorCode?: string | null; sourceId?: string | null };
export type WantedVariantType = { name: string; values: WantedValue[] };

/** The ids of a variant type and of its values by name. */
export type VariantTypeIds = { id: string; values: Map<string, string> };

/**
 * Finds variant types and values by name and creates missing ones. A new type with colour codes gets the type `color`.
 */
export async function findOrCreateVariantTypes(
  ctx: Context,
  types: readonly WantedVariantType[],
): Promise<Map<string, VariantTypeIds>> {
  const wanted = new Map<string, Map<string, WantedValue>>();
  for (const { name, values } of types) {
    const known = wanted.get(name) ?? new Map<string, WantedValue>();
    for (const value of values) known.set(value.name, { ...known.get(value.name), ...value });
    wanted.set(name, known);
  }
  const hasColours = (name: string) => [...wanted.get(name)!.values()].some(({ colorCode }) => colorCode != null);
  const { ids, created } = await findOrCreateByName(ctx, variantType, [...wanted.keys()], (name) => ({
    id: newId(),
    name,
    selectionType: hasColours(name) ? ('color' as const) : ('choice' as const),
  }));
  const found = await valuesOf(ctx, [...ids.values()]);
  const missingIn = (stored: StoredValuesByType) =>
    [...ids].flatMap(([name, id]) => missingValues(id, [...wanted.get(name)!.values()], stored.get(id)));
  const changedIds = [...new Set(missingIn(found).map(({ variantTypeId }) => variantTypeId))];
  if (changedIds.length === 0) return byName(ids, found);
  // All writers of values hold the lock of the type, so what is missing now stays missing.
  await pipeline(ctx, [storedRows(ctx, variantType, 'id', changedIds, true)]);
  const missing = missingIn(await valuesOf(ctx, [...ids.values()]));
  const known = new Set(missing.map(({ variantTypeId }) => variantTypeId));
  for (const name of created) known.delete(ids.get(name)!);
  await pipeline(ctx, [...insert(ctx, variantValue, missing), ...touch(ctx, variantType, [...known])]);
  return byName(ids, await valuesOf(ctx, [...ids.values()]));
}

type StoredValues = { ids: Map<string, string>; next: number };

type StoredValuesByType = Map<string, StoredValues>;

async function valuesOf(ctx: Context, typeIds: string[]): Promise<StoredValuesByType> {
  const { id, variantTypeId, name, position, deleted } = variantValue;
  const rows = await ctx.db
    .select({ id, variantTypeId, name, position })
    .from(variantValue)
    .where(and(ownedBy(ctx, variantValue), sql`${variantTypeId} = any(${idArray(typeIds)})`, not(deleted)));
  const values = new Map<string, StoredValues>(typeIds.map((typeId) => [typeId, { ids: new Map(), next: 0 }]));
  for (const row of rows) {
    const stored = values.get(row.variantTypeId)!;
    stored.ids.set(row.name, row.id);
    stored.next = Math.max(stored.next, row.position + 1);
  }
  return values;
}

function missingValues(variantTypeId: string, wanted: WantedValue[], stored: StoredValues | undefined) {
  const missing = wanted.filter(({ name }) => !stored?.ids.has(name));
  return missing.map(({ name, colorCode, sourceId }, index) => ({
    id: newId(),
    variantTypeId,
    position: (stored?.next ?? 0) + index,
    name,
    colorCode: colorCode ?? null,
    sourceId: sourceId ?? null,
  }));
}

function byName(ids: Map<string, string>, values: Map<string, StoredValues>): Map<string, VariantTypeIds> {
  return new Map([...ids].map(([name, id]) => [name, { id, values: values.get(id)!.ids }]));
}
