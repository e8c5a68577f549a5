import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import { fragmentsOf } from '../document/collect-fields.ts';
import { type Points, type WeightedField, weightedFields, rootPoints, type Scan } from './field-cost.ts';
import { argumentCost, type Variables } from './input-cost.ts';
import { entriesOf, type ListSize } from './weights.ts';

/** Maximum points of one request: five pages of 200 products with all fields, or four searches with facets. */
export const MAX_REQUEST_COST = 100_000;
/** Sums of tenths have binary rounding errors far below this. */
const ROUNDING_ERROR = 1e-6;

export type CostedRequest = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>> | null;
};

/** The cost of one root field. `key` is its response key. */
export type FieldCost = { key: string; name: string; points: number };

/** The part of a root field's cost that does not depend on variables. */
type RootField = {
  field: WeightedField;
  points: Points;
  given: readonly { argument: GraphQLArgument; value: ValueNode }[];
};

/** `points`: the sum, or null if it depends on variables. */
type Plan = { roots: readonly RootField[]; defaults: ReadonlyMap<string, unknown>; points: number | null };

/** The plans of operations without directives, which depend on no variable. */
const planByOperation = new WeakMap<OperationDefinitionNode, Plan>();

/** Points of a request by its document and variables. Known before it is executed. */
export function requestedCost(request: CostedRequest): number {
  const plan = planOf(request);
  return plan.points ?? sumOf(costsOf(plan, request));
}

/** The root field that costs most. */
export function mostExpensiveField(request: CostedRequest): FieldCost {
  return costsOf(planOf(request), request).reduce((highest, cost) => (cost.points > highest.points ? cost : highest));
}

/** Points of a request by the actual lengths of the lists in its response. */
export function actualCost(request: CostedRequest, data: Readonly<Record<string, unknown>>): number {
  const plan = planOf(request);
  const variables = variablesOf(plan.defaults, request);
  // A root field whose result is null was executed too.
  return sumOf(
    plan.roots.map((root) => ({
      points: inputPoints(root, variables) + actualPoints(root.field, data[root.field.key] ?? {}),
    })),
  );
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

function planOf(request: CostedRequest): Plan {
  const known = planByOperation.get(request.operation);
  if (known) return known;
  const { schema, document, operation } = request;
  const defaults = defaultsOf(operation);
  const variables = variablesOf(defaults, request);
  const scan: Scan = {
    schema,
    fragments: fragmentsOf(document),
    isIncluded: (node) => isIncluded(node, variables),
    directives: 0,
  };
  const type = schema.getRootType(operation.operation);
  const roots = type ? weightedFields(type, [operation.selectionSet], scan).map((field) => rootOf(request, field)) : [];
  const isConstant = scan.directives === 0 && !roots.some(({ given }) => given.some(({ value }) => hasVariable(value)));
  const plan: Plan = {
    roots,
    defaults,
    points: isConstant ? sumOf(roots.map((root) => costOf(root, variables))) : null,
  };
  if (scan.directives === 0) planByOperation.set(operation, plan);
  return plan;
}

function rootOf({ schema, operation }: CostedRequest, field: WeightedField): RootField {
  const { args = [] } = schema.getField(schema.getRootType(operation.operation)!, field.node.name.value) ?? {};
  const given = (field.node.arguments ?? []).flatMap(({ name, value }: ArgumentNode) => {
    const argument = args.find((argument) => argument.name === name.value);
    return argument ? [{ argument, value }] : [];
  });
  return { field, points: rootPoints(field), given };
}

function costsOf({ roots, defaults }: Plan, request: CostedRequest): FieldCost[] {
  const variables = variablesOf(defaults, request);
  return roots.map((root) => costOf(root, variables));
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
  return given.reduce((sum, { argument, value }) => sum + argumentCost(argument, value, variables), 0);
}

function requestedEntries(
  { slicingArguments, assumedSize, max }: ListSize,
  given: RootField['given'],
  variables: Variables,
): number {
  for (const [name, ...path] of slicingArguments) {
    const node = given.find(({ argument }) => argument.name === name)?.value;
    const asked = node && valueAt(node, path, variables);
    if (typeof asked === 'number') return Math.min(Math.max(asked, 0), max);
  }
  return assumedSize;
}

function valueAt(node: ValueNode, path: readonly string[], variables: Variables): unknown {
  if (node.kind === 'Variable')
    return path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown> | null | undefined)?.[name],
      variables.valueOf(node.name.value),
    );
  const [name, ...rest] = path;
  if (name === undefined) return valueFromASTUntyped(node);
  const member = node.kind === 'ObjectValue' ? node.fields.find((field) => field.name.value === name) : undefined;
  return member && valueAt(member.value, rest, variables);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): ReadonlyMap<string, unknown> {
  return new Map(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}

function variablesOf(defaults: ReadonlyMap<string, unknown>, { variables }: CostedRequest): Variables {
  const valueOf = (name: string): unknown =>
    variables && Object.hasOwn(variables, name) ? variables[name] : defaults.get(name);
  return { valueOf, known: new Map() };
}

function hasVariable(node: ValueNode): boolean {
  if (node.kind === 'ListValue') return node.values.some(hasVariable);
  return (
    node.kind === 'Variable' || (node.kind === 'ObjectValue' && node.fields.some(({ value }) => hasVariable(value)))
  );
}

function isIncluded({ directives = [] }: SelectionNode, variables: Variables): boolean {
  const is = (name: string): boolean | undefined =>
    conditionOf(
      directives.find((directive) => directive.name.value === name),
      variables,
    );
  return is('skip') !== true && is('include') !== false;
}

function conditionOf(directive: DirectiveNode | undefined, variables: Variables): boolean | undefined {
  const value = directive?.arguments?.find(({ name }) => name.value === 'if')?.value;
  if (value?.kind === 'Variable') return variables.valueOf(value.name.value) === true;
  return value?.kind === 'BooleanValue' ? value.value : undefined;
}

/** Rounds up to whole points, ignoring binary rounding errors. */
function sumOf(costs: readonly { points: number }[]): number {
  return Math.ceil(costs.reduce((sum, { points }) => sum + points, 0) - ROUNDING_ERROR);
}
