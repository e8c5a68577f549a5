import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  getArgumentValues,
  getNullableType,
  getVariableValues,
  GraphQLError,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { ResponseSize } from '../../response-size.ts';
import { writeLeaf, writeText } from './response-text.ts';
import { type Completer, completer, Incomplete, isUnaliased, membersOf, type Selected } from './value-completer.ts';
import {
  collectFields,
  type Fragments,
  fragmentsOf,
  isIncluded,
  responseKey,
  selectionSets,
  type Visit,
} from '../document/collect-fields.ts';

/** The text of an answer's `data`, ready to be sent. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What graphql-js answers, or the text of its data. */
export type DocumentResult = ExecutionResult | { data: JsonText; errors?: readonly GraphQLError[] };

/** What the domains answer for a page: its records as text too, with the bytes of that, where the text is exactly what was selected. */
type PageWithText = { readonly json?: { readonly text: string; readonly bytes: number } } & Record<string, unknown>;

type Plan = {
  operation: OperationDefinitionNode;
  fragments: Fragments;
  /** Null where directives leave fields out, so that they are known with the variables only. */
  fields: readonly RootField[] | null;
};

type RootField = Completion & { key: string; nodes: readonly FieldNode[]; field: GraphQLField<unknown, unknown> };

type Completion = {
  completer: Completer;
  /** Of a page whose records may go out as the text that they are: each of its members. */
  members: readonly PageMember[] | null;
};

type PageMember = { key: string; name: string; completer: Completer };

/** What was made for selections, null for those that are not known completely; documents that differ in the texts of their literals alone share them. */
type Completions = WeakMap<SelectionSetNode, Completion | null>;

/** Thrown with the error of a field that must not be null: no other field is answered then. */
class FieldFailed extends Error {
  readonly located: GraphQLError;

  constructor(located: GraphQLError) {
    super(located.message);
    this.located = located;
  }
}

/**
 * The short way for queries: what a resolver has answered becomes text at once, without graphql-js, and the
 * text that the database wrote of a page goes out as it is. Anything that is not known completely answers
 * null and takes the plain way, with the same bytes: a test compares the two.
 */
export function createFastPath(schema: GraphQLSchema): (args: ExecutionArgs) => Promise<DocumentResult | null> {
  const plans = new WeakMap<DocumentNode, Plan | null>();
  const completions: Completions = new WeakMap();
  return async (args) => {
    const known = plans.get(args.document);
    const plan = known === undefined ? planOf(schema, args.document, completions) : known;
    if (known === undefined) plans.set(args.document, plan);
    return plan && (await answerOf(schema, plan, args));
  };
}

/** A document of one query. */
function planOf(schema: GraphQLSchema, document: DocumentNode, completions: Completions): Plan | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation || operations.length > 1 || operation.operation !== 'query') return null;
  const fragments = fragmentsOf(document);
  if (!isPlain(document)) return { operation, fragments, fields: null };
  const fields = rootFields(schema, operation, { fragments, completions });
  return fields && { operation, fragments, fields };
}

type Planning = { fragments: Fragments; completions?: Completions; visit?: Visit };

/** Null where one of them is not known completely. */
function rootFields(schema: GraphQLSchema, operation: OperationDefinitionNode, planning: Planning): RootField[] | null {
  const byKey = Map.groupBy(collectFields([operation.selectionSet], planning.fragments, planning.visit), responseKey);
  const fields = Array.from(byKey, ([key, nodes]) => rootField(schema, key, nodes, planning));
  return fields.every((field) => field !== null) ? fields : null;
}

function rootField(
  schema: GraphQLSchema,
  key: string,
  nodes: FieldNode[],
  { fragments, completions, visit }: Planning,
): RootField | null {
  const [first, ...others] = nodes;
  const field = schema.getQueryType()?.getFields()[first!.name.value];
  if (!field || !first!.selectionSet || key === '__proto__') return null;
  const known = others.length === 0 ? completions?.get(first!.selectionSet) : undefined;
  const completion =
    known === undefined
      ? completionOf(field, { sets: selectionSets(nodes), fragments, ...(visit && { visit }) })
      : known;
  if (others.length === 0) completions?.set(first!.selectionSet, completion);
  return completion && { ...completion, key, nodes, field };
}

