import { type FieldNode, GraphQLIncludeDirective, type GraphQLResolveInfo, GraphQLSkipDirective, getDirectiveValues, type SelectionNode, type SelectionSetNode } from 'graphql';
import type { Selection } from '../db/shape.ts';

/** Selections that no variable changes, by the part of the document that makes them: a cached one has them ready. */
const constant = new WeakMap<SelectionSetNode, Selection>();

/**
 * The fields that a document asks of one root field, by name: aliases of one field are one, fragments
 * are merged, what `@skip` and `@include` leave out is left out. Our types have no arguments below the
 * root and no interfaces, so names are all there is to know.
 */
export function selection(info: GraphQLResolveInfo): Selection {
  const [field, ...others] = info.fieldNodes;
  if (!field?.selectionSet || others.length > 0) return read(info, info.fieldNodes).selection;
  const known = constant.get(field.selectionSet);
  if (known) return known;
  const found = read(info, info.fieldNodes);
  if (found.constant) constant.set(field.selectionSet, found.selection);
  return found.selection;
}

type Reading = { info: GraphQLResolveInfo; constant: boolean };
type Mutable = { [field: string]: Mutable };

function read(info: GraphQLResolveInfo, fields: readonly FieldNode[]): { selection: Selection; constant: boolean } {
  const reading: Reading = { info, constant: true };
  const selection: Mutable = {};
  for (const field of fields) addAll(reading, selection, field.selectionSet?.selections ?? []);
  return { selection, constant: reading.constant };
}

function addAll(reading: Reading, selection: Mutable, nodes: readonly SelectionNode[]): void {
  for (const node of nodes) {
    if (!isIncluded(reading, node)) continue;
    if (node.kind === 'Field') addField(reading, selection, node);
    else if (node.kind === 'InlineFragment') addAll(reading, selection, node.selectionSet.selections);
    else addAll(reading, selection, reading.info.fragments[node.name.value]?.selectionSet.selections ?? []);
  }
}

function addField(reading: Reading, selection: Mutable, field: FieldNode): void {
  const name = field.name.value;
  if (name.startsWith('__')) return;
  addAll(reading, (selection[name] ??= {}), field.selectionSet?.selections ?? []);
}

function isIncluded(reading: Reading, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  reading.constant = false;
  const { variableValues } = reading.info;
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false;
}
