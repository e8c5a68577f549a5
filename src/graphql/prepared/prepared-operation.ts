import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  separateOperations,
} from 'graphql';
import { argumentInvalid, type Issue } from '../../errors.ts';
import type { SlicedContext } from '../../limits/event-loop-slices.ts';
import { OperationCost, type Weights, weightsOf } from '../cost/request-cost.ts';
import { type Fragments, isIntrospection, rootFieldNames } from '../document/collect-fields.ts';
import { suggestNames } from '../document/suggestions.ts';
import { inputError } from '../errors.ts';
import { largestListSize } from '../input/arguments.ts';
import { literalIssues } from '../input/literal-issues.ts';
import { coercedVariables, type Variables, type VariableValues } from '../input/variables.ts';
import { hasAliases, type RootField, rootFields } from '../plan/operation-plan.ts';
import { findLongWrites } from '../schema/long-writes.ts';
import { neededScopes } from '../schema/needed-scopes.ts';
import { InputShapes, type OperationUsage, usageOf } from '../usage/operation-usage.ts';
import { type RootMutation, rootMutations } from './root-mutations.ts';
import type { StringValues } from './string-literals.ts';

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

/** The values of one request: the variables that the client sent, and those that replace the strings of its document. */
export type SentValues = { readonly variables: Variables; readonly strings: StringValues };

export type CheckedValues =
  | { errors: readonly GraphQLError[] }
  | { errors?: undefined; variableValues: VariableValues; fields: readonly RootField[] };

/** The distinct names of root fields, and those of a mutation. */
export type IncludedFields = { readonly operations: readonly string[]; readonly mutations: readonly RootMutation[] };

/** An operation with its document and the document's fragments. */
export type OperationParts = {
  readonly document: DocumentNode;
  readonly node: OperationDefinitionNode;
  readonly fragments: Fragments;
};

type DocumentFacts = {
  readonly sent: OperationParts;
  readonly executed: OperationParts;
  readonly hasDirectives: boolean;
};

/**
 * One operation of a valid document, and everything about it that does not depend on the values of a request. Each
 * part is made when it is first needed, and kept as long as the document.
 */
export class PreparedOperation {
  readonly #facts: SchemaFacts;
  /** As the client wrote it. */
  readonly sent: OperationParts;
  /** With variables in place of strings. */
  readonly executed: OperationParts;
  /** Whether a directive may leave out fields. */
  readonly #hasDirectives: boolean;
  /** The names of the root fields: see `rootFieldNames`. */
  readonly operations: readonly string[];
  readonly isMutation: boolean;
  /** Whether all root fields are introspection fields. */
  readonly isIntrospection: boolean;
  /** Whether it is executed on the connections of long writes. */
  readonly isLong: boolean;
  #hasAliases: boolean | undefined;
  #mutations: readonly RootMutation[] | undefined;
  #cost: OperationCost | undefined;
  #usage: OperationUsage | undefined;
  #numberIssues: readonly Issue[] | undefined;
  #rootFields: readonly RootField[] | undefined;

  constructor(facts: SchemaFacts, { sent, executed, hasDirectives }: DocumentFacts) {
    this.#facts = facts;
    this.sent = sent;
    this.executed = executed;
    this.#hasDirectives = hasDirectives;
    this.operations = rootFieldNames(sent.node, sent.fragments);
    this.isMutation = sent.node.operation === 'mutation';
    this.isIntrospection = isIntrospection(this.operations);
    this.isLong = this.operations.some((name) => facts.longWrites.has(name));
  }

  /** The root fields of a request, without those that a directive leaves out. */
  included(variables: Variables): IncludedFields {
    const { operations, mutations } = this;
    if (!this.#hasDirectives) return { operations, mutations };
    const { document, node: operation } = this.sent;
    const needed = neededScopes(this.#facts.schema, { document, operation }, variables);
    const keys = new Set(needed.map(({ key }) => key));
    return {
      operations: [...new Set(needed.map(({ name }) => name))],
      mutations: mutations.filter(({ key }) => keys.has(key)),
    };
  }

  /** Whether a root field waits for other hosts. */
  get isOutbound(): boolean {
    return this.mutations.some(({ preparation }) => preparation !== undefined);
  }

  /** Whether a key of the response is not the name of its field. Aliases can make the response to one record large. */
  get hasAliases(): boolean {
    const { node, fragments } = this.sent;
    return (this.#hasAliases ??= hasAliases({ sets: [node.selectionSet], fragments }));
  }

  get mutations(): readonly RootMutation[] {
    return (this.#mutations ??= rootMutations(this.#facts.schema, this.sent.node, this.sent.fragments));
  }

  get cost(): OperationCost {
    return (this.#cost ??= new OperationCost(this.#facts.weights, this.sent.node, this.sent.fragments));
  }

  get usage(): OperationUsage {
    return (this.#usage ??= usageOf(
      this.#facts.schema,
      this.#facts.inputShapes,
      separated(this.sent.document, this.sent.node),
    ));
  }

  /** The root fields without those that a directive leaves out. Throws if the value of a directive is refused. */
  #includedFields(values: VariableValues): readonly RootField[] {
    const { node: operation, fragments } = this.executed;
    const planned = { schema: this.#facts.schema, operation, fragments };
    return this.#hasDirectives ? rootFields(planned, values) : (this.#rootFields ??= rootFields(planned));
  }

  /** Checks and coerces the values of a request, and finds the root fields that they include. */
  checkedValues(ctx: SlicedContext, { variables, strings }: SentValues): CheckedValues | Promise<CheckedValues> {
    const issues = (this.#numberIssues ??= literalIssues(this.sent.document));
    if (issues.length > 0) return { errors: [inputError(argumentInvalid([...issues]))] };
    const { schema, maxListSize } = this.#facts;
    const definitions = this.sent.node.variableDefinitions ?? [];
    const coerced = coercedVariables(ctx, { schema, definitions, maxListSize }, variables);
    return coerced instanceof Promise
      ? coerced.then((values) => this.#withStrings(values, strings))
      : this.#withStrings(coerced, strings);
  }

  #withStrings(values: Awaited<ReturnType<typeof coercedVariables>>, strings: StringValues): CheckedValues {
    if (values.errors) return { errors: suggestNames(this.#facts.schema, values.errors) };
    const { variableValues } = values;
    Object.assign(variableValues.coerced, strings);
    try {
      return { variableValues, fields: this.#includedFields(variableValues) };
    } catch (error) {
      // GraphQL lets a client send null for a nullable variable with a default, also where a directive needs a value.
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }
}

/** The document with this operation only. */
export function separated(document: DocumentNode, { name }: OperationDefinitionNode): DocumentNode {
  return separateOperations(document)[name?.value ?? '']!;
}
