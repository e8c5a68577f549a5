import {
  coerceInputLiteral,
  getNullableType,
  getVariableValues,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { argumentInvalid, type InputPath, type Issue, MAX_ISSUES } from '../../errors.ts';
import { Pauses, type SlicedContext } from '../../limits/event-loop-slices.ts';
import { inputError, MAX_MESSAGE_LENGTH } from '../errors.ts';
import { isLongList, NOT_A_FLOAT, tooLong } from './arguments.ts';
import { quotedValue } from './quoted-value.ts';

/** Invalid values reported for one request. */
const MAX_ERRORS = 50;
/** One character more than responses show of a message, so that a response ends a cut message with an ellipsis. */
const MAX_LENGTH = MAX_MESSAGE_LENGTH + 1;

type Coerced = ReturnType<typeof getVariableValues>;
export type VariableValues = NonNullable<Coerced['variableValues']>;
export type Variables = Readonly<Record<string, unknown>> | null;

/** `maxListSize`: the largest limit of any argument. `argumentIssues` checks the limit of each one after the coercion. */
type VariablesOf = {
  readonly schema: GraphQLSchema;
  readonly definitions: readonly VariableDefinitionNode[];
  readonly maxListSize: number;
};

/** A list whose entries are coerced after all other values, one by one. */
type LongList = {
  readonly entries: readonly unknown[];
  readonly type: GraphQLInputType;
  readonly path: InputPath;
  readonly coerced: unknown[];
};

type SentVariable = { readonly definition: VariableDefinitionNode; readonly longLists: LongList[] };

/** Coerces variables as graphql-js does, but serves other requests between the entries of long lists. */
export function coercedVariables(
  ctx: SlicedContext,
  variables: VariablesOf,
  sent: Variables,
): Coerced | Promise<Coerced> {
  return new VariableCoercion(variables).coerce(ctx, sent);
}

class TooManyErrors extends GraphQLError {
  constructor() {
    super('Too many errors processing variables, error limit reached. Execution aborted.');
  }
}

/**
 * Coerces JSON values as graphql-js does, which tests compare, with the same messages about invalid ones. Four things
 * differ: the entries of long lists are coerced in slices of time, since 1,000 products with 70 variants take 0.3 s; those
 * of lists that no argument allows are not coerced; a number of 1e400 where a scalar belongs is not called Infinity; and
 * the messages quote no more of a value than a response shows.
 */
class VariableCoercion {
  readonly #variables: VariablesOf;
  readonly #sources: Record<string, VariableValues['sources'][string]> = Object.create(null);
  readonly #coerced: Record<string, unknown> = Object.create(null);
  /** Values that graphql-js refuses. */
  readonly #errors: GraphQLError[] = [];
  /** Values that only we refuse: a list longer than `maxListSize`, and a number that is not finite. */
  readonly #issues: Issue[] = [];
  readonly #unfinished: SentVariable[] = [];
  /** The variable that is coerced, and the path in its value. */
  #variable!: SentVariable;
  #path: InputPath = [];

  constructor(variables: VariablesOf) {
    this.#variables = variables;
  }

  coerce(ctx: SlicedContext, sent: Variables): Coerced | Promise<Coerced> {
    try {
      for (const definition of this.#variables.definitions) {
        const { value: name } = definition.variable.name;
        if (sent && Object.hasOwn(sent, name)) this.#sent(definition, sent[name]);
        else this.#missing(definition);
      }
      if (this.#unfinished.length === 0) return this.#result();
      return this.#finish(ctx).catch((error: unknown) => this.#refused(error));
    } catch (error) {
      return this.#refused(error);
    }
  }

  /** Takes the default of the variable, or reports an error if it needs a value. */
  #missing(definition: VariableDefinitionNode): void {
    const { schema } = this.#variables;
    const { errors, variableValues } = getVariableValues(schema, [definition], {}, { hideSuggestions: true });
    for (const error of errors ?? []) this.#report(error);
    Object.assign(this.#sources, variableValues?.sources);
    Object.assign(this.#coerced, variableValues?.coerced);
  }

  /** Coerces the value of the variable. Its long lists are empty until `#finish`. */
  #sent(definition: VariableDefinitionNode, value: unknown): void {
    const { value: name } = definition.variable.name;
    const type = typeFromAST(this.#variables.schema, definition.type) as GraphQLInputType;
    const literal = definition.defaultValue;
    this.#sources[name] = { signature: { name, type, default: literal && { literal } }, value };
    this.#variable = { definition, longLists: [] };
    this.#coerced[name] = this.#value(value, type);
    if (this.#variable.longLists.length > 0) this.#unfinished.push(this.#variable);
  }

  /** Coerces the entries of the long lists. Long lists within an entry are added to the end, and are coerced after it. */
  async #finish(ctx: SlicedContext): Promise<Coerced> {
    const pauses = new Pauses(ctx);
    for (const variable of this.#unfinished) {
      this.#variable = variable;
      for (const { entries, type, path, coerced } of variable.longLists) {
        this.#path = path;
        for (const [index, entry] of entries.entries()) {
          if (pauses.isDue()) await pauses.take();
          coerced.push(this.#member(index, entry, type));
        }
      }
    }
    return this.#result();
  }

  #result(): Coerced {
    if (this.#issues.length > 0) return { errors: [inputError(argumentInvalid(this.#issues))] };
    if (this.#errors.length > 0) return { errors: this.#errors };
    return { variableValues: { sources: this.#sources, coerced: this.#coerced } };
  }

  #refused(error: unknown): Coerced {
    if (!(error instanceof TooManyErrors)) throw error;
    return { errors: [...this.#errors, error] };
  }

  #value(value: unknown, type: GraphQLInputType): unknown {
    if (value === null || value === undefined) {
      if (isNonNullType(type)) this.#refuse(`Expected value of non-null type "${type.toString()}" not to be null.`);
      return null;
    }
    const nullable = getNullableType(type);
    if (isListType(nullable)) return this.#list(value, nullable.ofType);
    if (isInputObjectType(nullable)) return this.#object(value, nullable);
    return this.#leaf(value, nullable);
  }

  #member(key: string | number, value: unknown, type: GraphQLInputType): unknown {
    this.#path.push(key);
    const coerced = this.#value(value, type);
    this.#path.pop();
    return coerced;
  }

  #list(value: unknown, type: GraphQLInputType): unknown[] {
    if (!Array.isArray(value)) return [this.#value(value, type)];
    const { maxListSize } = this.#variables;
    if (value.length > maxListSize) {
      this.#addIssue(tooLong(maxListSize, value.length));
      return [];
    }
    if (!isLongList(value)) return value.map((entry: unknown, index) => this.#member(index, entry, type));
    const coerced: unknown[] = [];
    this.#variable.longLists.push({ entries: value, type, path: [...this.#path], coerced });
    return coerced;
  }

  #object(value: unknown, type: GraphQLInputObjectType): unknown {
    if (typeof value !== 'object' || Array.isArray(value))
      return this.#refuse(`Expected value of type "${type.name}" to be an object, found: ${quote(value)}.`);
    const sent = value as Record<string, unknown>;
    const coerced = Object.create(null) as Record<string, unknown>;
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      const { name } = field;
      if (Object.hasOwn(sent, name)) coerced[name] = this.#member(name, sent[name], field.type);
      else if (isRequiredInputField(field))
        this.#refuse(
          `Expected value of type "${type.name}" to include required field "${name}", found: ${quote(sent)}.`,
        );
      else if (field.default?.literal) coerced[name] = coerceInputLiteral(field.default.literal, field.type);
    }
    this.#refuseUnknown(sent, type);
    return coerced;
  }

  #refuseUnknown(sent: Record<string, unknown>, type: GraphQLInputObjectType): void {
    const fields = type.getFields();
    const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(fields, name));
    if (unknown.length === 0) return;
    const found = quote(sent);
    for (const name of unknown)
      this.#refuse(`Expected value of type "${type.name}" not to include unknown field "${name}", found: ${found}.`);
  }

  #leaf(value: unknown, type: GraphQLLeafType): unknown {
    if (typeof value === 'number' && !Number.isFinite(value)) return this.#addIssue(NOT_A_FLOAT);
    try {
      // No scalar accepts an object. In the error graphql-js quotes it by its `toJSON`, which quotes a part only.
      return type.coerceInputValue(typeof value === 'object' ? { toJSON: () => quote(value) } : value, true);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return this.#refuse(error.message);
    }
  }

  #refuse(message: string): void {
    const { definition } = this.#variable;
    const place = this.#path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const text = `Variable "$${definition.variable.name.value}" has invalid value${place && ` at ${place}`}`;
    this.#report(new GraphQLError(`${text}: ${message.slice(0, MAX_LENGTH).toWellFormed()}`, { nodes: definition }));
  }

  #report(error: GraphQLError): void {
    if (this.#errors.length === MAX_ERRORS) throw new TooManyErrors();
    this.#errors.push(error);
  }

  #addIssue(message: string): void {
    if (this.#issues.length === MAX_ISSUES) return;
    const { value: name } = this.#variable.definition.variable.name;
    this.#issues.push({ path: [name, ...this.#path], message });
  }
}

function quote(value: unknown): string {
  return quotedValue(value, MAX_LENGTH);
}
