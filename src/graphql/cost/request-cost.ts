import {
  type ArgumentNode,
  type DocumentNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { fragmentsOf } from '../document/collect-fields.ts';
import {
  type ConstantFields,
  type Points,
  rootPoints,
  type Scan,
  type WeightedField,
  weightedFields,
} from './field-cost.ts';
import {
  type InputWeights,
  inputWeights,
  memberCost,
  type Variables,
  type WeightedMember,
  weightedMember,
} from './input-cost.ts';
import { defaultsOf, hasVariable, isCounted, valueAt } from './variable-values.ts';
import { entriesOf, type FieldWeights, fieldWeights, type ListSize } from './weights.ts';

/** Maximum points of one request: five pages of 200 products with all fields, or four searches with facets. */
export const MAX_REQUEST_COST = 100_000;
/** Sums of tenths have binary rounding errors far below this. */
const ROUNDING_ERROR = 1e-6;

export type CostedRequest = {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>> | null;
};

/** The cost of one root field. `key` is its response key. */
export type FieldCost = { key: string; name: string; points: number };

/** The part of a root field's cost that does not depend on variables. */
type RootField = {
  field: WeightedField;
  points: Points;
  given: readonly { member: WeightedMember; value: ValueNode }[];
};

/** `points`: the sum, or null if it depends on variables. */
type Plan = { roots: readonly RootField[]; defaults: ReadonlyMap<string, unknown>; points: number | null };

/** Computes the points of requests. The parts that depend on no variable are computed once per document. */
export class RequestCosts {
  readonly #schema: GraphQLSchema;
  readonly #fieldWeights: FieldWeights;
  readonly #inputWeights: InputWeights;
  readonly #constantFields: ConstantFields = new WeakMap();
  /** The plans of operations without directives, which depend on no variable. */
  readonly #plans = new WeakMap<OperationDefinitionNode, Plan>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#fieldWeights = fieldWeights(schema);
    this.#inputWeights = inputWeights(schema);
  }

  /** Points of a request by its document and variables. Known before it is executed. */
  requested(request: CostedRequest): number {
    const plan = this.#planOf(request);
    return plan.points ?? sumOf(this.#costsOf(plan, request));
  }

  /** The root field that costs most. */
  mostExpensiveField(request: CostedRequest): FieldCost {
    const costs = this.#costsOf(this.#planOf(request), request);
    return costs.reduce((highest, cost) => (cost.points > highest.points ? cost : highest));
  }

  /** Points of a request by the actual lengths of the lists in its response. */
  actual(request: CostedRequest, data: Readonly<Record<string, unknown>>): number {
    const plan = this.#planOf(request);
    const variables = this.#variablesOf(plan.defaults, request);
    // A root field whose result is null was executed too.
    return sumOf(
      plan.roots.map((root) => ({
        points: inputPoints(root, variables) + actualPoints(root.field, data[root.field.key] ?? {}),
      })),
    );
  }

  #planOf(request: CostedRequest): Plan {
    const known = this.#plans.get(request.operation);
    if (known) return known;
    const { document, operation } = request;
    const defaults = defaultsOf(operation);
    const variables = this.#variablesOf(defaults, request);
    const scan: Scan = {
      schema: this.#schema,
      weights: this.#fieldWeights,
      constantFields: this.#constantFields,
      fragments: fragmentsOf(document),
      isCounted: (node) => isCounted(node, variables),
      directives: 0,
    };
    const roots = this.#rootFields(operation, scan);
    const isConstant =
      scan.directives === 0 && !roots.some(({ given }) => given.some(({ value }) => hasVariable(value)));
    const points = isConstant ? sumOf(roots.map((root) => costOf(root, variables))) : null;
    const plan: Plan = { roots, defaults, points };
    if (scan.directives === 0) this.#plans.set(operation, plan);
    return plan;
  }

  #rootFields(operation: OperationDefinitionNode, scan: Scan): RootField[] {
    const type = this.#schema.getRootType(operation.operation);
    return type
      ? weightedFields(type, [operation.selectionSet], scan).map((field) => rootOf(this.#schema, type, field))
      : [];
  }

  #costsOf({ roots, defaults }: Plan, request: CostedRequest): FieldCost[] {
    const variables = this.#variablesOf(defaults, request);
    return roots.map((root) => costOf(root, variables));
  }

  #variablesOf(defaults: ReadonlyMap<string, unknown>, { variables }: CostedRequest): Variables {
    const valueOf = (name: string): unknown =>
      variables && Object.hasOwn(variables, name) ? variables[name] : defaults.get(name);
    return { valueOf, inputWeights: this.#inputWeights, known: new Map() };
  }
}

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

function costOf(root: RootField, variables: Variables): FieldCost {
  const { field, points, given } = root;
  const { listSize } = field.weight;
  const entries = listSize ? requestedEntries(listSize, given, variables) : entriesOf(field.weight);
  return {
    key: field.key,
    name: field.node.name.value,
    points: inputPoints(root, variables) + points.fixed + entries * points.perEntry,
  };
}

function inputPoints({ given }: RootField, variables: Variables): number {
  return given.reduce((sum, { member, value }) => sum + memberCost(member, value, variables), 0);
}

function requestedEntries(
  { slicingArguments, assumedSize, max }: ListSize,
  given: RootField['given'],
  variables: Variables,
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
  return Math.ceil(costs.reduce((sum, { points }) => sum + points, 0) - ROUNDING_ERROR);
}
