import {
  type ArgumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import type { Fragments } from '../document/collect-fields.ts';
import type { Variables } from '../input/variables.ts';
import {
  type ConstantFields,
  type Points,
  rootPoints,
  type Scan,
  type WeightedField,
  weightedFields,
} from './field-cost.ts';
import {
  type CostVariables,
  type InputWeights,
  inputWeights,
  memberCost,
  type WeightedMember,
  weightedMember,
} from './input-cost.ts';
import { defaultsOf, hasVariable, isCounted, valueAt } from './variable-values.ts';
import { type FieldWeights, fieldWeights, type ListSize } from './weights.ts';

/** Maximum points of one request: four pages of 200 products with all fields, or four searches with facets. */
export const MAX_REQUEST_COST = 100_000;
/** Sums of tenths have binary rounding errors far below this. */
const ROUNDING_ERROR = 1e-6;

/** The cost of one root field. `key` is its response key. */
export type FieldCost = { key: string; name: string; points: number };

/** The part of a root field's cost that does not depend on variables. */
type RootField = {
  field: WeightedField;
  points: Points;
  given: readonly { member: WeightedMember; value: ValueNode }[];
};

/** What the schema says about costs. */
export type Weights = {
  readonly schema: GraphQLSchema;
  readonly fields: FieldWeights;
  readonly inputs: InputWeights;
};

export function weightsOf(schema: GraphQLSchema): Weights {
  return { schema, fields: fieldWeights(schema), inputs: inputWeights(schema) };
}

/** Computes the points of one operation for the variables of a request. */
export class OperationCost {
  readonly #weights: Weights;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: Fragments;
  readonly #defaults: ReadonlyMap<string, unknown>;
  /** The root fields of an operation without directives, which depend on no variable. */
  #constantRoots: readonly RootField[] | null = null;
  #hasConstantPoints = false;
  /** The points, if they depend on no variable. */
  #constantPoints: number | null = null;
  /** The parts of an operation with directives that have none. */
  readonly #constantFields: ConstantFields = new Map();

  constructor(weights: Weights, operation: OperationDefinitionNode, fragments: Fragments) {
    this.#weights = weights;
    this.#operation = operation;
    this.#fragments = fragments;
    this.#defaults = defaultsOf(operation);
  }

  /** Points of a request by its variables. Known before it is executed. */
  requested(variables: Variables): number {
    if (this.#constantPoints !== null) return this.#constantPoints;
    const points = sumOf(this.#costs(variables));
    if (this.#hasConstantPoints) this.#constantPoints = points;
    return points;
  }

  /** The root field that costs most. */
  mostExpensiveField(variables: Variables): FieldCost {
    return this.#costs(variables).reduce((highest, cost) => (cost.points > highest.points ? cost : highest));
  }

  /** Points of a request by the actual lengths of the lists in its response. */
  actual(variables: Variables, data: Readonly<Record<string, unknown>>): number {
    const values = this.#valuesOf(variables);
    // A root field whose result is null was executed too.
    return sumOf(
      this.#roots(values).map((root) => ({
        points: inputPoints(root, values) + actualPoints(root.field, data[root.field.key] ?? NO_MEMBERS),
      })),
    );
  }

  #costs(variables: Variables): FieldCost[] {
    const values = this.#valuesOf(variables);
    return this.#roots(values).map((root) => costOf(root, values));
  }

  #roots(values: CostVariables): readonly RootField[] {
    if (this.#constantRoots) return this.#constantRoots;
    const { schema, fields } = this.#weights;
    const scan: Scan = {
      schema,
      weights: fields,
      constantFields: this.#constantFields,
      fragments: this.#fragments,
      isCounted: (node) => isCounted(node, values),
      directives: 0,
    };
    const type = schema.getRootType(this.#operation.operation);
    const roots = type
      ? weightedFields(type, [this.#operation.selectionSet], scan).map((field) => rootOf(schema, type, field))
      : [];
    if (scan.directives > 0) return roots;
    this.#hasConstantPoints = !roots.some(({ given }) => given.some(({ value }) => hasVariable(value)));
    return (this.#constantRoots = roots);
  }

  #valuesOf(variables: Variables): CostVariables {
    const valueOf = (name: string): unknown =>
      variables && Object.hasOwn(variables, name) ? variables[name] : this.#defaults.get(name);
    return { valueOf, inputWeights: this.#weights.inputs, known: new Map() };
  }
}

/** Without a prototype, whose members would be counted under an alias such as `constructor`. */
const NO_MEMBERS: object = Object.freeze(Object.create(null));

function actualPoints({ weight, below }: Pick<WeightedField, 'weight' | 'below'>, value: unknown): number {
  if (Array.isArray(value))
    return value.reduce<number>((sum, entry) => sum + actualPoints({ weight, below }, entry), 0);
  if (value === null || value === undefined) return 0;
  return below.reduce(
    (sum, field) => sum + actualPoints(field, (value as Record<string, unknown>)[field.key]),
    weight.points,
  );
}

function rootOf(schema: GraphQLSchema, type: GraphQLObjectType, field: WeightedField): RootField {
  const { args = [] } = schema.getField(type, field.node.name.value) ?? {};
  const given = (field.node.arguments ?? []).flatMap(({ name, value }: ArgumentNode) => {
    const argument = args.find((argument) => argument.name === name.value);
    return argument ? [{ member: weightedMember(argument), value }] : [];
  });
  return { field, points: rootPoints(field), given };
}

function costOf(root: RootField, variables: CostVariables): FieldCost {
  const { field, points, given } = root;
  const { listSize, assumed } = field.weight;
  const entries = listSize ? requestedEntries(listSize, given, variables) : assumed;
  return {
    key: field.key,
    name: field.node.name.value,
    points: inputPoints(root, variables) + points.fixed + entries * points.perEntry,
  };
}

function inputPoints({ given }: RootField, variables: CostVariables): number {
  return given.reduce((sum, { member, value }) => sum + memberCost(member, value, variables), 0);
}

function requestedEntries(
  { slicingArguments, assumedSize, max }: ListSize,
  given: RootField['given'],
  variables: CostVariables,
): number {
  for (const [name, ...path] of slicingArguments) {
    const node = given.find(({ member }) => member.name === name)?.value;
    const asked = node && valueAt(node, path, variables);
    if (typeof asked === 'number') return Math.min(Math.max(asked, 0), max);
  }
  return assumedSize;
}

/** Rounds up to whole points, ignoring binary rounding errors. */
function sumOf(costs: readonly { points: number }[]): number {
  return Math.max(0, Math.ceil(costs.reduce((sum, { points }) => sum + points, 0) - ROUNDING_ERROR));
}
