import {
  BREAK, type DocumentNode, type ExecutionArgs, type ExecutionResult, type FieldNode, type FragmentDefinitionNode, getArgumentValues, getVariableValues,
  type GraphQLField, type GraphQLResolveInfo, type GraphQLSchema, isNonNullType, isObjectType, Kind, locatedError, type OperationDefinitionNode,
  type SelectionSetNode, visit,
} from 'graphql';
import { selection } from './selection.ts';

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

type Plan = {
  operation: OperationDefinitionNode;
  node: FieldNode;
  field: GraphQLField<unknown, unknown>;
  fragments: Record<string, FragmentDefinitionNode>;
};

/** What is known of selections; documents that differ in the texts of their literals alone share them. */
const isExact = new WeakMap<SelectionSetNode, boolean>();

/**
 * The short way for a document that asks for one page and nothing else: the text that the database
 * wrote goes out as it is. Anything that is not known completely answers null and takes the plain way
 * through graphql-js, with the same bytes: a test compares the two.
 */
export function createPassthrough(schema: GraphQLSchema): (args: ExecutionArgs) => Promise<Result | null> {
  const plans = new WeakMap<DocumentNode, Plan | null>();
  return async (args) => {
    const known = plans.get(args.document);
    const plan = known === undefined ? planOf(schema, args.document) : known;
    if (known === undefined) plans.set(args.document, plan);
    if (!plan) return null;
    const answer = await answerOf(schema, plan, args);
    // Some field is not to be known before it is read: this document goes the plain way from now on.
    if (answer === 'inexact') {
      plans.set(args.document, null);
      if (plan.node.selectionSet) isExact.set(plan.node.selectionSet, false);
    }
    return typeof answer === 'string' ? null : answer;
  };
}

/** A document of one query with one field that is a page, without aliases in it, directives or `__typename`. */
function planOf(schema: GraphQLSchema, document: DocumentNode): Plan | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation || operations.length > 1 || operation.operation !== 'query' || operation.selectionSet.selections.length > 1) return null;
  const [node] = operation.selectionSet.selections;
  if (node?.kind !== Kind.FIELD || !node.selectionSet || !(isExact.get(node.selectionSet) ?? isPlain(document, node))) return null;
  isExact.set(node.selectionSet, true);
  const field = schema.getQueryType()?.getFields()[node.name.value];
  if (!field || !isNonNullType(field.type) || !isObjectType(field.type.ofType)) return null;
  const members = field.type.ofType.getFields();
  if (!members['data'] || !members['endCursor']) return null;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return { operation, node, field, fragments: Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment])) };
}

function isPlain(document: DocumentNode, root: FieldNode): boolean {
  let found = true;
  const refuse = () => {
    found = false;
    return BREAK;
  };
  visit(document, {
    Directive: refuse,
    Field: (node) => ((node.alias && node !== root) || node.name.value.startsWith('__') ? refuse() : undefined),
  });
  return found;
}

async function answerOf(schema: GraphQLSchema, plan: Plan, args: ExecutionArgs): Promise<Result | 'inexact' | 'unreadable'> {
  const { operation, node, field, fragments } = plan;
  const variables = getVariableValues(schema, operation.variableDefinitions ?? [], args.variableValues ?? {}, { maxErrors: 1 });
  if (variables.errors) return 'unreadable';
  const key = node.alias?.value ?? node.name.value;
  let page: PageWithText;
  const info = { fieldNodes: [node], fragments, variableValues: variables.variableValues } as unknown as GraphQLResolveInfo;
  try {
    const values = getArgumentValues(field, node, variables.variableValues);
    page = (await field.resolve!(undefined, values, args.contextValue, info)) as PageWithText;
  } catch (error) {
    return { errors: [locatedError(error, [node], [key])], data: null };
  }
  const members = selection(info);
  if (members['data'] && page.json === undefined) return 'inexact';
  const texts = Object.keys(members).map((name) => `"${name}":${name === 'data' ? page.json : JSON.stringify(page[name])}`);
  return { data: new JsonText(`{"${key}":{${texts.join(',')}}}`) };
}
