import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import { directiveOf } from '../directives.ts';

/** Defaults without `@cost` and `@listSize`, as documented in the SDL of the two directives. */
const OBJECT_POINTS = 1;
const MUTATION_POINTS = 100;
export const INPUT_OBJECT_POINTS = 0.2;
const DEFAULT_ASSUMED_SIZE = 2;
/** Introspection fields are not in the SDL. */
const INTROSPECTION_POINTS: Readonly<Record<string, number>> = { __schema: 2_000, __type: 100 };

/** `@listSize` of a field. */
export type ListSize = {
  assumedSize: number;
  max: number;
  /** Paths of the arguments that limit the number of entries, such as `pagination.limit`. */
  slicingArguments: readonly (readonly string[])[];
  /** The lists of the field's type that have this size. Empty if the field itself is the list. */
  sizedFields: ReadonlySet<string>;
};

/** `listSize` is null without the directive. `assumed` is the number of entries unless arguments request another. */
export type FieldWeight = { points: number; isList: boolean; listSize: ListSize | null; assumed: number };

type Field = GraphQLField<unknown, unknown>;
type Member = GraphQLArgument | GraphQLInputField;

/** The weights of all fields of the schema's objects. Those of `__schema` and `__type` are not among them. */
export type FieldWeights = ReadonlyMap<Field, FieldWeight>;

export function fieldWeights(schema: GraphQLSchema): FieldWeights {
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  return new Map(
    objects.flatMap((type) => Object.values(type.getFields()).map((field) => [field, fieldWeight(type, field)])),
  );
}

/** Reads the weight of a field from its directives. */
export function fieldWeight(parent: GraphQLObjectType, field: Field): FieldWeight {
  const points = readPoints(field) ?? defaultPoints(parent, field);
  const isList = isListType(getNullableType(field.type));
  const listSize = readListSize(field);
  return { points, isList, listSize, assumed: isList ? (listSize?.assumedSize ?? DEFAULT_ASSUMED_SIZE) : 1 };
}

/** Points of an argument or an input field; for a list, the points of each entry. */
export function memberPoints(member: Member): number {
  return readPoints(member) ?? 0;
}

function defaultPoints(parent: GraphQLObjectType, { name, type }: Field): number {
  if (name === '__typename') return 0;
  if (parent.name === 'Mutation') return MUTATION_POINTS;
  return INTROSPECTION_POINTS[name] ?? (isObjectType(getNamedType(type)) ? OBJECT_POINTS : 0);
}

function readPoints(element: Field | Member): number | null {
  const weight = directiveOf(element, 'cost')?.['weight'];
  if (weight === undefined) return null;
  const points = Number(weight);
  if (typeof weight !== 'string' || !(points >= 0 && points < Infinity))
    throw new Error(`@cost of ${element.name}: ${JSON.stringify(weight)} is no number of points`);
  return points;
}

function readListSize(field: Field): ListSize | null {
  const given = directiveOf(field, 'listSize');
  if (!given) return null;
  const {
    max = Infinity,
    assumedSize = DEFAULT_ASSUMED_SIZE,
    slicingArguments = [],
    sizedFields = [],
  } = given as { max?: number; assumedSize?: number; slicingArguments?: string[]; sizedFields?: string[] };
  return {
    max,
    assumedSize,
    slicingArguments: slicingArguments.map((path) => path.split('.')),
    sizedFields: new Set(sizedFields),
  };
}
