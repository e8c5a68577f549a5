import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { collectFields, type Fragments, responseKey, selectionSets } from '../document/collect-fields.ts';
import { entriesOf, type FieldWeight, fieldWeight } from './weights.ts';

/** A selected field with its response key and the fields below it. */
export type WeightedField = { key: string; node: FieldNode; weight: FieldWeight; below: readonly WeightedField[] };

/** Points of a root field: `fixed`, and `perEntry` for each entry that its arguments request. */
export type Points = { fixed: number; perEntry: number };

export type Scan = {
  schema: GraphQLSchema;
  fragments: Fragments;
  isIncluded: (node: SelectionNode) => boolean;
  /** Number of directives seen so far. Fields below a node without directives do not depend on variables. */
  directives: number;
};

/** Fields of selection sets without directives. Documents that differ only in string literals share them. */
const constantFields = new WeakMap<SelectionSetNode, readonly WeightedField[]>();

/** Points of root fields, by the fields below them. */
const pointsByFields = new WeakMap<readonly WeightedField[], Points>();

export function weightedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  scan: Scan,
): readonly WeightedField[] {
  const only = sets.length === 1 ? sets[0]! : null;
  const known = only && constantFields.get(only);
  if (known) return known;
  const before = scan.directives;
  const fields = collectFields(
    sets,
    scan.fragments,
    (node) => node.kind === 'FragmentDefinition' || isSelected(scan, node),
  );
  const weighted = Array.from(Map.groupBy(fields, responseKey)).flatMap(
    ([key, nodes]) => weightedField(type, key, nodes, scan) ?? [],
  );
  if (only && scan.directives === before) constantFields.set(only, weighted);
  return weighted;
}

/** Points of a root field without its arguments. */
export function rootPoints(field: WeightedField): Points {
  const known = pointsByFields.get(field.below);
  if (known) return known;
  const points = sumPoints(field);
  pointsByFields.set(field.below, points);
  return points;
}

function sumPoints({ weight, below }: WeightedField): Points {
  const sizedFields = weight.listSize?.sizedFields;
  const isSized = ({ node }: WeightedField): boolean => sizedFields?.has(node.name.value) ?? false;
  const own = weight.points + total(below.filter((field) => !isSized(field)));
  if (weight.isList) return { fixed: 0, perEntry: own };
  return { fixed: own, perEntry: below.filter(isSized).reduce((sum, field) => sum + entryPoints(field), 0) };
}

function isSelected(scan: Scan, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  scan.directives += node.directives.length;
  return scan.isIncluded(node);
}

function weightedField(parent: GraphQLObjectType, key: string, nodes: FieldNode[], scan: Scan): WeightedField | null {
  const node = nodes[0]!;
  const field = scan.schema.getField(parent, node.name.value);
  if (!field) return null;
  const type = getNamedType(field.type);
  return {
    key,
    node,
    weight: fieldWeight(parent, field),
    below: isObjectType(type) ? weightedFields(type, selectionSets(nodes), scan) : [],
  };
}

function total(fields: readonly WeightedField[]): number {
  return fields.reduce((sum, field) => sum + entriesOf(field.weight) * entryPoints(field), 0);
}

function entryPoints({ weight, below }: WeightedField): number {
  return weight.points + total(below);
}
