import {
  type ExecutionArgs,
  type ExecutionResult,
  getArgumentValues,
  getVariableValues,
  GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
} from 'graphql';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { JsonText } from '../../values/json-text.ts';
import type { ResponseSize } from '../../limits/response-size.ts';
import { createPlanner, includedFields, type PageMember, type QueryPlan, type RootField } from './query-plan.ts';
import { writeLeaf, writeText } from './response-text.ts';
import { FallBackToGraphQLJs } from './value-completer.ts';

/** Quotes, colon and comma of a key. */
const KEY_SYNTAX_BYTES = 4;

/** A result of graphql-js, or one whose data is JSON text already. */
export type DocumentResult = ExecutionResult | { data: JsonText; errors?: readonly GraphQLError[] };

/**
 * The result of a list operation. `json` has the records as JSON text, if the database made exactly what is selected.
 */
type PageWithText = { readonly json?: { readonly text: string; readonly bytes: number } } & Record<string, unknown>;

/** Thrown if a non-null root field fails: `data` is null then, whatever the other fields return. */
class NonNullFieldFailed extends Error {
  readonly located: GraphQLError;

  constructor(located: GraphQLError) {
    super(located.message);
    this.located = located;
  }
}

/**
 * Executes queries without graphql-js: converts results of resolvers directly to JSON text, and sends the JSON text of
 * pages as the database made it. Returns null for everything that it does not support; graphql-js executes that, with
 * the same bytes: a test compares the two.
 */
export function createFastPath(schema: GraphQLSchema): (args: ExecutionArgs) => Promise<DocumentResult | null> {
  const planOf = createPlanner(schema);
  return async (args) => {
    const plan = planOf(args.document);
    return plan && (await executePlan(schema, plan, args));
  };
}

type Execution = {
  args: ExecutionArgs;
  info: object;
  responseSize: ResponseSize | undefined;
  slices: EventLoopSlices;
  errors: GraphQLError[];
};

async function executePlan(
  schema: GraphQLSchema,
  plan: QueryPlan,
  args: ExecutionArgs,
): Promise<DocumentResult | null> {
  const { operation, fragments } = plan;
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {}, {
    maxErrors: 1,
  });
  if (variables.errors) return null;
  const { variableValues } = variables;
  const { responseSize, slices = new EventLoopSlices() } = (args.contextValue ?? {}) as Partial<
    Pick<Execution, 'responseSize' | 'slices'>
  >;
  const errors: GraphQLError[] = [];
  try {
    const fields = plan.fields ?? includedFields(schema, plan, variableValues);
    if (!fields) return null;
    const execution = { args, info: { schema, fragments, variableValues }, responseSize, slices, errors };
    const texts =
      fields.length === 1
        ? [await fieldText(fields[0]!, execution)]
        : await Promise.all(fields.map((field) => fieldText(field, execution)));
    if (errors.length > 0 && errors.length === fields.length)
      return { errors, data: Object.fromEntries(fields.map(({ key }) => [key, null])) };
    return { ...(errors.length > 0 && { errors }), data: new JsonText(`{${texts.join(',')}}`) };
  } catch (error) {
    if (error instanceof NonNullFieldFailed) return { errors: [...errors, error.located], data: null };
    // graphql-js runs the resolvers again and reports what is wrong with the value.
    if (error instanceof FallBackToGraphQLJs || error instanceof GraphQLError) return null;
    throw error;
  }
}

async function fieldText(root: RootField, execution: Execution): Promise<string> {
  const { args, info, responseSize, errors } = execution;
  const { key, nodes, field } = root;
  let value: unknown;
  try {
    const resolveInfo = { ...info, fieldNodes: nodes } as unknown as GraphQLResolveInfo;
    value = await field.resolve!(
      undefined,
      getArgumentValues(field, nodes[0]!, resolveInfo.variableValues),
      args.contextValue,
      resolveInfo,
    );
  } catch (error) {
    return failedField(root, error, errors);
  }
  try {
    responseSize?.write(key.length + KEY_SYNTAX_BYTES);
    const text = textOf(root, value, execution);
    return `"${key}":${typeof text === 'string' ? text : await text}`;
  } catch (error) {
    if (error instanceof FallBackToGraphQLJs || error instanceof GraphQLError) throw error;
    return failedField(root, error, errors);
  }
}

function failedField({ key, nodes, field }: RootField, error: unknown, errors: GraphQLError[]): string {
  const located = locatedError(error, nodes, [key]);
  if (isNonNullType(field.type)) throw new NonNullFieldFailed(located);
  errors.push(located);
  return `"${key}":null`;
}

function textOf(
  { members, completer }: RootField,
  value: unknown,
  { responseSize, slices }: Execution,
): string | Promise<string> {
  const page = value as PageWithText;
  if (!members || page?.json === undefined) return writeText(completer, value, responseSize, slices);
  const texts = members.map((member) => `"${member.key}":${memberText(member, page, responseSize)}`);
  return `{${texts.join(',')}}`;
}

/** A field of a page. All of them but the records are scalars. */
function memberText(
  { key, name, completer }: PageMember,
  page: PageWithText,
  responseSize: ResponseSize | undefined,
): string {
  responseSize?.write(key.length + KEY_SYNTAX_BYTES);
  if (name !== 'data') return writeLeaf(completer, page[name], responseSize);
  responseSize?.write(page.json!.bytes);
  return page.json!.text;
}
