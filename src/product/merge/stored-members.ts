import type { PgTable } from 'drizzle-orm/pg-core';
import { isListColumn, writtenColumns } from '../../db/sql/table-columns.ts';
import type { OnlyColumns } from '../../db/write/saved-record.ts';

/** Makes the values of columns from members that were sent and are not stored as they are sent. */
export type Stores<Input, Row> = {
  readonly [Member in keyof Input & keyof Row]?: (sent: Exclude<Input[Member], undefined>) => Row[Member];
};

/** The members that were sent, as they are stored. Members that were left out are left out. */
export function storedMembers<Input extends object, Row>(
  sent: OnlyColumns<Input, Row>,
  stores: Stores<Input, Row>,
): Partial<Row> {
  const stored: Record<string, unknown> = {};
  for (const member of Object.keys(sent)) {
    const value = (sent as Record<string, unknown>)[member];
    const store = (stores as Record<string, ((sent: unknown) => unknown) | undefined>)[member];
    if (value !== undefined) stored[member] = store ? store(value) : value;
  }
  return stored as Partial<Row>;
}

/** For the columns of a table that are lists of ids or texts, which are never null. Ids are stored once. */
export function listStores(table: PgTable): Record<string, (sent: readonly string[] | null) => string[]> {
  const lists = writtenColumns(table).filter(([, column]) => isListColumn(column));
  return Object.fromEntries(
    lists.map(([member, column]) => {
      const isIds = column.getSQLType() === 'uuid[]';
      return [member, (sent) => (isIds ? [...new Set(sent)] : [...(sent ?? [])])];
    }),
  );
}

/** Value objects as they are stored: null for an empty list. */
export function storedList<Sent, Stored>(
  sent: readonly Sent[] | null,
  store: (entry: Sent) => Stored,
): Stored[] | null {
  return sent && sent.length > 0 ? sent.map(store) : null;
}

type EveryMember<Entry> = {
  [Member in keyof Entry]-?: undefined extends Entry[Member] ? Exclude<Entry[Member], undefined> | null : Entry[Member];
};

/** Stores a value object with every member of its input: one that was left out is null. */
export function everyMember<Entry extends object>(schema: {
  shape: { readonly [Member in keyof Required<Entry>]: unknown };
}): (sent: Entry) => EveryMember<Entry> {
  const members = Object.keys(schema.shape) as (keyof Entry)[];
  const empty = Object.fromEntries(members.map((member) => [member, null])) as Record<keyof Entry, unknown>;
  return (sent) => {
    const stored = { ...empty };
    for (const member of members) if (sent[member] !== undefined) stored[member] = sent[member];
    return stored as EveryMember<Entry>;
  };
}
