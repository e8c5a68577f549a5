import {
  defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Fragments, responseKey, selectionSets } from './fields.ts';

/** The answer's value of what a resolver has answered. */
export type Complete = (value: unknown) => unknown;

/** Thrown to fall back to graphql-js: the value is an error, a promise, or null in a non-null field. */
export class Incomplete extends Error {}

/** What is selected of a type: one selection, or several of the same field that are merged. */
export type Selected = { sets: readonly SelectionSetNode[]; fragments: Fragments };

/** A selected field under the key that it has in the answer. */
export type Member = { key: string; name: string; below: Selected };

const TYPE_NAME = '__typename';

/** The selected fields in the order of the answer, whose selections hold no directives. */
export function membersOf({ sets, fragments }: Selected): Member[] {
  const byKey = Map.groupBy(collectFields(sets, fragments), responseKey);
  return Array.from(byKey, ([key, fields]) => ({ key, name: fields[0]!.name.value, below: { sets: selectionSets(fields), fragments } }));
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
  return isLeafType(type) ? orNull((value) => presence(type.coerceOutputValue(value))) : null;
}

function notNull(complete: Complete | null): Complete | null {
  return complete && ((value) => presence(complete(value)));
}

function list(complete: Complete | null): Complete | null {
  if (!complete) return null;
  return orNull((value) => {
    if (!Array.isArray(value)) throw new Incomplete();
    return value.map(complete);
  });
}

function record(type: GraphQLObjectType, selected: Selected): Complete | null {
  const members = membersOf(selected).map(({ key, name, below }) => ({ key, name, complete: memberCompleter(type, name, below) }));
  if (type.isTypeOf || members.some(({ key, complete }) => !complete || key === '__proto__')) return null;
  return orNull((value) => {
    if (typeof value !== 'object') throw new Incomplete();
    const completed: Record<string, unknown> = {};
    for (const { key, name, complete } of members) completed[key] = complete!((value as Record<string, unknown>)[name]);
    return completed;
  });
}

function memberCompleter(type: GraphQLObjectType, name: string, below: Selected): Complete | null {
  if (name === TYPE_NAME) return () => type.name;
  const field = type.getFields()[name];
  return field && !resolvesItself(field) ? completer(field.type, below) : null;
}

function resolvesItself({ args, resolve }: GraphQLField<unknown, unknown>): boolean {
  return args.length > 0 || (resolve !== undefined && resolve !== defaultFieldResolver);
}

function orNull(complete: Complete): Complete {
  return (value) => {
    if (value === null || value === undefined) return null;
    if (typeof value === 'function' || value instanceof Error || value instanceof Promise) throw new Incomplete();
    return complete(value);
  };
}

function presence(value: unknown): unknown {
  if (value === null || value === undefined) throw new Incomplete();
  return value;
}
