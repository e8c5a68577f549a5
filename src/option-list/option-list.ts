import { newId } from '../db/sql/id.ts';
import { isUnchanged } from '../db/write/unchanged.ts';
import { notFound } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import type { OptionInput } from './option-list-input.ts';

/** A value of a variant type or an option of an attribute. Only marked as deleted, because products refer to it. */
export type OptionRow = {
  id: string;
  position: number;
  name: string;
  colorCode: string | null;
  thumbnailImageId: string | null;
  deleted: boolean;
};

/** The names of the options: the type in errors, and the member of the input. */
export type OptionKind = { type: string; member: 'values' | 'options' };

export type OptionListChanges = {
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

/** Replaces the stored list by the input: options are matched by id, others are new, missing ones are deleted. */
export function mergeOptionList(
  stored: readonly OptionRow[],
  input: readonly OptionInput[],
  kind: OptionKind,
): OptionListChanges {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const unknown = input.flatMap(({ id }, index) => (id === undefined || storedById.has(id) ? [] : [{ id, index }]));
  if (unknown.length > 0)
    throw notFound(
      kind.type,
      unknown.map(({ id }) => id),
      ['input', kind.member, unknown[0]!.index, 'id'],
    );
  let position = 0;
  const rows = input.map((option) =>
    mergedOption(storedById.get(option.id ?? ''), option, option.deleted ? position : position++),
  );
  const live = new Map(rows.filter(({ deleted }) => !deleted).map((row) => [row.id, row]));
  const released = stored.filter((row) => !row.deleted && live.get(row.id)?.name !== row.name).map(({ id }) => id);
  const isStored = (row: OptionRow): boolean => isUnchanged<object>(row, storedById.get(row.id) ?? {});
  return {
    rows,
    released,
    live: new Set(live.keys()),
    isChanged: released.length > 0 || ![...live.values()].every(isStored),
  };
}

type Translation = { readonly [Member in OptionKind['member']]?: readonly { id: string }[] | null };
type Translations = readonly Translation[] | null | undefined;

/** Translations may refer to live options, and to options that the stored translations refer to already. */
export function checkOptionTranslations(
  input: Translations,
  stored: Translations,
  live: ReadonlySet<string>,
  { type, member }: OptionKind,
): void {
  const known = new Set([
    ...live,
    ...(stored ?? []).flatMap((translation) => (translation[member] ?? []).map(({ id }) => id)),
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
function mergedOption(stored: OptionRow | undefined, option: OptionInput, position: number): OptionRow {
  return { ...(stored ?? newOption()), ...withoutUndefined(option), position, deleted: option.deleted ?? false };
}

function newOption() {
  return { id: newId(), colorCode: null, thumbnailImageId: null };
}