function completionOf(field: GraphQLField<unknown, unknown>, selected: Selected): Completion | null {
  const made = completer(field.type, selected);
  return made && { completer: made, members: pageMembers(field, selected) };
}

function pageMembers(field: GraphQLField<unknown, unknown>, selected: Selected): readonly PageMember[] | null {
  const type = getNullableType(field.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  if (!fields['data'] || !fields['endCursor']) return null;
  const members = membersOf(selected);
  const records = members.filter(({ name }) => name === 'data');
  if (
    records.length > 1 ||
    !records.every(({ below }) => isUnaliased(below)) ||
    members.some(({ name }) => !fields[name])
  )
    return null;
  return members.map(({ key, name, below }) => ({ key, name, completer: completer(fields[name]!.type, below)! }));
}

function isPlain(document: DocumentNode): boolean {
  let found = true;
  visit(document, {
    Directive: () => {
      found = false;
      return BREAK;
    },
  });
  return found;
}

type Answering = { args: ExecutionArgs; info: object; responseSize: ResponseSize | undefined; errors: GraphQLError[] };

async function answerOf(schema: GraphQLSchema, plan: Plan, args: ExecutionArgs): Promise<DocumentResult | null> {
  const { operation, fragments } = plan;
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {}, {
    maxErrors: 1,
  });
  if (variables.errors) return null;
  const { variableValues } = variables;
  const responseSize = (args.contextValue as { responseSize?: ResponseSize } | undefined)?.responseSize;
  const errors: GraphQLError[] = [];
  try {
    const fields = plan.fields ?? includedFields(schema, plan, variableValues);
    if (!fields) return null;
    const answering = { args, info: { fragments, variableValues }, responseSize, errors };
    const texts =
      fields.length === 1
        ? [await fieldText(fields[0]!, answering)]
        : await Promise.all(fields.map((field) => fieldText(field, answering)));
    if (errors.length > 0 && errors.length === fields.length)
      return { errors, data: Object.fromEntries(fields.map(({ key }) => [key, null])) };
    return { ...(errors.length > 0 && { errors }), data: new JsonText(`{${texts.join(',')}}`) };
  } catch (error) {
    if (error instanceof FieldFailed) return { errors: [...errors, error.located], data: null };
    // graphql-js runs the resolvers again and reports what is wrong with the value.
    if (error instanceof Incomplete || error instanceof GraphQLError) return null;
    throw error;
  }
}

function includedFields(
  schema: GraphQLSchema,
  { operation, fragments }: Plan,
  variableValues: Parameters<typeof isIncluded>[1],
): RootField[] | null {
  const visit: Visit = (node) => node.kind === 'FragmentDefinition' || isIncluded(node, variableValues);
  return rootFields(schema, operation, { fragments, visit });
}

async function fieldText(root: RootField, { args, info, responseSize, errors }: Answering): Promise<string> {
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
    return failed(root, error, errors);
  }
  try {
    responseSize?.write(key.length + KEY_BYTES);
    const text = textOf(root, value, responseSize);
    return `"${key}":${typeof text === 'string' ? text : await text}`;
  } catch (error) {
    if (error instanceof Incomplete || error instanceof GraphQLError) throw error;
    return failed(root, error, errors);
  }
}

function failed({ key, nodes, field }: RootField, error: unknown, errors: GraphQLError[]): string {
  const located = locatedError(error, nodes, [key]);
  if (isNonNullType(field.type)) throw new FieldFailed(located);
  errors.push(located);
  return `"${key}":null`;
}

/** Quotes, colon and comma around a key of the answer. */
const KEY_BYTES = 4;

function textOf(
  { members, completer }: RootField,
  value: unknown,
  responseSize: ResponseSize | undefined,
): string | Promise<string> {
  const page = value as PageWithText;
  if (!members || page?.json === undefined) return writeText(completer, value, responseSize);
  const texts = members.map((member) => `"${member.key}":${memberText(member, page, responseSize)}`);
  return `{${texts.join(',')}}`;
}

/** Of a page, whose members besides the records are single values. */
function memberText(
  { key, name, completer }: PageMember,
  page: PageWithText,
  responseSize: ResponseSize | undefined,
): string {
  responseSize?.write(key.length + KEY_BYTES);
  if (name !== 'data') return writeLeaf(completer, page[name], responseSize);
  responseSize?.write(page.json!.bytes);
  return page.json!.text;
}
