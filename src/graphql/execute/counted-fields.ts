import { getNamedType, GraphQLError, type GraphQLField, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import type { ResponseSize } from '../../limits/response-size.ts';
import { isIncluded, selectionSets, type Visit } from '../document/collect-fields.ts';
import { sizeOf } from './response-text.ts';
import { type Completer, completer, FallBackToGraphQLJs } from './value-completer.ts';

/** graphql-js completes this many values in about half a second, during which it blocks the event loop. */
const MAX_COMPLETED_VALUES = 500_000;

/** Set if graphql-js completes the root fields: it counts no bytes itself. */
export type CountedContext = Context & { readonly countsFields?: true };

type Counters = { whole: Completer | null; record: Completer | null };
type Resolve = (ctx: Context) => unknown;

/** Counts the results of root fields before graphql-js completes them. */
export class FieldCounter {
  /** The counters of selection sets without directives, which depend on no variable. */
  readonly #countersBySet = new WeakMap<SelectionSetNode, Counters>();

  /** Resolves a root field and counts its result. The record of a mutation is counted before the mutation commits. */
  async resolve(
    field: GraphQLField<unknown, never>,
    ctx: CountedContext,
    info: GraphQLResolveInfo,
    resolve: Resolve,
  ): Promise<unknown> {
    const { responseSize } = ctx;
    if (!responseSize) return await resolve(ctx);
    const { whole, record } = this.#countersOf(field, info);
    const beforeCommit = (value: unknown): void => {
      responseSize.checkWrite(bytesOf(record, value, responseSize));
      ctx.beforeCommit?.(value);
    };
    const value = await resolve({ ...ctx, beforeCommit });
    responseSize.write(bytesOf(whole, value, responseSize));
    return value;
  }

  #countersOf(field: GraphQLField<unknown, never>, info: GraphQLResolveInfo): Counters {
    const [first, ...others] = info.fieldNodes;
    const set = others.length === 0 ? first!.selectionSet : undefined;
    const found = set && this.#countersBySet.get(set);
    if (found) return found;
    const { counters, isConstant } = countersOf(field, info);
    if (set && isConstant) this.#countersBySet.set(set, counters);
    return counters;
  }
}

/** The counters of a root field, and whether they are the same for all variables. */
function countersOf(
  field: GraphQLField<unknown, never>,
  info: GraphQLResolveInfo,
): { counters: Counters; isConstant: boolean } {
  let isConstant = true;
  const visit: Visit = (node) => {
    if (node.kind === 'FragmentDefinition' || !node.directives?.length) return true;
    isConstant = false;
    return isIncluded(node, info.variableValues);
  };
  const selected = { sets: selectionSets(info.fieldNodes), fragments: info.fragments, visit };
  const whole = completer(field.type, selected);
  const record = completer(getNamedType(field.type), selected);
  return { counters: { whole, record }, isConstant };
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
