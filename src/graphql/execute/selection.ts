import type { FieldNode, GraphQLResolveInfo, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import type { Selection } from '../../db/read/projection.ts';
import { collectFields, isIncluded, selectionSets } from '../document/collect-fields.ts';

/** The extension of a schema that keeps the selections which depend on no variable, by selection set. */
const KNOWN_SELECTIONS = 'knownSelections';

/**
 * Lets `selection` return the same object for the same selection set. The SQL of a selection is compiled once per
 * object.
 */
export function keepSelections(schema: GraphQLSchema): void {
  schema.extensions = { ...schema.extensions, [KNOWN_SELECTIONS]: new WeakMap<SelectionSetNode, Selection>() };
}

/**
 * The selected fields below a root field, by name. Aliases and fragments are merged; fields that `@skip` and `@include`
 * leave out are missing. Names are enough, because no type has interfaces, or fields with arguments below the root.
 */
export function selection(info: GraphQLResolveInfo): Selection {
  const [field, ...others] = info.fieldNodes;
  if (!field?.selectionSet || others.length > 0) return read(info, info.fieldNodes).selection;
  const known = info.schema.extensions[KNOWN_SELECTIONS] as WeakMap<SelectionSetNode, Selection>;
  const found = known.get(field.selectionSet);
  if (found) return found;
  const { selection, isConstant } = read(info, info.fieldNodes);
  if (isConstant) known.set(field.selectionSet, selection);
  return selection;
}

type Reading = { info: GraphQLResolveInfo; isConstant: boolean };

function read(info: GraphQLResolveInfo, fields: readonly FieldNode[]): { selection: Selection; isConstant: boolean } {
  const reading: Reading = { info, isConstant: true };
  return { selection: below(reading, fields), isConstant: reading.isConstant };
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
  reading.isConstant = false;
  return isIncluded(node, reading.info.variableValues);
}
