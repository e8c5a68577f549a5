import { sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { findOrCreateByName } from '../db/write/find-or-create.ts';
import { idArray, textArray } from '../db/sql/parameter.ts';
import { ownedBy } from '../db/sql/tenant.ts';
import { pipeline, type PipelineStep } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { lockedRows } from '../db/write/stored-rows.ts';
import { touch } from '../db/write/touch.ts';
import { insert, update } from '../db/write/write.ts';

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
  const names = [...new Set([...wanted.values()].flatMap((values) => [...values.keys()]))];
  const readValues = async () => await valuesOf(ctx, [...ids.values()], names);
  const found = await readValues();
  const missingIn = (stored: StoredValuesByType) =>
    [...ids].flatMap(([name, id]) => missingValues(id, [...wanted.get(name)!.values()], stored.get(id)));
  const changedIds = [...new Set(missingIn(found).map(({ variantTypeId }) => variantTypeId))];
  if (changedIds.length === 0) return byName(ids, found);
  // All writers of values hold the lock of the type, so what is missing now stays missing.
  await pipeline(ctx, [lockedRows(ctx, variantType, { member: 'id', ids: changedIds })]);
  const stored = await readValues();
  const missing = missingIn(stored);
  const known = new Set(missing.map(({ variantTypeId }) => variantTypeId));
  for (const name of created) known.delete(ids.get(name)!);
  await pipeline(ctx, [...valueWrites(ctx, missing, stored), ...touch(ctx, variantType, [...known])]);
  return byName(ids, await readValues());
}

/** A value that was removed comes back with its id, so that products that use it have it back. */
function valueWrites(ctx: Context, missing: NewValue[], stored: StoredValuesByType): PipelineStep[] {
  const removedId = ({ variantTypeId, name }: NewValue) => stored.get(variantTypeId)!.removed.get(name);
  const restored = missing.flatMap((value) => {
    const id = removedId(value);
    return id === undefined ? [] : [{ id, position: value.position, deleted: false }];
  });
  const added = missing.filter((value) => removedId(value) === undefined);
  return [...update(ctx, variantValue, restored), ...insert(ctx, variantValue, added)];
}

/** The ids of the values by name, those of removed values, and the first free position. */
type StoredValues = { ids: Map<string, string>; removed: Map<string, string>; next: number };

type StoredValuesByType = Map<string, StoredValues>;

/** The live values of the types, and of the removed ones with one of the names those that were added last. */
async function valuesOf(ctx: Context, typeIds: string[], names: readonly string[]): Promise<StoredValuesByType> {
  const { id, variantTypeId, name, position, deleted } = variantValue;
  const columns = sql`${id} as "id", ${variantTypeId} as "variantTypeId", ${name} as "name", ${position} as "position",
    ${deleted} as "deleted"`;
  const ofTypes = sql`${ownedBy(ctx, variantValue)} and ${variantTypeId} = any(${idArray(typeIds)})`;
  const rows = await readRows(
    ctx,
    {
      id: column.text,
      variantTypeId: column.text,
      name: column.text,
      position: column.number,
      deleted: column.boolean,
    },
    sql`
    select ${columns} from ${variantValue} where ${ofTypes} and not ${deleted}
    union all (
      select distinct on (${variantTypeId}, ${name}) ${columns} from ${variantValue}
      where ${ofTypes} and ${deleted} and ${name} = any(${textArray(names)})
      order by ${variantTypeId}, ${name}, ${id} desc
    )`,
  );
  const values = new Map<string, StoredValues>(
    typeIds.map((typeId) => [typeId, { ids: new Map(), removed: new Map(), next: 0 }]),
  );
  for (const row of rows) {
    const stored = values.get(row.variantTypeId)!;
    (row.deleted ? stored.removed : stored.ids).set(row.name, row.id);
    if (!row.deleted) stored.next = Math.max(stored.next, row.position + 1);
  }
  return values;
}

type NewValue = ReturnType<typeof missingValues>[number];

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
