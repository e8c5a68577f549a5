import {
  defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLOutputType, isLeafType, isListType, isNonNullType, isObjectType,
} from 'graphql';
import type { Selection } from '../db/shape.ts';

/** The answer's value of what a resolver has answered. */
export type Complete = (value: unknown) => unknown;

/** Says that a value is for graphql-js, which knows what to make of an error, a promise or a null where none may be. */
export class Incomplete extends Error {}

/**
 * What graphql-js makes of records that are there already, without the promises, paths and signals it has
 * for those that are not: made once for a type and a selection of it. Null where a field resolves itself.
 */
export function completer(type: GraphQLOutputType, selection: Selection): Complete | null {
  if (isNonNullType(type)) return notNull(completer(type.ofType, selection));
  if (isListType(type)) return list(completer(type.ofType, selection));
  if (isObjectType(type)) return record(type, selection);
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

function record(type: GraphQLObjectType, selection: Selection): Complete | null {
  const members = Object.entries(selection).map(([name, below]) => ({ name, complete: fieldCompleter(type.getFields()[name], below) }));
  if (type.isTypeOf || members.some(({ complete }) => !complete)) return null;
  return orNull((value) => {
    if (typeof value !== 'object') throw new Incomplete();
    const completed: Record<string, unknown> = {};
    for (const { name, complete } of members) completed[name] = complete!((value as Record<string, unknown>)[name]);
    return completed;
  });
}

function fieldCompleter(field: GraphQLField<unknown, unknown> | undefined, selection: Selection): Complete | null {
  if (!field || field.args.length > 0 || (field.resolve && field.resolve !== defaultFieldResolver)) return null;
  return completer(field.type, selection);
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
