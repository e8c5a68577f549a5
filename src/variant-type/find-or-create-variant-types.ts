import { sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { pipeline, type PipelineStep } from '../db/connection/pipeline.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { isHashed, isTrue } from '../db/filter/matcher.ts';
import { newId } from '../db/sql/id.ts';
import { idArray, ownedBy, textArray } from '../db/sql/parameter.ts';
import { findByName, findOrCreateByName } from '../db/write/find-or-create.ts';
import { lockRecords } from '../db/write/saved-record.ts';
import { touch } from '../db/write/touch.ts';
import { insert, update } from '../db/write/write.ts';
import { argumentInvalid, type InputPath } from '../errors.ts';
import { DEFAULT_LIST_SIZE } from '../limits/list-size.ts';

export type WantedValue = { name: string; colorCode?: string | null; sourceId?: string | null };
/** `path`: the place of the values in the arguments. */
export type WantedVariantType = { name: string; values: WantedValue[]; path: InputPath };

/** A value that is not created if it is missing. */
export type SoughtValue = { variantTypeName: string; variantValueName: string };

/** The id of a variant type, and the ids of its values by name, also of removed ones. */
export type VariantTypeIds = { id: string; values: Map<string, string> };

/**
 * Finds variant types and values by name. Those of `types` are created if they are missing, those of `sought` are not. A
 * new type with colour codes gets the type `color`.
 */
export async function findOrCreateVariantTypes(
  ctx: Context,
  types: readonly WantedVariantType[],
  sought: readonly SoughtValue[],
): Promise<Map<string, VariantTypeIds>> {
  const wanted = wantedValues(types);
  const hasColours = (name: string) => [...wanted.get(name)!.values()].some(({ colorCode }) => colorCode != null);
  const { ids, created } = await findOrCreateByName(ctx, variantType, [...wanted.keys()], (name) => ({
    id: newId(),
    name,
    selectionType: hasColours(name) ? ('color' as const) : ('choice' as const),
  }));
  const soughtNames = sought.map(({ variantTypeName }) => variantTypeName).filter((name) => !ids.has(name));
  const soughtIds = soughtNames.length === 0 ? [] : await findByName(ctx, variantType, soughtNames);
  const allIds = new Map([...ids, ...soughtIds]);
  const missingIn = (stored: StoredValuesByType): MissingValues[] =>
    [...ids].flatMap(([name, typeId]) => {
      const values = [...wanted.get(name)!.values()].filter((value) => !stored.get(typeId)!.ids.has(value.name));
      return values.length === 0 ? [] : [{ typeId, name, values }];
    });
  const { stored, missing } = await lockMissing(ctx, missingIn, [...allIds.values()], pairsOf(wanted, sought, allIds));
  if (missing.length > 0) {
    const known = new Set(missing.map(({ typeId }) => typeId));
    const sizes = await sizesOf(ctx, [...known]);
    refuseTooMany(types, missing, sizes);
    for (const name of created) known.delete(ids.get(name)!);
    const rows = missing.flatMap((values) => newValues(values, sizes.get(values.typeId), stored));
    await pipeline(ctx, [...valueWrites(ctx, rows, stored), ...touch(ctx, variantType, [...known])]);
    for (const { id, variantTypeId, name } of rows) stored.get(variantTypeId)!.ids.set(name, id);
  }
  return byName(allIds, stored);
}

/** The values of each type by name. */
function wantedValues(types: readonly WantedVariantType[]): Map<string, Map<string, WantedValue>> {
  const wanted = new Map<string, Map<string, WantedValue>>();
  for (const { name, values } of types) {
    const known = wanted.get(name) ?? new Map<string, WantedValue>();
    for (const value of values) known.set(value.name, { ...known.get(value.name), ...value });
    wanted.set(name, known);
  }
  return wanted;
}

/** The values that a type lacks, in the order of the input. */
type MissingValues = { typeId: string; name: string; values: WantedValue[] };

/** Refuses the values with which a type would have more than an input of it may have, at their places in the input. */
function refuseTooMany(
  types: readonly WantedVariantType[],
  missing: readonly MissingValues[],
  sizes: ReadonlyMap<string, Size>,
): void {
  const refused = new Map(
    missing.map(({ typeId, name, values }) => {
      const free = Math.max(DEFAULT_LIST_SIZE - (sizes.get(typeId)?.count ?? 0), 0);
      return [name, new Set(values.slice(free).map((value) => value.name))];
    }),
  );
  const issues = types
    .filter(({ name, values }) => values.some((value) => refused.get(name)?.has(value.name)))
    .map(({ name, path }) => ({
      path,
      message: `must leave the variant type ${JSON.stringify(name)} with at most ${DEFAULT_LIST_SIZE.toLocaleString('en')} values`,
    }));
  if (issues.length > 0) throw argumentInvalid(issues);
}

/**
 * Reads the values, and locks the types of which some are missing. Everyone who writes values locks their type first, so
 * missing values of a locked type stay missing. While this waits for a lock, values of other types may be removed.
 * Therefore it reads again until no value is missing of a type that is not locked.
 */
async function lockMissing(
  ctx: Context,
  missingIn: (stored: StoredValuesByType) => MissingValues[],
  typeIds: string[],
  pairs: readonly TypeAndName[],
): Promise<{ stored: StoredValuesByType; missing: MissingValues[] }> {
  const locked = new Set<string>();
  for (;;) {
    const stored = await valuesOf(ctx, typeIds, pairs);
    const missing = missingIn(stored);
    const ids = missing.map(({ typeId }) => typeId).filter((id) => !locked.has(id));
    if (ids.length === 0) return { stored, missing };
    await pipeline(ctx, [lockRecords(ctx, variantType, ids)]);
    for (const id of ids) locked.add(id);
  }
}

function valueWrites(ctx: Context, rows: NewValue[], stored: StoredValuesByType): PipelineStep[] {
  const isRemoved = ({ variantTypeId, name }: NewValue) => stored.get(variantTypeId)!.removed.has(name);
  const restored = rows.filter(isRemoved).map(({ id, position }) => ({ id, position, deleted: false }));
  const added = rows.filter((row) => !isRemoved(row));
  return [...update(ctx, variantValue, restored), ...insert(ctx, variantValue, added)];
}

type TypeAndName = { typeId: string; name: string };

function pairsOf(
  wanted: ReadonlyMap<string, ReadonlyMap<string, WantedValue>>,
  sought: readonly SoughtValue[],
  ids: ReadonlyMap<string, string>,
): TypeAndName[] {
  const ofWanted = [...wanted].flatMap(([type, values]) =>
    [...values.keys()].map((name) => ({ typeId: ids.get(type)!, name })),
  );
  const ofSought = sought.flatMap(({ variantTypeName, variantValueName: name }) => {
    const typeId = ids.get(variantTypeName);
    return typeId === undefined ? [] : [{ typeId, name }];
  });
  return [...ofWanted, ...ofSought];
}

/** The ids of values by name, and those of removed values. */
type StoredValues = { ids: Map<string, string>; removed: Map<string, string> };

type StoredValuesByType = Map<string, StoredValues>;

/**
 * The stored values of the pairs of type and name. Of several removed values with one name it is the one that was added
 * last. A type has at most 1,000 values that are not removed, so all of them are read and filtered by name. It may have any
 * number of removed ones, so each pair is looked up in an index.
 */
async function valuesOf(ctx: Context, typeIds: string[], pairs: readonly TypeAndName[]): Promise<StoredValuesByType> {
  const { id, variantTypeId, name, deleted } = variantValue;
  const columns = sql`${id} as "id", ${variantTypeId} as "variantTypeId", ${name} as "name", ${deleted} as "deleted"`;
  const names = textArray([...new Set(pairs.map((pair) => pair.name))]);
  const [pairTypes, pairNames] = [idArray(pairs.map(({ typeId }) => typeId)), textArray(pairs.map(({ name }) => name))];
  const rows = await readRows(
    ctx,
    { id: column.text, variantTypeId: column.text, name: column.text, deleted: column.boolean },
    sql`
    select ${columns} from ${variantValue}
    where ${ownedBy(ctx, variantValue)} and not ${deleted} and ${variantTypeId} = any(${idArray(typeIds)})
      and ${isTrue(isHashed(sql`${name}`, names))}
    union all
    select removed.* from unnest(${pairTypes}, ${pairNames}) as wanted (type_id, value_name) cross join lateral (
      select ${columns} from ${variantValue}
      where ${ownedBy(ctx, variantValue)} and ${deleted}
        and ${variantTypeId} = wanted.type_id and ${name} = wanted.value_name
      order by ${id} desc limit 1) removed`,
  );
  const values = new Map<string, StoredValues>(
    typeIds.map((typeId) => [typeId, { ids: new Map(), removed: new Map() }]),
  );
  for (const row of rows) {
    const { ids, removed } = values.get(row.variantTypeId)!;
    (row.deleted ? removed : ids).set(row.name, row.id);
  }
  return values;
}

/** The number of values of a type that are not removed, and the first free position. */
type Size = { count: number; next: number };

async function sizesOf(ctx: Context, typeIds: string[]): Promise<Map<string, Size>> {
  const { variantTypeId, position, deleted } = variantValue;
  const rows = await readRows(
    ctx,
    { typeId: column.text, count: column.number, next: column.number },
    sql`
    select ${variantTypeId} as "typeId", count(*)::int as "count", (max(${position}) + 1)::float8 as "next"
    from ${variantValue}
    where ${ownedBy(ctx, variantValue)} and ${variantTypeId} = any(${idArray(typeIds)}) and not ${deleted}
    group by ${variantTypeId}`,
  );
  return new Map(rows.map(({ typeId, ...size }) => [typeId, size]));
}

type NewValue = ReturnType<typeof newValues>[number];

/** A value that was removed comes back with its id, so that products that use it have it back. */
function newValues({ typeId, values }: MissingValues, size: Size | undefined, stored: StoredValuesByType) {
  return values.map(({ name, colorCode, sourceId }, index) => ({
    id: stored.get(typeId)!.removed.get(name) ?? newId(),
    variantTypeId: typeId,
    position: (size?.next ?? 0) + index,
    name,
    colorCode: colorCode ?? null,
    sourceId: sourceId ?? null,
  }));
}

function byName(ids: ReadonlyMap<string, string>, stored: StoredValuesByType): Map<string, VariantTypeIds> {
  return new Map(
    [...ids].map(([name, id]) => {
      const values = stored.get(id)!;
      return [name, { id, values: new Map([...values.removed, ...values.ids]) }];
    }),
  );
}
