import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  separateOperations,
} from 'graphql';
import type { Context } from '../../context.ts';
import { argumentInvalid, type Issue } from '../../errors.ts';
import { OperationCost, type Weights, weightsOf } from '../cost/request-cost.ts';
import { type Fragments, fragmentsOf } from '../document/collect-fields.ts';
import { isIntrospection, rootFieldNames } from '../document/operation.ts';
import { inputError } from '../errors.ts';
import { largestListSize, variableIssues } from '../input/arguments.ts';
import { literalIssues } from '../input/literal-issues.ts';
import { coercedVariables, type Variables, type VariableValues } from '../input/variables.ts';
import { hasDirectives, type RootField, rootFields } from '../plan/operation-plan.ts';
import { findLongWrites } from '../schema/long-writes.ts';
import { InputShapes } from '../usage/input-coordinates.ts';
import { type OperationUsage, usageOf } from '../usage/operation-usage.ts';
import type { LiteralValues } from './literals.ts';
import { type RootMutation, rootMutations } from './root-mutations.ts';

/** What is read from a schema once. */
export type SchemaFacts = {
  readonly schema: GraphQLSchema;
  readonly weights: Weights;
  readonly inputShapes: InputShapes;
  readonly longWrites: ReadonlySet<string>;
  readonly maxListSize: number;
};

export function schemaFacts(schema: GraphQLSchema, longWrites = findLongWrites(schema)): SchemaFacts {
  return {
    schema,
    weights: weightsOf(schema),
    inputShapes: new InputShapes(),
    longWrites,
    maxListSize: largestListSize(schema),
  };
}

/** The values of one request: the variables that the client sent, and the string literals of its document. */
export type SentValues = { readonly variables: Variables; readonly literals: LiteralValues };

export type CheckedValues =
  | { errors: readonly GraphQLError[] }
  | { errors?: undefined; variableValues: VariableValues };

/**
 * One operation of a valid document, and everything about it that does not depend on the values of a request. Each
 * part is made when it is first needed, and kept as long as the document.
 */
export class PreparedOperation {
  readonly #facts: SchemaFacts;
  /** As the client wrote it. */
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  /** With variables in place of string literals. */
  readonly #executed: { readonly operation: OperationDefinitionNode; readonly fragments: Fragments };
  readonly #hasDirectives: boolean;
  /** The distinct names of the root fields, also of those that a directive may leave out. */
  readonly operations: readonly string[];
  #mutations: readonly RootMutation[] | undefined;
  #cost: OperationCost | undefined;
  #usage: OperationUsage | undefined;
  #numberIssues: readonly Issue[] | undefined;
  #rootFields: readonly RootField[] | undefined;

  constructor(
    facts: SchemaFacts,
    document: DocumentNode,
    node: OperationDefinitionNode,
    executed: { document: DocumentNode; node: OperationDefinitionNode },
  ) {
    this.#facts = facts;
    this.document = document;
    this.node = node;
    this.#executed = { operation: executed.node, fragments: fragmentsOf(executed.document) };
    this.#hasDirectives = hasDirectives(document);
    this.operations = rootFieldNames(document, node);
  }

  get isMutation(): boolean {
    return this.node.operation === 'mutation';
  }

  /** Whether all root fields are introspection fields. */
  get isIntrospection(): boolean {
    return isIntrospection(this.operations);
  }

  /** Whether it is executed on the connections of long writes. */
  get isLong(): boolean {
    return this.operations.some((name) => this.#facts.longWrites.has(name));
  }

  /** Whether a root field waits for other hosts. */
  get isOutbound(): boolean {
    return this.mutations.some(({ preparation }) => preparation !== undefined);
  }

  get mutations(): readonly RootMutation[] {
    return (this.#mutations ??= rootMutations(this.#facts.schema, this.node, fragmentsOf(this.document)));
  }

  get cost(): OperationCost {
    return (this.#cost ??= new OperationCost(this.#facts.weights, this.node, fragmentsOf(this.document)));
  }

  get usage(): OperationUsage {
    return (this.#usage ??= usageOf(this.#facts.schema, this.#facts.inputShapes, separated(this.document, this.node)));
  }

  get fragments(): Fragments {
    return this.#executed.fragments;
  }

  /** The operation with variables in place of string literals. */
  get executed(): OperationDefinitionNode {
    return this.#executed.operation;
  }

  /** The root fields without those that a directive leaves out. */
  rootFields(values: VariableValues): readonly RootField[] {
    const planned = { schema: this.#facts.schema, ...this.#executed };
    return this.#hasDirectives ? rootFields(planned, values) : (this.#rootFields ??= rootFields(planned));
  }

  /** Checks and coerces the values of a request. */
  checkedValues(ctx: Pick<Context, 'slices'>, sent: SentValues): CheckedValues | Promise<CheckedValues> {
    const found = variableIssues(ctx, sent.variables ?? {}, this.#facts.maxListSize);
    return found instanceof Promise
      ? found.then(async (issues) => await this.#coerced(ctx, sent, issues))
      : this.#coerced(ctx, sent, found);
  }

  #coerced(
    ctx: Pick<Context, 'slices'>,
    { variables, literals }: SentValues,
    found: readonly Issue[],
  ): CheckedValues | Promise<CheckedValues> {
    const issues = [...found, ...(this.#numberIssues ??= literalIssues(this.document))];
    if (issues.length > 0) return { errors: [inputError(argumentInvalid(issues))] };
    const definitions = this.node.variableDefinitions ?? [];
    const coerced = coercedVariables(ctx, this.#facts.schema, definitions, variables);
    return coerced instanceof Promise
      ? coerced.then((values) => withLiterals(values, literals))
      : withLiterals(coerced, literals);
  }
}

/** The document with this operation only. */
export function separated(document: DocumentNode, { name }: OperationDefinitionNode): DocumentNode {
  return separateOperations(document)[name?.value ?? '']!;
}

function withLiterals(values: Awaited<ReturnType<typeof coercedVariables>>, literals: LiteralValues): CheckedValues {
  if (values.errors) return { errors: values.errors };
  Object.assign(values.variableValues.coerced, literals);
  return { variableValues: values.variableValues };
}
