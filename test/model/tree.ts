import { NEW_NAMED, withNamed } from './named.ts';
import { compare, type Query } from './play.ts';
import {
  byId,
  type NamedRecord,
  merge,
  type Refusal,
  shown,
  type State,
  unknownIn,
  unless,
  type Verdict,
} from './state.ts';

export type SaveCategory = { id?: string; name: string; deleted?: boolean; parentId?: string | null };

/** A category in the tree of categories. */
export function saveCategory(state: State, { id, ...members }: SaveCategory): Verdict {
  const list = state.named.category;
  const stored = byId(list, id) ?? NEW_NAMED;
  const record = merge(stored, members);
  return unless([unknownIn(list, [id]), ...parentRefused(state, record, stored)], (newId) =>
    withNamed(state, 'category', { ...record, id: id ?? newId('id') }),
  );
}

/** In the state as it will be. A new parent must not be deleted, and not be the category or below it. */
export function parentRefused(
  { named }: State,
  { id, parentId }: NamedRecord,
  stored: NamedRecord,
): (Refusal | false)[] {
  if (parentId === null || parentId === stored.parentId) return [];
  const isBelow = id !== '' && [parentId, ...pathOf(named.category, byId(named.category, parentId))].includes(id);
  return [byId(named.category, parentId)?.deleted !== false && 'NOT_FOUND', isBelow && 'ARGUMENT_VALIDATION_ERROR'];
}

/** The ids of the ancestors, the root first. Ends at a cycle, which only a refused change would make. */
export function pathOf(list: readonly NamedRecord[], record: NamedRecord | undefined): string[] {
  const path: string[] = [];
  for (
    let parent = byId(list, record?.parentId ?? undefined);
    parent;
    parent = byId(list, parent.parentId ?? undefined)
  ) {
    if (path.includes(parent.id)) break;
    path.unshift(parent.id);
  }
  return path;
}

export function pathById({ named }: State, id: string): string[] {
  return pathOf(named.category, byId(named.category, id));
}

/** These categories, and those below them that can be reached without a deleted one. */
export function withSubcategories({ named }: State, ids: readonly string[]): string[] {
  const below = shown(named.category).filter(({ parentId }) => parentId !== null && ids.includes(parentId));
  const added = below.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  return added.length === 0 ? [...ids] : withSubcategories({ named } as State, [...ids, ...added]);
}

/** Compares what the conditions on the ancestors find. */
export async function checkTree(query: Query, state: State): Promise<void> {
  const { category } = state.named;
  const listed = shown([...category, ...state.automated.map((one) => ({ ...NEW_NAMED, ...one }))]);
  const conditions = [
    ...category.map(({ id }) => ({ filter: `in: ["${id}"]`, holds: (path: string[]) => path.includes(id) })),
    ...[true, false].map((isNull) => ({
      filter: `isNull: ${isNull}`,
      holds: (path: string[]) => (path.length === 0) === isNull,
    })),
  ];
  const fields = conditions.map(
    ({ filter }, index) => `list${index}: listCategory(categoryPath: { ${filter} }, pagination: { limit: 200 }) { id }`,
  );
  const { data, errors } = await query(`{ ${fields.join('\n')} }`);
  if (errors) throw new Error(JSON.stringify(errors));
  for (const [index, { filter, holds }] of conditions.entries()) {
    const found = (data![`list${index}`] as { id: string }[]).map(({ id }) => id);
    const expected = listed.filter((one) => holds(pathOf(category, one))).map(({ id }) => id);
    compare(`categoryPath { ${filter} }`, found.toSorted(), expected.toSorted());
  }
}
