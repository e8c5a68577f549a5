import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { RecordTable } from '../../../db/read/projection.ts';

/** The table that an id refers to. `whole`: the column with the parent record, such as the variant type of a value. */
export type Target = { table: RecordTable; whole?: AnyPgColumn };

/** An id in a row. `whole`: the required parent of the record. */
export type NamedId = { member: string; target: Target; id: string; whole?: string };

/** The invalid members of a row, and the ids that it refers to. */
export type RowContent = { invalid: Set<string>; ids: NamedId[] };

/**
 * Checks one value. `entry` is the object around it: the row, or an entry of a list. `member` is the same for all
 * entries of a list.
 */
export type Rule = (value: unknown, member: string, row: RowContent, entry: Readonly<Record<string, unknown>>) => void;

export const number = plain((value) => typeof value === 'number');
export const boolean = plain((value) => typeof value === 'boolean');
/** JSON may contain NUL and lone surrogates, but Postgres cannot extract such texts. */
export const text = plain((value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'));

function plain(isStored: (value: unknown) => boolean): Rule {
  return (value, member, { invalid }) => {
    if (!isStored(value)) invalid.add(member);
  };
}

/** The id of a record of this table. */
export function id(table: RecordTable): Rule {
  return named(() => ({ target: { table } }));
}

/** The id of a record whose parent is named by `member` of the same object. */
export function partOf(target: Required<Target>, member: string): Rule {
  return named((entry) => ({ target, ...(typeof entry[member] === 'string' && { whole: entry[member] }) }));
}

/** The id of a record whose table depends on `member` of the same object. Other types are not checked. */
export function idByType(member: string, tables: Readonly<Record<string, RecordTable>>): Rule {
  return named((entry) => {
    const table = tables[String(entry[member])];
    return table ? { target: { table } } : null;
  });
}

function named(target: (entry: Readonly<Record<string, unknown>>) => Pick<NamedId, 'target' | 'whole'> | null): Rule {
  return (value, member, { invalid, ids }, entry) => {
    if (typeof value !== 'string') return void invalid.add(member);
    const found = target(entry);
    if (found) ids.push({ member, id: value, ...found });
  };
}

/** A member that is always stored, and may be null. */
export function nullable(rule: Rule): Rule {
  return (value, ...rest) => {
    if (value !== null) rule(value, ...rest);
  };
}

/** A member that may be null or missing. */
export function optional(rule: Rule): Rule {
  return (value, ...rest) => {
    if (value !== null && value !== undefined) rule(value, ...rest);
  };
}

export function list(each: Rule): Rule {
  return (value, member, row, entry) => {
    if (!Array.isArray(value)) return void row.invalid.add(member);
    for (const element of value) each(element, member, row, entry);
  };
}

/** An object with these members. Other members are ignored. */
export function object(members: Readonly<Record<string, Rule>>): Rule {
  const rules = Object.entries(members);
  return (value, member, row) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return void row.invalid.add(member);
    const entry = value as Record<string, unknown>;
    for (const [name, rule] of rules)
      rule(Object.hasOwn(entry, name) ? entry[name] : undefined, `${member}.${name}`, row, entry);
  };
}
