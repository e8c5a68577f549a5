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

/** A selected field under its key in the answer, with what is selected below it. */
export type PricedField = { key: string; node: FieldNode; weight: FieldWeight; below: readonly PricedField[] };

/** Points of a root field: `fixed` and, for each entry that its arguments ask for, `perEntry`. */
export type Points = { fixed: number; perEntry: number };

export type Scan = {
  schema: GraphQLSchema;
  fragments: Fragments;
  isIncluded: (node: SelectionNode) => boolean;
  /** Directives seen so far: what is below a node without any is the same for all variables. */
  directives: number;
};

/** Fields of selection sets that no directive changes, so that documents which differ in their literals share them. */
const constant = new WeakMap<SelectionSetNode, readonly PricedField[]>();

/** Points of root fields, by what is selected below them. */
const pointsOf = new WeakMap<readonly PricedField[], Points>();

export function pricedFields(
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
  scan: Scan,
): readonly PricedField[] {
  const only = sets.length === 1 ? sets[0]! : null;
  const known = only && constant.get(only);
  if (known) return known;
  const before = scan.directives;
  const fields = collectFields(
    sets,
    scan.fragments,
    (node) => node.kind === 'FragmentDefinition' || isSelected(scan, node),
  );
  const priced = Array.from(Map.groupBy(fields, responseKey)).flatMap(
    ([key, nodes]) => pricedField(type, key, nodes, scan) ?? [],
  );
  if (only && scan.directives === before) constant.set(only, priced);
  return priced;
}

/** Points of a field of Query or Mutation without those of its arguments. */
export function rootPoints(field: PricedField): Points {
  const known = pointsOf.get(field.below);
  if (known) return known;
  const points = sumPoints(field);
  pointsOf.set(field.below, points);
  return points;
}

function sumPoints({ weight, below }: PricedField): Points {
  const sizedFields = weight.listSize?.sizedFields;
  const isSized = ({ node }: PricedField): boolean => sizedFields?.has(node.name.value) ?? false;
  const own = weight.points + total(below.filter((field) => !isSized(field)));
  if (weight.isList) return { fixed: 0, perEntry: own };
  return { fixed: own, perEntry: below.filter(isSized).reduce((sum, field) => sum + entryPoints(field), 0) };
}

function isSelected(scan: Scan, node: SelectionNode): boolean {
  if (!node.directives?.length) return true;
  scan.directives += node.directives.length;
  return scan.isIncluded(node);
}

function pricedField(parent: GraphQLObjectType, key: string, nodes: FieldNode[], scan: Scan): PricedField | null {
  const node = nodes[0]!;
  const field = scan.schema.getField(parent, node.name.value);
  if (!field) return null;
  const type = getNamedType(field.type);
  return {
    key,
    node,
    weight: fieldWeight(parent, field),
    below: isObjectType(type) ? pricedFields(type, selectionSets(nodes), scan) : [],
  };
}

function total(fields: readonly PricedField[]): number {
  return fields.reduce((sum, field) => sum + entriesOf(field.weight) * entryPoints(field), 0);
}

function entryPoints({ weight, below }: PricedField): number {
  return weight.points + total(below);
}
