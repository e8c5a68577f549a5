import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Fragments, responseKey, selectionSets, type Visit } from '../document/collect-fields.ts';
import { type ExactSize, LeastSize } from './json-size.ts';

/** Makes of what a resolver has answered the value of the answer, or its text. */
export type Completer = {
  readonly isRecord: boolean;
  /** Whether there are lists of records in the value: then its text is written in pieces. */
  readonly hasLists: boolean;
  complete(value: unknown, size: LeastSize): unknown;
  /** Counts the text without making it, as many times as the value stands in the answer. */
  count(value: unknown, size: ExactSize, times: number): void;
  /** The text in pieces, one for each record of a list. */
  pieces(value: unknown): Generator<string>;
};

/** Thrown to fall back to graphql-js: the value is an error, a promise, or null in a non-null field. */
export class Incomplete extends Error {}

/** What is selected of a type: one selection, or several of the same field that are merged. */
export type Selected = { sets: readonly SelectionSetNode[]; fragments: Fragments; visit?: Visit };

/** A selected field under the key that it has in the answer. */
export type Member = { key: string; name: string; below: Selected };

const TYPE_NAME = '__typename';
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
export function completer(type: GraphQLOutputType, selected: Selected): Completer | null {
  if (isNonNullType(type)) return notNull(completer(type.ofType, selected));
  if (isListType(type)) return list(completer(type.ofType, selected));
  if (isObjectType(type)) return record(type, selected);
  return isLeafType(type) ? leaf(type) : null;
}

function notNull(completer: Completer | null): Completer | null {
  return (
    completer && {
      ...completer,
      complete: (value, size) => presence(completer.complete(value, size)),
      pieces: (value) => completer.pieces(presence(value)),
    }
  );
}

function leaf(type: GraphQLLeafType): Completer {
  const coerced = (value: unknown): unknown => presence(type.coerceOutputValue(value));
  return orNull({
    complete: (value, size) => {
      const found = coerced(value);
      size.leaf(found);
      return found;
    },
    count: (value, size, times) => size.leaf(coerced(value), times),
  });
}

function list(entry: Completer | null): Completer | null {
  if (!entry) return null;
  const values = (value: unknown): unknown[] => {
    if (!Array.isArray(value)) throw new Incomplete();
    return value;
  };
  return orNull({
    complete: (value, size) => {
      size.add(bracketsAndCommas(values(value).length));
      return values(value).map((one) => entry.complete(one, size));
    },
    count: (value, size, times) => {
      size.add(bracketsAndCommas(values(value).length), times);
      for (const one of values(value)) entry.count(one, size, times);
    },
    ...((entry.isRecord || entry.hasLists) && { pieces: (value: unknown) => listPieces(entry, values(value)) }),
  });
}

function* listPieces(entry: Completer, values: unknown[]): Generator<string> {
  let before = '[';
  for (const value of values) {
    yield before;
    yield* entry.pieces(value);
    before = ',';
  }
  yield values.length === 0 ? '[]' : ']';
}

type CompletedMember = { key: string; name: string; completer: Completer };

function record(type: GraphQLObjectType, selected: Selected): Completer | null {
  const all = membersOf(selected).map(({ key, name, below }) => ({
    key,
    name,
    completer: memberCompleter(type, name, below),
    isLeaf: below.sets.length === 0,
  }));
  if (type.isTypeOf || all.some(({ key, completer }) => !completer || key === '__proto__')) return null;
  const members = all as (CompletedMember & { isLeaf: boolean })[];
  const keyBytes =
    bracketsAndCommas(members.length) + members.reduce((sum, { key }) => sum + key.length + QUOTES_AND_COLON, 0);
  const distinct = distinctMembers(members);
  return orNull({
    complete: (value, size) => {
      const source = fieldsOf(value);
      size.add(keyBytes);
      const completed: Record<string, unknown> = {};
      for (const { key, name, completer } of members) completed[key] = completer.complete(source[name], size);
      return completed;
    },
    count: (value, size, times) => {
      const source = fieldsOf(value);
      size.add(keyBytes, times);
      for (const { name, completer, count } of distinct) completer.count(source[name], size, times * count);
    },
    isRecord: true,
    ...(members.some(({ completer }) => completer.hasLists) && {
      pieces: (value: unknown) => recordPieces(members, fieldsOf(value)),
    }),
  });
}

/** Leaves of one field are counted once for all their aliases. */
function distinctMembers(
  members: readonly (CompletedMember & { isLeaf: boolean })[],
): { name: string; completer: Completer; count: number }[] {
  const leaves = Map.groupBy(
    members.filter(({ isLeaf }) => isLeaf),
    ({ name }) => name,
  );
  return [
    ...Array.from(leaves, ([name, same]) => ({ name, completer: same[0]!.completer, count: same.length })),
    ...members.filter(({ isLeaf }) => !isLeaf).map(({ name, completer }) => ({ name, completer, count: 1 })),
  ];
}

function* recordPieces(members: readonly CompletedMember[], source: Record<string, unknown>): Generator<string> {
  let before = '{';
  for (const { key, name, completer } of members) {
    yield `${before}"${key}":`;
    yield* completer.pieces(source[name]);
    before = ',';
  }
  yield '}';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object') throw new Incomplete();
  return value as Record<string, unknown>;
}

function bracketsAndCommas(count: number): number {
  return 2 + Math.max(0, count - 1);
}

function memberCompleter(type: GraphQLObjectType, name: string, below: Selected): Completer | null {
  if (name === TYPE_NAME) return typeName(type.name);
  const field = type.getFields()[name];
  return field && !resolvesItself(field) ? completer(field.type, below) : null;
}

function typeName(name: string): Completer {
  const text = JSON.stringify(name);
  return {
    isRecord: false,
    hasLists: false,
    complete: (_, size) => {
      size.leaf(name);
      return name;
    },
    count: (_, size, times) => size.leaf(name, times),
    *pieces() {
      yield text;
    },
  };
}

function resolvesItself({ args, resolve }: GraphQLField<unknown, unknown>): boolean {
  return args.length > 0 || (resolve !== undefined && resolve !== defaultFieldResolver);
}

type OfPresent = Pick<Completer, 'complete' | 'count'> & Partial<Pick<Completer, 'isRecord' | 'pieces'>>;

function orNull({ isRecord = false, complete, count, pieces }: OfPresent): Completer {
  return {
    isRecord,
    hasLists: pieces !== undefined,
    complete: (value, size) => {
      if (isPresent(value)) return complete(value, size);
      size.leaf(null);
      return null;
    },
    count: (value, size, times) => (isPresent(value) ? count(value, size, times) : size.leaf(null, times)),
    *pieces(value) {
      if (!isPresent(value)) yield 'null';
      else if (pieces) yield* pieces(value);
      else yield JSON.stringify(complete(value, new LeastSize(Infinity)));
    },
  };
}

function isPresent(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'function' || value instanceof Error || value instanceof Promise) throw new Incomplete();
  return true;
}

function presence(value: unknown): unknown {
  if (value === null || value === undefined) throw new Incomplete();
  return value;
}
