import {
  BREAK,
  type DocumentNode,
  type FieldNode,
  getNullableType,
  type GraphQLField,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import {
  collectFields,
  type Fragments,
  fragmentsOf,
  isIncluded,
  responseKey,
  selectionSets,
  type Visit,
} from '../document/collect-fields.ts';
import { type Completer, completer, isUnaliased, membersOf, type Selected } from './value-completer.ts';

export type QueryPlan = {
  operation: OperationDefinitionNode;
  fragments: Fragments;
  /** Null if the document has directives, so that the fields depend on the variables. */
  fields: readonly RootField[] | null;
};

export type RootField = Completion & {
  key: string;
  nodes: readonly FieldNode[];
  field: GraphQLField<unknown, unknown>;
};

type Completion = {
  completer: Completer;
  /** The selected fields of a page whose records may be sent as the text of the database; null otherwise. */
  members: readonly PageMember[] | null;
};

export type PageMember = { key: string; name: string; completer: Completer };

/**
 * By selection set; null if the fast path does not support it. Shared by documents that differ only in string literals.
 */
type CompletionCache = WeakMap<SelectionSetNode, Completion | null>;

type Planning = { fragments: Fragments; completions?: CompletionCache; visit?: Visit };

/** Returns a function that plans a document once. Its result is null if the fast path does not support the document. */
export function createPlanner(schema: GraphQLSchema): (document: DocumentNode) => QueryPlan | null {
  const plans = new WeakMap<DocumentNode, QueryPlan | null>();
  const completions: CompletionCache = new WeakMap();
  return (document) => {
    const known = plans.get(document);
    if (known !== undefined) return known;
    const plan = planOf(schema, document, completions);
    plans.set(document, plan);
    return plan;
  };
}

/** The root fields of a document with directives. */
export function includedFields(
  schema: GraphQLSchema,
  { operation, fragments }: QueryPlan,
  variableValues: Parameters<typeof isIncluded>[1],
): RootField[] | null {
  const visit: Visit = (node) => node.kind === 'FragmentDefinition' || isIncluded(node, variableValues);
  return rootFields(schema, operation, { fragments, visit });
}

/** The plan of a document that has one operation, a query; null for other documents. */
function planOf(schema: GraphQLSchema, document: DocumentNode, completions: CompletionCache): QueryPlan | null {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation || operations.length > 1 || operation.operation !== 'query') return null;
  const fragments = fragmentsOf(document);
  if (hasDirectives(document)) return { operation, fragments, fields: null };
  const fields = rootFields(schema, operation, { fragments, completions });
  return fields && { operation, fragments, fields };
}

/** The root fields of an operation; null if the fast path does not support one of them. */
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
  const selected = { sets: selectionSets(nodes), fragments, ...(visit && { visit }) };
  const completion = known === undefined ? completionOf(field, selected) : known;
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

function hasDirectives(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive: () => {
      found = true;
      return BREAK;
    },
  });
  return found;
}
