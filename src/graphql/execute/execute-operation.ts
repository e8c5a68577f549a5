import { getArgumentValues, GraphQLError, type GraphQLSchema, isNonNullType, locatedError } from 'graphql';
import type { Context } from '../../context.ts';
import type { ResponseSize } from '../../limits/response-size.ts';
import { EventLoopSlices } from '../../limits/event-loop-slices.ts';
import { JsonText } from '../../values/json.ts';
import type { VariableValues } from '../input/variables.ts';
import type { PageMember, RootField } from '../plan/operation-plan.ts';
import type { PlannedInfo } from '../plan/selection.ts';
import { FallBackToGraphQLJs } from '../plan/value-completer.ts';
import type { PreparedOperation, SentValues } from '../prepared/prepared-operation.ts';
import type { Settled } from '../schema/scope.ts';
import { executeByGraphQLJs, type GraphQLJsReason } from './by-graphql-js.ts';
import { resultBytes, writeLeaf, writeText } from '../plan/response-text.ts';

/** Quotes, colon and comma of a key. */
const KEY_SYNTAX_BYTES = 4;

/** `data` is missing if the values of the request were refused, and null if a field that is never null failed. */
export type OperationResult = {
  readonly data?: JsonText | Readonly<Record<string, null>> | null;
  readonly errors?: readonly GraphQLError[];
  /** The response keys of the root fields that are executed, without introspection. */
  readonly keys: readonly string[];
};

export type OperationArgs = {
  readonly operation: PreparedOperation;
  readonly sent: SentValues;
  readonly contextValue: ExecutionContext;
};

/** Without a session, only introspection is executed. */
type ExecutionContext = Partial<Omit<Context, 'session'>> & { readonly session?: Context['session'] | null };

export type ExecuteOperation = (args: OperationArgs) => Promise<OperationResult>;

/** Called for each root field that graphql-js executes. */
export type OnGraphQLJs = (reason: GraphQLJsReason) => void;

/**
 * The result of a list operation. `json` has the records as JSON text, if the database made exactly what is selected.
 */
type PageWithText = { readonly json?: { readonly text: string; readonly bytes: number } } & Record<string, unknown>;

/** Thrown if a root field that is never null fails: `data` is null then, whatever the other fields return. */
class NonNullFieldFailed extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super(errors[0]?.message);
    this.errors = errors;
  }
}

type Execution = {
  readonly schema: GraphQLSchema;
  readonly operation: PreparedOperation;
  readonly contextValue: ExecutionContext;
  readonly variableValues: VariableValues;
  readonly responseSize: ResponseSize | undefined;
  readonly slices: EventLoopSlices;
  readonly errors: GraphQLError[];
  readonly onGraphQLJs: OnGraphQLJs;
};

/**
 * Executes operations as graphql-js does, with the same bytes, which tests compare: calls the resolvers of the root
 * fields, and writes their results as JSON text. The text of a page is sent as the database made it. graphql-js executes
 * introspection, and completes results that do not fit their types, or whose selection has a resolver of its own.
 */
export function createExecuteOperation(schema: GraphQLSchema, onGraphQLJs: OnGraphQLJs = () => {}): ExecuteOperation {
  return async ({ operation, sent, contextValue }) => {
    const checking = operation.checkedValues(contextValue, sent);
    const checked = checking instanceof Promise ? await checking : checking;
    if (checked.errors) return { errors: checked.errors, keys: [] };
    const { variableValues, fields } = checked;
    const { responseSize, slices = new EventLoopSlices() } = contextValue;
    return await executeFields(fields, {
      schema,
      operation,
      contextValue,
      variableValues,
      responseSize,
      slices,
      onGraphQLJs,
      errors: [],
    });
  };
}

async function executeFields(fields: readonly RootField[], execution: Execution): Promise<OperationResult> {
  const { operation, errors } = execution;
  const keys = fields.flatMap(({ key, field }) => (field ? [key] : []));
  try {
    const texts = operation.isMutation
      ? await inOrder(fields, execution)
      : fields.length === 1
        ? [await fieldText(fields[0]!, execution)]
        : await Promise.all(fields.map(async (field) => await fieldText(field, execution)));
    if (errors.length > 0 && texts.every((text) => text === null))
      return { keys, errors, data: Object.fromEntries(fields.map(({ key }) => [key, null])) };
    const members = fields.map(({ key }, index) => `"${key}":${texts[index] ?? 'null'}`);
    return { keys, ...(errors.length > 0 && { errors }), data: new JsonText(`{${members.join(',')}}`) };
  } catch (error) {
    if (error instanceof NonNullFieldFailed) return { keys, errors: [...errors, ...error.errors], data: null };
    throw error;
  }
}

