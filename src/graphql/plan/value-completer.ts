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
import type { ExactSize, MinimumSize } from './response-text.ts';

/**
 * CompleteValue of the GraphQL specification: converts the result of a resolver to a value of the response, or to its
 * text.
 */
export type Completer = {
  readonly isRecord: boolean;
  /** Whether the value contains lists of records. If so, its text may be written in pieces. */
  readonly hasLists: boolean;
  /** Null as `size`: the bytes are not counted. */
  complete(value: unknown, size: MinimumSize | null): unknown;
  /** Counts the bytes of the text without making it. `times`: how often the value is in the response. */
  count(value: unknown, size: ExactSize, times: number): void;
  /** The text in pieces: a few per record of a list. */
  pieces(value: unknown): Generator<string>;
};

/** Thrown to fall back to graphql-js: the value is an error, a promise, or null in a non-null field. */
export class FallBackToGraphQLJs extends Error {}

/** The selection sets of one object, which are merged. */
export type Selected = { sets: readonly SelectionSetNode[]; fragments: Fragments; visit?: Visit };

/** A selected field with its response key. */
export type Member = { key: string; name: string; below: Selected };

const TYPENAME_FIELD = '__typename';
/** Quotes and colon of a key. Names are ASCII. */
const KEY_SYNTAX_BYTES = 3;

/** The selected fields in the order of the response. `visit` leaves out those that a directive excludes. */
export function membersOf({ sets, fragments, visit }: Selected): Member[] {
  const byKey = Map.groupBy(collectFields(sets, fragments, visit), responseKey);
  return Array.from(byKey, ([key, fields]) => ({
    key,
    name: fields[0]!.name.value,
    below: { sets: selectionSets(fields), fragments, ...(visit && { visit }) },
  }));
}

/** Whether every key is the name of its field, as in the JSON text that the database makes. */
export function isUnaliased(selected: Selected): boolean {
  return membersOf(selected).every(
    ({ key, name, below }) => key === name && name !== TYPENAME_FIELD && isUnaliased(below),
  );
}

/**
 * Completes values as graphql-js does, but without promises and paths, since our records are complete when a root field
 * resolves. Created once per type and selection. Null if a selected field has a resolver of its own.
 */
export function completer(type: GraphQLOutputType, selected: Selected): Completer | null {
  if (isNonNullType(type)) return nonNullCompleter(completer(type.ofType, selected));
  if (isListType(type)) return list(completer(type.ofType, selected));
  if (isObjectType(type)) return record(type, selected);
  return isLeafType(type) ? leaf(type) : null;
}

function nonNullCompleter(completer: Completer | null): Completer | null {
  return (
    completer && {
      ...completer,
      complete: (value, size) => requirePresent(completer.complete(value, size)),
      pieces: (value) => completer.pieces(requirePresent(value)),
    }
  );
}

function leaf(type: GraphQLLeafType): Completer {
  const coerced = (value: unknown): unknown => requirePresent(type.coerceOutputValue(value));
  return nullable({
    complete: (value, size) => {
      const found = coerced(value);
      size?.leaf(found);
      return found;
    },
    count: (value, size, times) => size.leaf(coerced(value), times),
  });
}

function list(entry: Completer | null): Completer | null {
  if (!entry) return null;
  const values = (value: unknown): unknown[] => {
    if (!Array.isArray(value)) throw new FallBackToGraphQLJs();
    return value;
  };
  return nullable({
    complete: (value, size) => {
      size?.add(bracketsAndCommas(values(value).length));
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
  if (type.isTypeOf || all.some(({ completer }) => !completer)) return null;
  const members = all as (CompletedMember & { isLeaf: boolean })[];
  const keyBytes =
    bracketsAndCommas(members.length) + members.reduce((sum, { key }) => sum + key.length + KEY_SYNTAX_BYTES, 0);
  const distinct = distinctMembers(members);
  // Assigned to an object with a prototype, this key would replace the prototype.
  const isBare = members.some(({ key }) => key === '__proto__');
  return nullable({
    complete: (value, size) => {
      const source = fieldsOf(value);
      size?.add(keyBytes);
      const completed: Record<string, unknown> = isBare ? Object.create(null) : {};
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

/** A leaf field with several aliases is counted once, times their number. */
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
  if (typeof value !== 'object') throw new FallBackToGraphQLJs();
  return value as Record<string, unknown>;
}

function bracketsAndCommas(count: number): number {
  return 2 + Math.max(0, count - 1);
}

function memberCompleter(type: GraphQLObjectType, name: string, below: Selected): Completer | null {
  if (name === TYPENAME_FIELD) return typeName(type.name);
  const field = type.getFields()[name];
  return field && !hasOwnResolver(field) ? completer(field.type, below) : null;
}

export function typeName(name: string): Completer {
  const text = JSON.stringify(name);
  return {
    isRecord: false,
    hasLists: false,
    complete: (_, size) => {
      size?.leaf(name);
      return name;
    },
    count: (_, size, times) => size.leaf(name, times),
    *pieces() {
      yield text;
    },
  };
}

function hasOwnResolver({ args, resolve }: GraphQLField<unknown, unknown>): boolean {
  return args.length > 0 || (resolve !== undefined && resolve !== defaultFieldResolver);
}

type PresentValueCompleter = Pick<Completer, 'complete' | 'count'> & Partial<Pick<Completer, 'isRecord' | 'pieces'>>;

function nullable({ isRecord = false, complete, count, pieces }: PresentValueCompleter): Completer {
  return {
    isRecord,
    hasLists: pieces !== undefined,
    complete: (value, size) => {
      if (isPresent(value)) return complete(value, size);
      size?.leaf(null);
      return null;
    },
    count: (value, size, times) => (isPresent(value) ? count(value, size, times) : size.leaf(null, times)),
    *pieces(value) {
      if (!isPresent(value)) yield 'null';
      else if (pieces) yield* pieces(value);
      else yield JSON.stringify(complete(value, null));
    },
  };
}

function isPresent(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'function' || value instanceof Error || value instanceof Promise)
    throw new FallBackToGraphQLJs();
  return true;
}

function requirePresent(value: unknown): unknown {
  if (value === null || value === undefined) throw new FallBackToGraphQLJs();
  return value;
}
