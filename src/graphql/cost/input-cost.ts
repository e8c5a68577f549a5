import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  type ValueNode,
} from 'graphql';
import { INPUT_OBJECT_POINTS, memberPoints } from './weights.ts';

/** The members of each input type that may cost something. */
export type InputWeights = ReadonlyMap<GraphQLInputObjectType, readonly WeightedMember[]>;

/** An argument or input field: its points (of each entry, if it is a list), and its input object type. */
export type WeightedMember = { name: string; points: number; object: GraphQLInputObjectType | null };

export type CostVariables = {
  valueOf(name: string): unknown;
  readonly inputWeights: InputWeights;
  /** Points of variables, by value and type: a document may use one variable hundreds of times. */
  readonly known: Map<unknown, Map<GraphQLInputObjectType, number>>;
};

export function inputWeights(schema: GraphQLSchema): InputWeights {
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType);
  return new Map(inputs.map((type) => [type, membersWithCost(type)]));
}

export function weightedMember(member: GraphQLArgument | GraphQLInputField): WeightedMember {
  const type = getNamedType(member.type);
  return { name: member.name, points: memberPoints(member), object: isInputObjectType(type) ? type : null };
}

/** Points of an argument or of a member. Values of the wrong type are counted too; validation refuses them later. */
export function memberCost({ points, object }: WeightedMember, node: ValueNode, variables: CostVariables): number {
  if (node.kind === 'NullValue') return 0;
  if (node.kind === 'Variable') {
    const value = variables.valueOf(node.name.value);
    return points * entriesOf(value) + (object && isObject(value) ? variableCost(object, value, variables) : 0);
  }
  return (
    points * (node.kind === 'ListValue' ? node.values.length : 1) + (object ? literalCost(object, node, variables) : 0)
  );
}

function literalCost(object: GraphQLInputObjectType, node: ValueNode, variables: CostVariables): number {
  if (node.kind === 'Variable') return variableCost(object, variables.valueOf(node.name.value), variables);
  if (node.kind === 'ListValue') return sum(node.values, (entry) => literalCost(object, entry, variables));
  if (node.kind !== 'ObjectValue') return INPUT_OBJECT_POINTS;
  const members = variables.inputWeights.get(object)!;
  const pointsOf = (name: string, value: ValueNode): number => {
    const member = members.find((member) => member.name === name);
    return member ? memberCost(member, value, variables) : 0;
  };
  return INPUT_OBJECT_POINTS + sum(node.fields, ({ name, value }) => pointsOf(name.value, value));
}

function variableCost(object: GraphQLInputObjectType, value: unknown, { known, inputWeights }: CostVariables): number {
  const byType = known.get(value) ?? new Map<GraphQLInputObjectType, number>();
  const points = byType.get(object) ?? valueCost(inputWeights, object, value);
  known.set(value, byType.set(object, points));
  return points;
}

/**
 * Null entries of a list cost as much as others. Plain loops, since a bulk update has 20,000 objects: this takes a
 * fifth of the time of parsing its JSON.
 */
function valueCost(weights: InputWeights, object: GraphQLInputObjectType, value: unknown): number {
  const members = weights.get(object)!;
  if (!Array.isArray(value)) return recordCost(weights, members, value);
  let total = 0;
  for (const entry of value) total += recordCost(weights, members, entry);
  return total;
}

function recordCost(weights: InputWeights, members: readonly WeightedMember[], record: unknown): number {
  let total = INPUT_OBJECT_POINTS;
  if (!isObject(record)) return total;
  for (const member of members) {
    const value = record[member.name];
    if (value === null || value === undefined) continue;
    total += member.points * entriesOf(value);
    if (member.object) total += valueCost(weights, member.object, value);
  }
  return total;
}

function membersWithCost(type: GraphQLInputObjectType): WeightedMember[] {
  const members = Object.values(type.getFields()).map(weightedMember);
  return members.filter(({ points, object }) => points > 0 || object);
}

function entriesOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Array.isArray(value) ? value.length : 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function sum<Entry>(entries: readonly Entry[], points: (entry: Entry) => number): number {
  let total = 0;
  for (const entry of entries) total += points(entry);
  return total;
}
