import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';

/** Points of what has no `@cost`, and entries of a list without `@listSize`: as the two directives say. */
const objectPoints = 1;
const mutationPoints = 100;
export const inputObjectPoints = 0.2;
const assumedEntries = 2;
/** Fields of every query, which have no place in the SDL. */
const introspectionPoints: Readonly<Record<string, number>> = { __schema: 2_000, __type: 100 };

/** How many entries the lists of a field have. */
export type ListSize = {
  assumedSize: number;
  max: number;
  /** Ways to the numbers that are asked for, by argument and members. */
  slicingArguments: readonly (readonly string[])[];
  /** The lists of the field's type that have the size; none where the field itself is the list. */
  sizedFields: ReadonlySet<string>;
};

/** `listSize` is null where the SDL says none. */
export type FieldWeight = { points: number; isList: boolean; listSize: ListSize | null };

type Field = GraphQLField<unknown, unknown>;
type Member = GraphQLArgument | GraphQLInputField;

const weightsOfFields = new WeakMap<Field, FieldWeight>();

export function fieldWeight(parent: GraphQLObjectType, field: Field): FieldWeight {
  const known = weightsOfFields.get(field);
  if (known) return known;
  const weight = {
    points: readPoints(field) ?? defaultPoints(parent, field),
    isList: isListType(getNullableType(field.type)),
    listSize: readListSize(field),
  };
  weightsOfFields.set(field, weight);
  return weight;
}

/** Points of an argument or a member of an input; of each of its entries where it is a list. */
export function memberPoints(member: Member): number {
  return readPoints(member) ?? 0;
}

export function entriesOf({ isList, listSize }: FieldWeight): number {
  return isList ? (listSize?.assumedSize ?? assumedEntries) : 1;
}

function defaultPoints(parent: GraphQLObjectType, { name, type }: Field): number {
  if (parent.name === 'Mutation') return mutationPoints;
  return introspectionPoints[name] ?? (isObjectType(getNamedType(type)) ? objectPoints : 0);
}

function readPoints(element: Field | Member): number | null {
  const weight = directiveArguments(element, 'cost')?.['weight'];
  if (weight === undefined) return null;
  const points = Number(weight);
  if (typeof weight !== 'string' || !(points >= 0 && points < Infinity))
    throw new Error(`@cost of ${element.name}: ${JSON.stringify(weight)} is no number of points`);
  return points;
}

function readListSize(field: Field): ListSize | null {
  const given = directiveArguments(field, 'listSize') as {
    max?: number;
    assumedSize?: number;
    slicingArguments?: string[];
    sizedFields?: string[];
  } | null;
  if (!given) return null;
  const { max = Infinity, assumedSize = assumedEntries, slicingArguments = [], sizedFields = [] } = given;
  return {
    max,
    assumedSize,
    slicingArguments: slicingArguments.map((path) => path.split('.')),
    sizedFields: new Set(sizedFields),
  };
}

function directiveArguments({ astNode }: Field | Member, name: string): Record<string, unknown> | null {
  const directive = astNode?.directives?.find((directive) => directive.name.value === name);
  return directive
    ? Object.fromEntries(
        (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
      )
    : null;
}
