import {
  getVariableValues,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { argumentInvalid, type Issue, MAX_ISSUES } from '../../errors.ts';
import type { SlicedContext } from '../../limits/event-loop-slices.ts';
import { inputError } from '../errors.ts';
import { Coercion } from './coercion.ts';

/** Invalid values reported for one request. */
const MAX_ERRORS = 50;

type Coerced = ReturnType<typeof getVariableValues>;
export type VariableValues = NonNullable<Coerced['variableValues']>;
export type Variables = Readonly<Record<string, unknown>> | null;

/** `maxListSize`: the largest limit of any argument. `argumentIssues` checks the limit of each one after the coercion. */
type VariablesOf = {
  readonly schema: GraphQLSchema;
  readonly definitions: readonly VariableDefinitionNode[];
  readonly maxListSize: number;
};

type Request = Pick<VariablesOf, 'schema' | 'maxListSize'> & {
  readonly sources: Record<string, VariableValues['sources'][string]>;
  readonly coerced: Record<string, unknown>;
  readonly errors: GraphQLError[];
  readonly issues: Issue[];
};

/** Coerces variables as graphql-js does, but serves other requests between the entries of long lists. */
export function coercedVariables(
  ctx: SlicedContext,
  { schema, definitions, maxListSize }: VariablesOf,
  sent: Variables,
): Coerced | Promise<Coerced> {
  const [sources, coerced] = [Object.create(null), Object.create(null)];
  const request: Request = { schema, maxListSize, sources, coerced, errors: [], issues: [] };
  try {
    const unfinished = definitions.flatMap((definition) => {
      const { value: name } = definition.variable.name;
      if (!sent || !Object.hasOwn(sent, name)) return readMissing(request, definition);
      const coercion = coerce(request, definition, sent[name]);
      return coercion.isFinished ? [] : [coercion];
    });
    return unfinished.length === 0 ? resultOf(request) : finish(ctx, request, unfinished);
  } catch (error) {
    return refused(request, error);
  }
}

/** The default of the variable, or an error if it needs a value. */
function readMissing(request: Request, definition: VariableDefinitionNode): [] {
  const { errors, variableValues } = getVariableValues(request.schema, [definition], {}, { hideSuggestions: true });
  for (const error of errors ?? []) report(request, error);
  Object.assign(request.sources, variableValues?.sources);
  Object.assign(request.coerced, variableValues?.coerced);
  return [];
}

function coerce(request: Request, definition: VariableDefinitionNode, value: unknown): Coercion {
  const { name } = definition.variable;
  const { maxListSize, issues } = request;
  const type = typeFromAST(request.schema, definition.type) as GraphQLInputType;
  const coercion = new Coercion({
    maxListSize,
    onInvalid: (path, message) => {
      const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
      const text = `Variable "$${name.value}" has invalid value${place && ` at ${place}`}: ${message}`;
      report(request, new GraphQLError(text, { nodes: definition }));
    },
    onIssue: (path, message) => {
      if (issues.length < MAX_ISSUES) issues.push({ path: [name.value, ...path], message });
    },
  });
  const literal = definition.defaultValue;
  const signature = { name: name.value, type, default: literal && { literal } };
  request.sources[name.value] = { signature, value };
  request.coerced[name.value] = coercion.coerce(value, type);
  return coercion;
}

async function finish(ctx: SlicedContext, request: Request, unfinished: readonly Coercion[]): Promise<Coerced> {
  try {
    for (const coercion of unfinished) await coercion.finish(ctx);
    return resultOf(request);
  } catch (error) {
    return refused(request, error);
  }
}

class TooManyErrors extends GraphQLError {
  constructor() {
    super('Too many errors processing variables, error limit reached. Execution aborted.');
  }
}

function report({ errors }: Request, error: GraphQLError): void {
  if (errors.length === MAX_ERRORS) throw new TooManyErrors();
  errors.push(error);
}

function resultOf({ sources, coerced, errors, issues }: Request): Coerced {
  if (issues.length > 0) return { errors: [inputError(argumentInvalid(issues))] };
  return errors.length > 0 ? { errors } : { variableValues: { sources, coerced } };
}

function refused({ errors }: Request, error: unknown): Coerced {
  if (!(error instanceof TooManyErrors)) throw error;
  return { errors: [...errors, error] };
}
