import {
  type DocumentNode,
  type FieldNode,
  getArgumentValues,
  getVariableValues,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Context } from '../../context.ts';
import { argumentInvalid } from '../../errors.ts';
import { longestList, variableIssues } from '../input/arguments.ts';
import { collectFields, fragmentsOf, isIncluded, responseKey, type Visit } from '../document/collect-fields.ts';

type Prepare<Args, Prepared> = (args: Args, ctx: Context) => Promise<Prepared>;
type Resolve<Args, Prepared, Result> = (
  prepared: Prepared | undefined,
  args: Args,
  ctx: Context,
  info: GraphQLResolveInfo,
) => Promise<Result>;
type Resolver<Args, Result> = {
  resolve(source: unknown, args: Args, ctx: Context, info: GraphQLResolveInfo): Promise<Result>;
};

/** What an operation does before the transaction of its request. */
export type Preparation = {
  readonly prepare: Prepare<any, unknown>;
  /** Whether it sends something, which can neither be undone nor stand in the transaction. */
  readonly sends: boolean;
};

/** What operations have prepared, or failed with, by their key in the answer. */
export type Preparations = ReadonlyMap<string, PromiseSettledResult<unknown>>;

const nothingPrepared: Preparations = new Map();

type PreparedContext = Context & { readonly prepared?: Preparations };
type Asked = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };
type Variables = Record<string, unknown> | null;

/**
 * A resolver of an operation that waits for other hosts. `prepare` does so before the request's transaction is
 * opened, and `resolve` gets what it found. Without such a transaction `resolve` gets undefined, and the
 * operation waits itself before it opens its own.
 */
export function prepared<Args, Prepared, Result>(
  prepare: Prepare<Args, Prepared>,
  resolve: Resolve<Args, Prepared, Result>,
  { sends = false }: { sends?: boolean } = {},
): Resolver<Args, Result> {
  const preparation: Preparation = { prepare, sends };
  // graphql-tools puts both members into the field of the schema.
  const resolver = {
    extensions: { preparation },
    resolve: async (_: unknown, args: Args, ctx: PreparedContext, info: GraphQLResolveInfo) => {
      const settled = ctx.prepared?.get(String(info.path.key));
      if (settled?.status === 'rejected') throw settled.reason;
      return await resolve(settled?.value as Prepared | undefined, args, ctx, info);
    },
  };
  return resolver;
}

/** The context for resolvers that find in it what was prepared. */
export function withPreparations(ctx: Context, prepared: Preparations): PreparedContext {
  return { ...ctx, prepared };
}

/** Whether an operation of the request waits for other hosts. */
export function hasPreparation(schema: GraphQLSchema, asked: Asked): boolean {
  return mutations(schema, asked).some(({ preparation }) => preparation !== undefined);
}

/** Refuses a request with two operations that send. */
export function checkSingleSender(schema: GraphQLSchema, asked: Asked): void {
  const [, another] = mutations(schema, asked).filter(({ preparation }) => preparation?.sends);
  if (another)
    throw argumentInvalid([{ path: [another.key], message: `${another.field.name} may be called once in a document` }]);
}

export type PrepareOperations = (
  ctx: Context,
  asked: Asked,
  variables: Variables,
  isDryRun: boolean,
) => Promise<Preparations>;

/**
 * Prepares the operations of a request with a key or of a dry run, all at once. What is wrong with variables and
 * arguments is left to execution to tell.
 */
export function createPrepareOperations(schema: GraphQLSchema): PrepareOperations {
  const longest = longestList(schema);
  return async (ctx, asked, variables, isDryRun) => {
    const written = mutations(schema, asked);
    checkSender(written, isDryRun);
    if (!written.some(({ preparation }) => preparation) || variableIssues(variables ?? {}, longest).length > 0)
      return nothingPrepared;
    const { variableValues, errors } = getVariableValues(
      schema,
      asked.operation.variableDefinitions ?? [],
      variables ?? {},
      { maxErrors: 1 },
    );
    if (errors) return nothingPrepared;
    const executed = collectMutations(
      schema,
      asked,
      (node) => node.kind === 'FragmentDefinition' || isIncluded(node, variableValues),
    );
    const prepared = executed.flatMap(({ preparation, ...mutation }) =>
      preparation ? [prepareMutation(ctx, mutation, preparation, variableValues)] : [],
    );
    return new Map(await Promise.all(prepared));
  };
}

type RootMutation = {
  readonly key: string;
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
  readonly preparation: Preparation | undefined;
};
type VariableValues = NonNullable<ReturnType<typeof getVariableValues>['variableValues']>;

/** All mutations of an operation, also those that a directive leaves out. */
const written = new WeakMap<OperationDefinitionNode, readonly RootMutation[]>();

function mutations(schema: GraphQLSchema, asked: Asked): readonly RootMutation[] {
  if (asked.operation.operation !== 'mutation') return [];
  const known = written.get(asked.operation);
  if (known) return known;
  const found = collectMutations(schema, asked);
  written.set(asked.operation, found);
  return found;
}

/** The mutations of a document, one for each key of the answer. `visit` may leave out what is not included. */
function collectMutations(schema: GraphQLSchema, { document, operation }: Asked, visit?: Visit): RootMutation[] {
  const known = schema.getMutationType()?.getFields() ?? {};
  const byKey = Map.groupBy(collectFields([operation.selectionSet], fragmentsOf(document), visit), responseKey);
  return [...byKey].flatMap(([key, [node]]) => {
    const field = known[node!.name.value];
    return field
      ? [{ key, node: node!, field, preparation: field.extensions['preparation'] as Preparation | undefined }]
      : [];
  });
}

/** Refuses what would be sent although nothing is to happen, or before operations that it is written behind. */
function checkSender(written: readonly RootMutation[], isDryRun: boolean): void {
  const sender = written.find(({ preparation }) => preparation?.sends);
  if (!sender) return;
  const {
    key,
    field: { name },
  } = sender;
  if (isDryRun) throw argumentInvalid([{ path: ['X-Dry-Run'], message: `cannot be used with ${name}, which sends` }]);
  if (sender !== written[0])
    throw argumentInvalid([
      { path: [key], message: `must be the first operation of a document that is sent with an Idempotency-Key` },
    ]);
}

async function prepareMutation(
  ctx: Context,
  { key, node, field }: Omit<RootMutation, 'preparation'>,
  { prepare }: Preparation,
  variableValues: VariableValues,
): Promise<[string, PromiseSettledResult<unknown>]> {
  const work = async (): Promise<unknown> => await prepare(getArgumentValues(field, node, variableValues), ctx);
  const [settled] = await Promise.allSettled([work()]);
  return [key, settled];
}
