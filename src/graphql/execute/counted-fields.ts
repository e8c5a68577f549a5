import { getNamedType, GraphQLError, type GraphQLField, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import type { ResponseSize } from '../../response-size.ts';
import { isIncluded, selectionSets, type Visit } from '../document/collect-fields.ts';
import { sizeOf } from './response-text.ts';
import { type Completer, completer, FallBackToGraphQLJs } from './value-completer.ts';

/** graphql-js completes this many values in about half a second, during which it blocks the event loop. */
const MAX_COMPLETED_VALUES = 500_000;

/** Set if graphql-js completes the root fields: it counts no bytes itself. */
export type CountedContext = Context & { readonly countsFields?: true };

type Counters = { whole: Completer | null; record: Completer | null };
type Resolve = (ctx: Context) => unknown;

/** The counters of selection sets without directives, which depend on no variable. */
const countersBySet = new WeakMap<SelectionSetNode, Counters>();

/**
 * Counts the result of a root field before graphql-js completes it. The record that a mutation returns is counted
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
  const beforeCommit = (value: unknown): void => {
    responseSize.checkWrite(bytesOf(record, value, responseSize));
    ctx.beforeCommit?.(value);
  };
  const value = await resolve({ ...ctx, beforeCommit });
  responseSize.write(bytesOf(whole, value, responseSize));
  return value;
}

/** 0 for a value that graphql-js will report as an error. */
function bytesOf(completer: Completer | null, value: unknown, { maxBytes }: ResponseSize): number {
  if (!completer) return 0;
  try {
    const { bytes, values } = sizeOf(completer, value, maxBytes);
    if (bytes <= maxBytes && values > MAX_COMPLETED_VALUES) throw tooManyValues(values);
    return bytes;
  } catch (error) {
    if (error instanceof FallBackToGraphQLJs || error instanceof GraphQLError) return 0;
    throw error;
  }
}

function tooManyValues(values: number): Error {
  return argumentInvalid([
    {
      path: ['selection'],
      message: `must have fewer fields: the answer would have ${values} values, and has at most ${MAX_COMPLETED_VALUES}`,
    },
  ]);
}

function countersOf(field: GraphQLField<unknown, never>, info: GraphQLResolveInfo): Counters {
  const [first, ...others] = info.fieldNodes;
  const set = others.length === 0 ? first!.selectionSet : undefined;
  const found = set && countersBySet.get(set);
  if (found) return found;
  let hasDirectives = false;
  const visit: Visit = (node) => {
    if (node.kind === 'FragmentDefinition' || !node.directives?.length) return true;
    hasDirectives = true;
    return isIncluded(node, info.variableValues);
  };
  const selected = { sets: selectionSets(info.fieldNodes), fragments: info.fragments, visit };
  const made = { whole: completer(field.type, selected), record: completer(getNamedType(field.type), selected) };
  if (set && !hasDirectives) countersBySet.set(set, made);
  return made;
}
