import { getNamedType, GraphQLError, type GraphQLField, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import type { ResponseSize } from '../../response-size.ts';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import { sizeOf } from './response-text.ts';
import { type Completer, completer, Incomplete } from './value-completer.ts';
import { isIncluded, selectionSets, type Visit } from '../document/collect-fields.ts';

/** graphql-js completes so many values in about half a second, in which no other request is served. */
const COMPLETED_VALUES_MAX = 500_000;

/** Set where graphql-js completes the values of root fields, which counts nothing itself. */
export type CountedContext = Context & { readonly countsFields?: true };

type Counters = { whole: Completer | null; record: Completer | null };
type Resolve = (ctx: Context) => unknown;

/** Counters of selections without directives, by selection set. */
const known = new WeakMap<SelectionSetNode, Counters>();

/**
 * Counts what a root field answers before graphql-js completes it. A record that a mutation reads back is counted
 * before the mutation commits.
 */
export async function countField(
  field: GraphQLField<unknown, never>,
  ctx: CountedContext,
  info: GraphQLResolveInfo,
  resolve: Resolve,
): Promise<unknown> {
  const { responseSize } = ctx;
  if (!responseSize) return await resolve(ctx);
  const { whole, record } = countersOf(field, info);
  const beforeCommit = (value: unknown): void => responseSize.checkWrite(bytesOf(record, value, responseSize));
  const value = await resolve({ ...ctx, beforeCommit });
  responseSize.write(bytesOf(whole, value, responseSize));
  return value;
}

/** 0 for a value that graphql-js will report as wrong. */
function bytesOf(completer: Completer | null, value: unknown, { maxBytes }: ResponseSize): number {
  if (!completer) return 0;
  try {
    const { bytes, values } = sizeOf(completer, value, maxBytes);
    if (bytes <= maxBytes && values > COMPLETED_VALUES_MAX) throw tooManyValues(values);
    return bytes;
  } catch (error) {
    if (error instanceof Incomplete || error instanceof GraphQLError) return 0;
    throw error;
  }
}

function tooManyValues(values: number): Error {
  return argumentInvalid([
    {
      path: ['selection'],
      message: `must have fewer fields: the answer would have ${values} values, and has at most ${COMPLETED_VALUES_MAX}`,
    },
  ]);
}

function countersOf(field: GraphQLField<unknown, never>, info: GraphQLResolveInfo): Counters {
  const [first, ...others] = info.fieldNodes;
  const set = others.length === 0 ? first!.selectionSet : undefined;
  const found = set && known.get(set);
  if (found) return found;
  let hasDirectives = false;
  const visit: Visit = (node) => {
    if (node.kind === 'FragmentDefinition' || !node.directives?.length) return true;
    hasDirectives = true;
    return isIncluded(node, info.variableValues);
  };
  const selected = { sets: selectionSets(info.fieldNodes), fragments: info.fragments, visit };
  const made = { whole: completer(field.type, selected), record: completer(getNamedType(field.type), selected) };
  if (set && !hasDirectives) known.set(set, made);
  return made;
}
