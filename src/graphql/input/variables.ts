import {
  coerceInputValue,
  getNullableType,
  getVariableValues,
  type GraphQLInputType,
  type GraphQLSchema,
  isListType,
  type VariableDefinitionNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { mapInSlices } from '../../limits/event-loop-slices.ts';
import { isLongList } from './arguments.ts';

/** Invalid variables reported for one request. */
const MAX_COERCION_ERRORS = 50;

type Coerced = ReturnType<typeof getVariableValues>;
export type VariableValues = NonNullable<Coerced['variableValues']>;
export type Variables = Readonly<Record<string, unknown>> | null;

/**
 * Coerces variables as graphql-js does, but serves other requests between the entries of long lists: 1,000 products
 * with 70 variants take 0.3 s.
 */
export function coercedVariables(
  ctx: Pick<Context, 'slices'>,
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  sent: Variables,
): Coerced | Promise<Coerced> {
  const given = sent ?? {};
  return Object.values(given).some(isLongList)
    ? withLongLists(ctx, schema, definitions, given)
    : coerced(schema, definitions, given);
}

function coerced(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
): Coerced {
  return getVariableValues(schema, definitions, given, { maxErrors: MAX_COERCION_ERRORS, hideSuggestions: true });
}

async function withLongLists(
  ctx: Pick<Context, 'slices'>,
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Readonly<Record<string, unknown>>,
): Promise<Coerced> {
  const long = Object.entries(given).flatMap(([name, value]) => (isLongList(value) ? [{ name, value }] : []));
  const emptied = Object.fromEntries(long.map(({ name }) => [name, []]));
  const values = coerced(schema, definitions, { ...given, ...emptied });
  // graphql-js says why a value is invalid.
  if (values.errors) return coerced(schema, definitions, given);
  const { sources, coerced: lists } = values.variableValues;
  for (const { name, value } of long) {
    // A variable that the document does not declare has no source.
    const source = sources[name];
    if (!source) continue;
    const list = await coercedList(ctx, source.signature.type, value);
    if (!list) return coerced(schema, definitions, given);
    Object.assign(sources, { [name]: { ...source, value } });
    Object.assign(lists, { [name]: list });
  }
  return values;
}

/** Null if the type is no list, or if an entry is invalid. */
async function coercedList(
  ctx: Pick<Context, 'slices'>,
  type: GraphQLInputType,
  entries: readonly unknown[],
): Promise<unknown[] | null> {
  const list = getNullableType(type);
  if (!isListType(list)) return null;
  const values = await mapInSlices(ctx, entries, (entry) => coerceInputValue(entry, list.ofType));
  return values.includes(undefined) ? null : values;
}
