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
import { type FieldWeight, fieldWeight, type FieldWeights } from './weights.ts';

/** A selected field with its response key, the fields below it, and the points of one entry with those fields. */
export type WeightedField = {
  key: string;
  node: FieldNode;
  weight: FieldWeight;
  below: readonly WeightedField[];
  points: number;
};

/** Points of a root field: `fixed`, and `perEntry` for each entry that its arguments request. */
export type Points = { fixed: number; perEntry: number };

/** Fields of selection sets without directives. */
export type ConstantFields = Map<SelectionSetNode, readonly WeightedField[]>;

export type Scan = {
  schema: GraphQLSchema;
  weights: FieldWeights;
  constantFields: ConstantFields;
  fragments: Fragments;
  isCounted: (node: SelectionNode) => boolean;
  /** Number of directives seen so far. Fields below a node without directives do not depend on variables. */
  directives: number;
};

export function weightedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  scan: Scan,
): readonly WeightedField[] {
  const only = sets.length === 1 ? sets[0]! : null;
  const known = only && scan.constantFields.get(only);
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
  if (only && scan.directives === before) scan.constantFields.set(only, weighted);
  return weighted;
}

/** Points of a root field without its arguments. */
export function rootPoints({ weight, below }: WeightedField): Points {
  const sizedFields = weight.listSize?.sizedFields;
  const isSized = ({ node }: WeightedField): boolean => sizedFields?.has(node.name.value) ?? false;
  const own = weight.points + total(below.filter((field) => !isSized(field)));
  if (weight.isList) return { fixed: 0, perEntry: own };
  return { fixed: own, perEntry: below.filter(isSized).reduce((sum, { points }) => sum + points, 0) };
}

function isSelected(scan: Scan, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  scan.directives += node.directives.length;
  return scan.isCounted(node);
}

function weightedField(parent: GraphQLObjectType, key: string, nodes: FieldNode[], scan: Scan): WeightedField | null {
  const node = nodes[0]!;
  const field = scan.schema.getField(parent, node.name.value);
  if (!field) return null;
  const type = getNamedType(field.type);
  const weight = scan.weights.get(field) ?? fieldWeight(parent, field);
  const below = isObjectType(type) ? weightedFields(type, selectionSets(nodes), scan) : [];
  return { key, node, weight, below, points: weight.points + total(below) };
}

function total(fields: readonly WeightedField[]): number {
  return fields.reduce((sum, { weight, points }) => sum + weight.assumed * points, 0);
}
