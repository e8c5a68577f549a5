import type { FieldNode, GraphQLResolveInfo, SelectionNode, SelectionSetNode } from 'graphql';
import type { Selection } from '../../db/read/projection.ts';
import { collectFields, isIncluded, selectionSets } from '../document/collect-fields.ts';

/** Selections that depend on no variable, by selection set, so that a cached document has them ready. */
const constant = new WeakMap<SelectionSetNode, Selection>();

/**
 * The fields that a document selects of one root field, by name: aliases of one field are merged, fragments
 * are merged, what `@skip` and `@include` leave out is left out. Our types have no arguments below the
 * root and no interfaces, so the names are enough.
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

function read(info: GraphQLResolveInfo, fields: readonly FieldNode[]): { selection: Selection; constant: boolean } {
  const reading: Reading = { info, constant: true };
  return { selection: below(reading, fields), constant: reading.constant };
}

function below(reading: Reading, fields: readonly FieldNode[]): Selection {
  const selected = collectFields(
    selectionSets(fields),
    reading.info.fragments,
    (node) => node.kind === 'FragmentDefinition' || isSelected(reading, node),
  );
  const byName = Map.groupBy(selected, ({ name }) => name.value);
  return Object.fromEntries(
    Array.from(byName).flatMap(([name, nodes]) => (name.startsWith('__') ? [] : [[name, below(reading, nodes)]])),
  );
}

function isSelected(reading: Reading, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  reading.constant = false;
  return isIncluded(node, reading.info.variableValues);
}
