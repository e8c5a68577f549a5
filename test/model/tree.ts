import { NEW_NAMED, withNamed } from './named.ts';
import { compare, type Query } from './play.ts';
import {
  byId,
  idsOf,
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

/** Creates or changes a category, which may get another parent. */
export function saveCategory(state: State, { id, ...members }: SaveCategory): Verdict {
  const list = state.named.category;
  const stored = byId(list, id) ?? NEW_NAMED;
  const record = merge(stored, members);
  return unless([unknownIn(list, [id]), ...parentRefused(state, record, stored)], (newId) =>
    withNamed(state, 'category', { ...record, id: id ?? newId('id') }),
  );
}

/** `named`: the records after the change. A new parent must not be deleted, and not be the category or below it. */
export function parentRefused(
  { named }: Pick<State, 'named'>,
  { id, parentId }: NamedRecord,
  stored: NamedRecord,
): (Refusal | false)[] {
  if (parentId === null || parentId === stored.parentId) return [];
  const isBelow = [parentId, ...pathOf(named.category, parentId)].includes(id);
  return [byId(named.category, parentId)?.deleted !== false && 'NOT_FOUND', isBelow && 'ARGUMENT_VALIDATION_ERROR'];
}

/** The ids of a category's ancestors, the root first. Stops at a cycle: a change that would make one is refused. */
export function pathOf(list: readonly NamedRecord[], id: string): string[] {
  const path: string[] = [];
  const parentOf = (id: string) => byId(list, id)?.parentId ?? null;
  for (let parent = parentOf(id); parent !== null && !path.includes(parent); parent = parentOf(parent))
    path.unshift(parent);
  return path;
}

/** These categories, and those below them that can be reached without a deleted one. */
export function withSubcategories({ named }: Pick<State, 'named'>, ids: readonly string[]): string[] {
  const below = shown(named.category).filter(({ parentId }) => parentId !== null && ids.includes(parentId));
  const added = below.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
  return added.length === 0 ? [...ids] : withSubcategories({ named }, [...ids, ...added]);
}

/** Compares what the conditions on the ancestors find. */
export async function checkTree(query: Query, { named, automated }: State): Promise<void> {
  const { category } = named;
  const ids = idsOf([...shown(category), ...shown(automated)]);
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
    const found = idsOf(data![`list${index}`] as { id: string }[]);
    const expected = ids.filter((id) => holds(pathOf(category, id)));
    compare(`categoryPath { ${filter} }`, found.toSorted(), expected.toSorted());
  }
}
