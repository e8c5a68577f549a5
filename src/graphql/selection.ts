import { type FieldNode, type GraphQLResolveInfo, getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, type SelectionSetNode } from 'graphql';
import type { Selection } from '../db/shape.ts';

type Mutable = { [field: string]: Mutable };

/**
 * The fields that a document asks of one root field, by name: aliases of one field are one, fragments
 * are merged, what `@skip` and `@include` leave out is left out. Our types have no arguments below the
 * root and no interfaces, so names are all there is to know.
 */
export function selection(info: GraphQLResolveInfo): Selection {
  const fields: Mutable = {};
  for (const node of info.fieldNodes) add(node.selectionSet, fields, info);
  return fields;
}

function add(set: SelectionSetNode | undefined, fields: Mutable, info: GraphQLResolveInfo): void {
  for (const node of set?.selections ?? []) {
    if (!isIncluded(node as FieldNode, info)) continue;
    if (node.kind === 'Field') {
      if (!node.name.value.startsWith('__')) add(node.selectionSet, (fields[node.name.value] ??= {}), info);
    } else {
      add(node.kind === 'InlineFragment' ? node.selectionSet : info.fragments[node.name.value]?.selectionSet, fields, info);
    }
  }
}

function isIncluded(node: FieldNode, info: GraphQLResolveInfo): boolean {
  if (!node.directives?.length) return true;
  const variables = info.variableValues;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
}