async function inOrder(fields: readonly RootField[], execution: Execution): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for (const field of fields) texts.push(await fieldText(field, execution));
  return texts;
}

/** The text of the result of a root field. Null if the field failed. */
async function fieldText(root: RootField, execution: Execution): Promise<string | null> {
  const { key, field, completer } = root;
  const { responseSize } = execution;
  let value: unknown;
  try {
    if (field) value = await resolved(root, field, execution);
    else if (!completer) return await textByGraphQLJs(root, null, execution);
  } catch (error) {
    if (error instanceof NonNullFieldFailed) throw error;
    return failedField(root, error, execution);
  }
  try {
    responseSize?.write(key.length + KEY_SYNTAX_BYTES);
    if (!completer) throw new FallBackToGraphQLJs();
    const text = textOf(root, completer, value, execution);
    return typeof text === 'string' ? text : await text;
  } catch (error) {
    // graphql-js reports what is wrong with the value.
    if (error instanceof FallBackToGraphQLJs || error instanceof GraphQLError)
      return await textByGraphQLJs(root, { value }, execution);
    return failedField(root, error, execution);
  }
}

function resolved(
  { key, nodes, called, completer, selection }: RootField,
  field: NonNullable<RootField['field']>,
  execution: Execution,
): unknown {
  const { schema, operation, variableValues, contextValue, responseSize } = execution;
  const { fragments } = operation.executed;
  const args = getArgumentValues(called ?? field, nodes[0]!, variableValues);
  const info = { schema, fragments, variableValues, fieldNodes: nodes, path: { key }, selection };
  if (!operation.isMutation) return field.resolve!(undefined, args, contextValue, info as unknown as PlannedInfo);
  const beforeCommit = (value: unknown): void => {
    if (responseSize && completer)
      responseSize.checkWrite(key.length + KEY_SYNTAX_BYTES + resultBytes(completer, value, responseSize.maxBytes));
    contextValue.beforeCommit?.(value);
  };
  return field.resolve!(undefined, args, { ...contextValue, beforeCommit }, info as unknown as PlannedInfo);
}

function failedField({ key, nodes, field }: RootField, error: unknown, { errors }: Execution): null {
  const located = locatedError(error, nodes, [key]);
  if (field && isNonNullType(field.type)) throw new NonNullFieldFailed([located]);
  errors.push(located);
  return null;
}

async function textByGraphQLJs(root: RootField, settled: Settled | null, execution: Execution): Promise<string | null> {
  const { schema, errors, responseSize, onGraphQLJs } = execution;
  onGraphQLJs(root.field ? 'result' : 'introspection');
  const { data, errors: found = [] } = await executeByGraphQLJs(schema, root, settled, execution);
  if (!data) throw new NonNullFieldFailed(found);
  errors.push(...found);
  const value = data[root.key];
  if (value === null && found.length > 0) return null;
  const text = JSON.stringify(value);
  responseSize?.write(Buffer.byteLength(text));
  return text;
}

function textOf(
  { members }: RootField,
  completer: NonNullable<RootField['completer']>,
  value: unknown,
  { responseSize, slices }: Execution,
): string | Promise<string> {
  const page = value as PageWithText | null | undefined;
  if (!members || page?.json === undefined) return writeText(completer, value, responseSize, slices);
  const texts = members.map((member) => `"${member.key}":${memberText(member, page, responseSize)}`);
  return `{${texts.join(',')}}`;
}

/** A field of a page. All of them but the records are scalars. */
function memberText(
  { key, name, completer }: PageMember,
  page: PageWithText,
  responseSize: ResponseSize | undefined,
): string {
  responseSize?.write(key.length + KEY_SYNTAX_BYTES);
  if (completer) return writeLeaf(completer, page[name], responseSize);
  responseSize?.write(page.json!.bytes);
  return page.json!.text;
}
