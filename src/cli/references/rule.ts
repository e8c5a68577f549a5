import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { TenantTable } from '../../db/read/projection.ts';

export type RecordTable = TenantTable & { id: AnyPgColumn };

/** Which records an id may name. `whole`: the column that says what a record is part of, as a value is of its variant type. */
export type Target = { table: RecordTable; whole?: AnyPgColumn };

/** An id that a row names. `whole`: what the named record has to be part of. */
export type NamedId = { member: string; target: Target; id: string; whole?: string };

/** What was found in one row: the members whose values are not as the service stores them, and the ids that it names. */
export type RowContent = { misshapen: Set<string>; ids: NamedId[] };

/** Looks at one value. `entry` is the object around it: the row, or an entry of a list. `member` is the same in all entries of a list. */
export type Rule = (value: unknown, member: string, row: RowContent, entry: Readonly<Record<string, unknown>>) => void;

export const number = plain((value) => typeof value === 'number');
export const boolean = plain((value) => typeof value === 'boolean');
/** Postgres refuses to read NUL and lone surrogates out of JSON, which may hold them. */
export const text = plain((value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'));

function plain(isStored: (value: unknown) => boolean): Rule {
  return (value, member, { misshapen }) => {
    if (!isStored(value)) misshapen.add(member);
  };
}

/** The id of a record of this kind. */
export function id(table: RecordTable): Rule {
  return named(() => ({ target: { table } }));
}

/** The id of a part of the record that `member` of the same object names. */
export function partOf(target: Required<Target>, member: string): Rule {
  return named((entry) => ({ target, ...(typeof entry[member] === 'string' && { whole: entry[member] }) }));
}

/** The id of a record whose kind `member` of the same object names; other kinds are not looked up. */
export function idByType(member: string, tables: Readonly<Record<string, RecordTable>>): Rule {
  return named((entry) => {
    const table = tables[String(entry[member])];
    return table ? { target: { table } } : null;
  });
}

function named(target: (entry: Readonly<Record<string, unknown>>) => Pick<NamedId, 'target' | 'whole'> | null): Rule {
  return (value, member, { misshapen, ids }, entry) => {
    if (typeof value !== 'string') return void misshapen.add(member);
    const found = target(entry);
    if (found) ids.push({ member, id: value, ...found });
  };
}

/** A member that is always stored, as null where there is no value. */
export function nullable(rule: Rule): Rule {
  return (value, ...rest) => {
    if (value !== null) rule(value, ...rest);
  };
}

/** A member that may be missing too. */
export function optional(rule: Rule): Rule {
  return (value, ...rest) => {
    if (value !== null && value !== undefined) rule(value, ...rest);
  };
}

export function list(each: Rule): Rule {
  return (value, member, row, entry) => {
    if (!Array.isArray(value)) return void row.misshapen.add(member);
    for (const element of value) each(element, member, row, entry);
  };
}

/** An object with the members of the type; others are left alone. */
export function object<Type>(members: { [Member in keyof Required<Type>]: Rule }): Rule {
  const rules = Object.entries<Rule>(members);
  return (value, member, row) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return void row.misshapen.add(member);
    const entry = value as Record<string, unknown>;
    for (const [name, rule] of rules)
      rule(Object.hasOwn(entry, name) ? entry[name] : undefined, `${member}.${name}`, row, entry);
  };
}
