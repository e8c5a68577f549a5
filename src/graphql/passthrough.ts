import {
  BREAK, type DocumentNode, type ExecutionArgs, type ExecutionResult, type FieldNode, getArgumentValues, getNullableType,
  getVariableValues, GraphQLError, type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema, isNonNullType, isObjectType, Kind, locatedError,
  type OperationDefinitionNode, type SelectionSetNode, visit,
} from 'graphql';
import { type Complete, completer, Incomplete, isUnaliased, membersOf, type Selected } from './complete.ts';
import { type Fragments, fragmentsOf } from './fields.ts';

/** The text of an answer's `data`, ready to be sent. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What graphql-js answers, or the text of its data. */
export type Result = ExecutionResult | { data: JsonText; errors?: undefined };

/** What the domains answer for a page: its records as text too, where that is exactly what was selected. */
type PageWithText = { readonly json?: string } & Record<string, unknown>;

type Plan = Completion & {
  operation: OperationDefinitionNode;
  node: FieldNode;
  field: GraphQLField<unknown, unknown>;
  fragments: Fragments;
};

type Completion = {
  complete: Complete;
  /** Of a page whose records may go out as the text that they are: each of its members. */
  members: readonly PageMember[] | null;
};

type PageMember = { key: string; name: string; complete: Complete };

/** What was made for selections, null for those that are not known completely; documents that differ in the texts of their literals alone share them. */
type Completions = WeakMap<SelectionSetNode, Completion | null>;

/**
 * The short way for a query of one field: what its resolver has answered is made the answer without
 * graphql-js, and the text that the database wrote of a page goes out as it is. Anything that is not known
 * completely answers null and takes the plain way, with the same bytes: a test compares the two.
 */
export function createPassthrough(schema: GraphQLSchema): (args: ExecutionArgs) => Promise<Result | null> {
  const plans = new WeakMap<DocumentNode, Plan | null>();
  const completions: Completions = new WeakMap();
  return async (args) => {
    const known = plans.get(args.document);
    const plan = known === undefined ? planOf(schema, args.document, completions) : known;
    if (known === undefined) plans.set(args.document, plan);
    return plan && (await answerOf(schema, plan, args));
  };
}

/** A document of one query with one field, without directives. */
function planOf(schema: GraphQLSchema, document: DocumentNode, completions: Completions): Plan | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation || operations.length > 1 || operation.operation !== 'query' || operation.selectionSet.selections.length > 1) return null;
  const [node] = operation.selectionSet.selections;
  if (node?.kind !== Kind.FIELD || !node.selectionSet) return null;
  const field = schema.getQueryType()?.getFields()[node.name.value];
  if (!field) return null;
  const fragments = fragmentsOf(document);
  const known = completions.get(node.selectionSet);
  const completion = known === undefined ? completionOf(document, field, { sets: [node.selectionSet], fragments }) : known;
  completions.set(node.selectionSet, completion);
  return completion && { ...completion, operation, node, field, fragments };
}

function completionOf(document: DocumentNode, field: GraphQLField<unknown, unknown>, selected: Selected): Completion | null {
  const complete = isPlain(document) ? completer(field.type, selected) : null;
  return complete && { complete, members: pageMembers(field, selected) };
}

function pageMembers(field: GraphQLField<unknown, unknown>, selected: Selected): readonly PageMember[] | null {
  const type = getNullableType(field.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  if (!fields['data'] || !fields['endCursor']) return null;
  const members = membersOf(selected);
  const records = members.filter(({ name }) => name === 'data');
  if (records.length > 1 || !records.every(({ below }) => isUnaliased(below)) || members.some(({ name }) => !fields[name])) return null;
  return members.map(({ key, name, below }) => ({ key, name, complete: completer(fields[name]!.type, below)! }));
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

async function answerOf(schema: GraphQLSchema, plan: Plan, args: ExecutionArgs): Promise<Result | null> {
  const { operation, node, field, fragments } = plan;
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {}, { maxErrors: 1 });
  if (variables.errors) return null;
  const key = node.alias?.value ?? node.name.value;
  const info = { fieldNodes: [node], fragments, variableValues: variables.variableValues } as unknown as GraphQLResolveInfo;
  let value: unknown;
  try {
    value = await field.resolve!(undefined, getArgumentValues(field, node, variables.variableValues), args.contextValue, info);
  } catch (error) {
    return { errors: [locatedError(error, [node], [key])], data: isNonNullType(field.type) ? null : { [key]: null } };
  }
  try {
    return { data: new JsonText(`{"${key}":${textOf(plan, value)}}`) };
  } catch (error) {
    // graphql-js runs the resolver again and reports what is wrong with the value.
    if (error instanceof Incomplete || error instanceof GraphQLError) return null;
    throw error;
  }
}

function textOf({ members, complete }: Plan, value: unknown): string {
  const page = value as PageWithText;
  if (!members || page?.json === undefined) return JSON.stringify(complete(value));
  const texts = members.map((member) => `"${member.key}":${member.name === 'data' ? page.json : JSON.stringify(member.complete(page[member.name]))}`);
  return `{${texts.join(',')}}`;
}
