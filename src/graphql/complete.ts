import {
  defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Fragments, responseKey, selectionSets, type Visit } from './fields.ts';
import type { TextSize } from './text-size.ts';

/** The answer's value of what a resolver has answered. Its text is counted while it is completed. */
export type Complete = (value: unknown, size: TextSize) => unknown;

/** Thrown to fall back to graphql-js: the value is an error, a promise, or null in a non-null field. */
export class Incomplete extends Error {}

/** What is selected of a type: one selection, or several of the same field that are merged. */
export type Selected = { sets: readonly SelectionSetNode[]; fragments: Fragments; visit?: Visit };

/** A selected field under the key that it has in the answer. */
export type Member = { key: string; name: string; below: Selected };

const TYPE_NAME = '__typename';
/** `null` and `true`. */
const NULL_BYTES = 4;
const FALSE_BYTES = 5;
/** Around a key, whose letters have one byte each. */
const QUOTES_AND_COLON = 3;

/** The selected fields in the order of the answer. `visit` leaves out those that a directive excludes. */
export function membersOf({ sets, fragments, visit }: Selected): Member[] {
  const byKey = Map.groupBy(collectFields(sets, fragments, visit), responseKey);
  return Array.from(byKey, ([key, fields]) => ({
    key,
    name: fields[0]!.name.value,
    below: { sets: selectionSets(fields), fragments, ...(visit && { visit }) },
  }));
}

/** Whether every key below is the name of a field, as in the text that the database writes. */
export function isUnaliased(selected: Selected): boolean {
  return membersOf(selected).every(({ key, name, below }) => key === name && name !== TYPE_NAME && isUnaliased(below));
}

/**
 * What graphql-js makes of records that are there already, without the promises, paths and signals it has
 * for those that are not: made once for a type and a selection of it. Null where a field resolves itself.
 */
export function completer(type: GraphQLOutputType, selected: Selected): Complete | null {
  if (isNonNullType(type)) return notNull(completer(type.ofType, selected));
  if (isListType(type)) return list(completer(type.ofType, selected));
  if (isObjectType(type)) return record(type, selected);
  return isLeafType(type) ? orNull((value, size) => counted(presence(type.coerceOutputValue(value)), size)) : null;
}

function counted(leaf: unknown, size: TextSize): unknown {
  if (typeof leaf === 'string') size.text(leaf);
  else if (typeof leaf === 'number') size.number(leaf);
  else size.add(leaf === false ? FALSE_BYTES : NULL_BYTES);
  return leaf;
}

function notNull(complete: Complete | null): Complete | null {
  return complete && ((value, size) => presence(complete(value, size)));
}

function list(complete: Complete | null): Complete | null {
  if (!complete) return null;
  return orNull((value, size) => {
    if (!Array.isArray(value)) throw new Incomplete();
    size.add(bracketsAndCommas(value.length));
    if (size.keepsValues) return value.map((entry) => complete(entry, size));
    for (const entry of value) complete(entry, size);
    return value;
  });
}

function record(type: GraphQLObjectType, selected: Selected): Complete | null {
  const members = membersOf(selected).map(({ key, name, below }) => ({ key, name, complete: memberCompleter(type, name, below) }));
  if (type.isTypeOf || members.some(({ key, complete }) => !complete || key === '__proto__')) return null;
  const keyBytes = bracketsAndCommas(members.length) + members.reduce((sum, { key }) => sum + key.length + QUOTES_AND_COLON, 0);
  return orNull((value, size) => {
    if (typeof value !== 'object') throw new Incomplete();
    size.add(keyBytes);
    const completed: Record<string, unknown> = {};
    for (const { key, name, complete } of members) {
      const member = complete!((value as Record<string, unknown>)[name], size);
      if (size.keepsValues) completed[key] = member;
    }
    return completed;
  });
}

function bracketsAndCommas(count: number): number {
  return 2 + Math.max(0, count - 1);
}

function memberCompleter(type: GraphQLObjectType, name: string, below: Selected): Complete | null {
  if (name === TYPE_NAME) return (_, size) => counted(type.name, size);
  const field = type.getFields()[name];
  return field && !resolvesItself(field) ? completer(field.type, below) : null;
}

function resolvesItself({ args, resolve }: GraphQLField<unknown, unknown>): boolean {
  return args.length > 0 || (resolve !== undefined && resolve !== defaultFieldResolver);
}

function orNull(complete: Complete): Complete {
  return (value, size) => {
    if (value === null || value === undefined) {
      size.add(NULL_BYTES);
      return null;
    }
    if (typeof value === 'function' || value instanceof Error || value instanceof Promise) throw new Incomplete();
    return complete(value, size);
  };
}

function presence(value: unknown): unknown {
  if (value === null || value === undefined) throw new Incomplete();
  return value;
}
