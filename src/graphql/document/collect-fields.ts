import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The fragments of a document by name. Has no prototype, since a fragment may be named like one of its members. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

type VariableValues = Parameters<typeof getDirectiveValues>[2];

/** Called before a node is visited. If it returns false, the node is skipped with everything below it. */
export type Visit = (node: SelectionNode | FragmentDefinitionNode) => boolean | void;

export function fragmentsOf(document: DocumentNode): Fragments {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments[definition.name.value] = definition;
  }
  return fragments;
}

/**
 * CollectFields of the GraphQL specification: the fields of one object of the response, in order, from all selection
 * sets that are merged there. Everything that reads documents uses this function. As in graphql-js a fragment is
 * visited once per object, so that the cost is linear in the text; otherwise fragments that spread the next one twice
 * would double it each.
 */
export function collectFields(sets: Iterable<SelectionSetNode>, fragments: Fragments, visit?: Visit): FieldNode[] {
  const collection: Collection = { fragments, visit, visited: new Set(), fields: [] };
  for (const set of sets) collect(collection, set);
  return collection.fields;
}

export function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Leaves out what `@skip` and `@include` exclude. Throws a GraphQLError for the value null of such a directive. */
export function onlyIncluded(variableValues: VariableValues): Visit {
  return (node) => {
    if (node.kind === 'FragmentDefinition') return true;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
  };
}

export function selectionSets(fields: readonly FieldNode[]): SelectionSetNode[] {
  return fields.flatMap(({ selectionSet }) => selectionSet ?? []);
}

/**
 * The distinct names of the root fields, also from fragments, and also those that a directive may leave out. Introspection
 * fields are among them only if there are no others: many clients add `__typename` to each selection set.
 */
export function rootFieldNames(operation: OperationDefinitionNode, fragments: Fragments): readonly string[] {
  const fields = collectFields([operation.selectionSet], fragments);
  const names = [...new Set(fields.map(({ name }) => name.value))];
  const others = names.filter((name) => !isIntrospectionField(name));
  return others.length > 0 ? others : names;
}

/** Whether all of the root fields are introspection fields. */
export function isIntrospection(rootFields: readonly string[]): boolean {
  return rootFields.every(isIntrospectionField);
}

function isIntrospectionField(name: string): boolean {
  return name.startsWith('__');
}

type Collection = { fragments: Fragments; visit: Visit | undefined; visited: Set<string>; fields: FieldNode[] };

function collect(collection: Collection, { selections }: SelectionSetNode): void {
  const { visit } = collection;
  for (const node of selections) {
    if (visit?.(node) === false) continue;
    if (node.kind === 'Field') collection.fields.push(node);
    else if (node.kind === 'InlineFragment') collect(collection, node.selectionSet);
    else collectFragment(collection, node.name.value);
  }
}

function collectFragment(collection: Collection, name: string): void {
  const { visited, fragments, visit } = collection;
  const fragment = fragments[name];
  if (!fragment || visited.has(name)) return;
  visited.add(name);
  if (visit?.(fragment) !== false) collect(collection, fragment.selectionSet);
}
