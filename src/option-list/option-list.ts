import { objectsOf } from '../db/read/stored-list.ts';
import { newId } from '../db/sql/id.ts';
import { byPosition, withPositions } from '../db/write/list-positions.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { notFound } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';

/** A value of a variant type or an option of an attribute. Only marked as deleted, because products refer to it. */
export type OptionRow = {
  id: string;
  position: number;
  name: string;
  colorCode: string | null;
  thumbnailImageId: string | null;
  deleted: boolean;
};

/** An entry of the input: the SDL types of values and of options have the same members. */
export type OptionInput = {
  id?: string | undefined;
  name: string;
  colorCode?: string | null | undefined;
  thumbnailImageId?: string | null | undefined;
  deleted?: boolean | null | undefined;
};

/** The names of the options: the type in errors, and the member of the input. */
export type OptionNames = { type: string; member: 'values' | 'options' };

type OptionListChanges = {
  /** The rows of the new list. */
  rows: OptionRow[];
  /**
   * Rows to mark as deleted before the others are written: removed rows, and renamed rows, so that two rows can swap
   * their names despite the unique index.
   */
  released: string[];
  /** The ids of the options in the new list. */
  live: ReadonlySet<string>;
  /** Whether the new list differs from the stored one. */
  isChanged: boolean;
};

/**
 * Replaces the stored list by the input: options are matched by id, else by name, others are new, missing ones are
 * removed. An option that was removed and is added again keeps its id, so that products that use it have it back.
 */
export function mergeOptionList(
  stored: readonly OptionRow[],
  input: readonly OptionInput[],
  kind: OptionNames,
): OptionListChanges {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const unknown = input.flatMap(({ id }, index) => (id === undefined || storedById.has(id) ? [] : [{ id, index }]));
  if (unknown.length > 0)
    throw notFound(
      kind.type,
      unknown.map(({ id }) => id),
      ['input', kind.member, unknown[0]!.index, 'id'],
    );
  const rows = withPositions(matchedOptions(stored, input).map(mergedOption));
  const live = new Map(rows.filter(({ deleted }) => !deleted).map((row) => [row.id, row]));
  const released = stored.filter((row) => !row.deleted && live.get(row.id)?.name !== row.name).map(({ id }) => id);
  const isStored = (row: OptionRow): boolean => isUnchanged<object>(row, storedById.get(row.id) ?? {});
  return {
    rows,
    released,
    live: new Set(live.keys()),
    isChanged: released.length > 0 || !rows.every(isStored),
  };
}

type MatchedOption = { row: OptionRow | undefined; option: OptionInput };

/**
 * The stored option of each entry. An entry without an id gets a stored option with its name that no other entry has:
 * first the options that are not removed, then the newest of the removed ones, both in their order. Without an id an entry
 * with `deleted: true` is ignored.
 */
function matchedOptions(stored: readonly OptionRow[], input: readonly OptionInput[]): MatchedOption[] {
  const rows = new Map(stored.map((row) => [row.id, row]));
  const sentIds = new Set(input.map(({ id }) => id));
  const free = stored.filter(({ id }) => !sentIds.has(id)).toSorted(newestRemovedFirst);
  const freeByName = Map.groupBy(free, ({ name }) => name);
  const entries = input.filter(({ id, deleted }) => id !== undefined || !deleted);
  const unnamed = entries.filter(({ id }) => id === undefined);
  for (const [name, { length }] of Map.groupBy(unnamed, (option) => option.name))
    freeByName.set(name, (freeByName.get(name) ?? []).slice(0, length).toSorted(liveFirst));
  return entries.map((option) => ({
    option,
    row: option.id === undefined ? freeByName.get(option.name)!.shift() : rows.get(option.id),
  }));
}

/** After the live ones. */
function newestRemovedFirst(a: OptionRow, b: OptionRow): number {
  return Number(a.deleted) - Number(b.deleted) || (a.deleted ? (a.id < b.id ? 1 : -1) : byPosition(a, b));
}

function liveFirst(a: OptionRow, b: OptionRow): number {
  return Number(a.deleted) - Number(b.deleted) || byPosition(a, b);
}

type Translation = { readonly [Member in OptionNames['member']]?: readonly { id: string }[] | null };
type Translations = readonly Translation[] | null | undefined;

/** Translations may refer to live options, and to options that the stored translations refer to already. */
export function checkOptionTranslations(
  input: Translations,
  stored: Translations,
  live: ReadonlySet<string>,
  { type, member }: OptionNames,
): void {
  const known = new Set([
    ...live,
    ...objectsOf<Translation>(stored).flatMap((entry) => objectsOf<{ id: string }>(entry[member]).map(({ id }) => id)),
  ]);
  const unknown = (input ?? []).flatMap((translation, outer) =>
    (translation[member] ?? []).flatMap(({ id }, inner) =>
      known.has(id) ? [] : [{ id, path: [outer, member, inner, 'id'] }],
    ),
  );
  if (unknown.length > 0)
    throw notFound(type, [...new Set(unknown.map(({ id }) => id))], ['input', 'translations', ...unknown[0]!.path]);
}

/** An option of the input is live, even if it was deleted before, unless the input has `deleted: true`. */
function mergedOption({ row, option }: MatchedOption) {
  return { ...(row ?? newOption()), ...withoutUndefined(option), deleted: option.deleted ?? false };
}

function newOption() {
  return { id: newId(), position: undefined, colorCode: null, thumbnailImageId: null };
}
