import { newId } from '../db/sql/id.ts';
import { notFound } from '../errors.ts';
import { withoutUndefined } from '../field-input.ts';
import type { ChoiceInput } from './option-list-input.ts';

/** A row of a list that its record owns and products point at, so that it is only ever deleted softly. */
export type ChoiceRow = {
  id: string;
  position: number;
  name: string;
  colorCode: string | null;
  thumbnailImageId: string | null;
  deleted: boolean;
};

/** What choices are called: one of them in errors, and the list in the input. */
export type ChoiceKind = { type: string; member: 'values' | 'options' };

export type ChoiceChanges = {
  /** The rows of the list as sent. */
  rows: ChoiceRow[];
  /**
   * Live rows to be marked as deleted before those are written: rows left out, and rows that change
   * their name, so that two may swap names under a unique index.
   */
  released: string[];
  /** Ids of the choices there are afterwards. */
  live: ReadonlySet<string>;
};

/** Makes the sent list the record's choices: matched by id, the rest new, what is left out deleted. */
export function placeChoices(
  stored: readonly ChoiceRow[],
  input: readonly ChoiceInput[],
  kind: ChoiceKind,
): ChoiceChanges {
  const storedById = new Map(stored.map((row) => [row.id, row]));
  const unknown = input.flatMap(({ id }, index) => (id === undefined || storedById.has(id) ? [] : [{ id, index }]));
  if (unknown.length > 0)
    throw notFound(
      kind.type,
      unknown.map(({ id }) => id),
      ['input', kind.member, unknown[0]!.index, 'id'],
    );
  const rows = input.map((choice, position) => placed(storedById.get(choice.id ?? ''), choice, position));
  const live = new Map(rows.filter(({ deleted }) => !deleted).map((row) => [row.id, row]));
  return {
    rows,
    released: stored.filter((row) => !row.deleted && live.get(row.id)?.name !== row.name).map(({ id }) => id),
    live: new Set(live.keys()),
  };
}

type Translation = { readonly [Member in ChoiceKind['member']]?: readonly { id: string }[] | null };
type Translations = readonly Translation[] | null | undefined;

/** Translations may name the choices there are, and those the record's translations name already. */
export function checkTranslations(
  input: Translations,
  stored: Translations,
  live: ReadonlySet<string>,
  { type, member }: ChoiceKind,
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

/** An entry of the list is in it, whatever became of it before, unless it says `deleted: true`. */
function placed(stored: ChoiceRow | undefined, choice: ChoiceInput, position: number): ChoiceRow {
  return { ...(stored ?? newChoice()), ...withoutUndefined(choice), position, deleted: choice.deleted ?? false };
}

function newChoice() {
  return { id: newId(), colorCode: null, thumbnailImageId: null };
}
