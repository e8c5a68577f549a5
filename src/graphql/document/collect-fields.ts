import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The fragments of a document by name. Without a prototype, as a name may be that of one of its members. */
export type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;

/** Called before a node is followed. A node for which it answers false is left out with all that is below it. */
export type Visit = (node: SelectionNode | FragmentDefinitionNode) => boolean | void;

const known = new WeakMap<DocumentNode, Fragments>();

export function fragmentsOf(document: DocumentNode): Fragments {
  const found = known.get(document);
  if (found) return found;
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>;
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments[definition.name.value] = definition;
  }
  known.set(document, fragments);
  return fragments;
}

/**
 * The fields of one place of the answer, in the order of the answer, from all the selection sets that are
 * merged there. Every reader of a document uses this function. A fragment is followed once in each place,
 * as in graphql-js, so that the cost is linear in the text: fragments that spread the next one twice would
 * otherwise double it with each.
 */
export function collectFields(sets: Iterable<SelectionSetNode>, fragments: Fragments, visit?: Visit): FieldNode[] {
  const collection: Collection = { fragments, visit, followed: new Set(), fields: [] };
  for (const set of sets) collect(collection, set);
  return collection.fields;
}

export function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

/** Whether a node stays in the answer, by its `@skip` and `@include`. */
export function isIncluded(node: SelectionNode, variableValues: Parameters<typeof getDirectiveValues>[2]): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}

export function selectionSets(fields: readonly FieldNode[]): SelectionSetNode[] {
  return fields.flatMap(({ selectionSet }) => selectionSet ?? []);
}

type Collection = { fragments: Fragments; visit: Visit | undefined; followed: Set<string>; fields: FieldNode[] };

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
  const { followed, fragments, visit } = collection;
  const fragment = fragments[name];
  if (!fragment || followed.has(name)) return;
  followed.add(name);
  if (visit?.(fragment) !== false) collect(collection, fragment.selectionSet);
}
