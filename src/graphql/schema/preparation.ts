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
import { collectFields, fragmentsOf, isIncluded, responseKey, type Visit } from '../document/collect-fields.ts';
import { largestListSize, variableIssues } from '../input/arguments.ts';

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

/** The part of an operation that runs before the transaction of the request. */
export type Preparation = {
  readonly prepare: Prepare<any, unknown>;
  /** Whether it sends a request to another host that has an effect, which cannot be rolled back. */
  readonly sends: boolean;
};

/** The results of preparations, by response key. */
export type Preparations = ReadonlyMap<string, PromiseSettledResult<unknown>>;

type PreparedContext = Context & { readonly prepared?: Preparations };
type RequestedOperation = { readonly document: DocumentNode; readonly operation: OperationDefinitionNode };
type Variables = Record<string, unknown> | null;

/**
 * A resolver of an operation that waits for other hosts. In a request with a transaction of its own, `prepare` waits
 * before the transaction begins, and `resolve` gets its result. Otherwise `resolve` gets undefined, and the operation
 * waits itself before it begins a transaction.
 */
export function preparedResolver<Args, Prepared, Result>(
  prepare: Prepare<Args, Prepared>,
  resolve: Resolve<Args, Prepared, Result>,
  { sends = false }: { sends?: boolean } = {},
): Resolver<Args, Result> {
  const preparation: Preparation = { prepare, sends };
  // makeExecutableSchema copies both members to the field.
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

/** Adds the results of preparations to the context, where the resolvers read them. */
export function withPreparations(ctx: Context, prepared: Preparations): PreparedContext {
  return { ...ctx, prepared };
}

/** Whether a root field of the operation waits for other hosts. */
export function hasPreparation(schema: GraphQLSchema, requested: RequestedOperation): boolean {
  return mutations(schema, requested).some(({ preparation }) => preparation !== undefined);
}

/** Refuses an operation with two root fields that send. */
export function checkSingleSender(schema: GraphQLSchema, requested: RequestedOperation): void {
  const [, another] = mutations(schema, requested).filter(({ preparation }) => preparation?.sends);
  if (another)
    throw argumentInvalid([{ path: [another.key], message: `${another.field.name} may be called once in a document` }]);
}

export type PrepareOperations = (
  ctx: Context,
  requested: RequestedOperation,
  variables: Variables,
  isDryRun: boolean,
) => Promise<Preparations>;

/**
 * Prepares the root fields of a mutation concurrently, for requests with an idempotency key and for dry runs. Prepares
 * nothing if variables are invalid: execution reports them.
 */
export function createPrepareOperations(schema: GraphQLSchema): PrepareOperations {
  const maxListSize = largestListSize(schema);
  return async (ctx, requested, variables, isDryRun) => {
    const selected = mutations(schema, requested);
    checkSender(selected, isDryRun);
    if (!selected.some(({ preparation }) => preparation)) return new Map();
    if ((await variableIssues(ctx, variables ?? {}, maxListSize)).length > 0) return new Map();
    const { variableValues, errors } = getVariableValues(
      schema,
      requested.operation.variableDefinitions ?? [],
      variables ?? {},
      { maxErrors: 1 },
    );
    if (errors) return new Map();
    const included = mutations(
      schema,
      requested,
      (node) => node.kind === 'FragmentDefinition' || isIncluded(node, variableValues),
    );
    const prepared = included.flatMap(({ preparation, ...mutation }) =>
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

/** The root fields of a mutation, one per response key; none of a query. `visit` may leave out fields. */
function mutations(schema: GraphQLSchema, { document, operation }: RequestedOperation, visit?: Visit): RootMutation[] {
  if (operation.operation !== 'mutation') return [];
  const known = schema.getMutationType()?.getFields() ?? {};
  const byKey = Map.groupBy(collectFields([operation.selectionSet], fragmentsOf(document), visit), responseKey);
  return [...byKey].flatMap(([key, [node]]) => {
    const field = known[node!.name.value];
    return field
      ? [{ key, node: node!, field, preparation: field.extensions['preparation'] as Preparation | undefined }]
      : [];
  });
}

/**
 * Refuses a root field that sends in a dry run, and one that would send before root fields in front of it are executed.
 */
function checkSender(selected: readonly RootMutation[], isDryRun: boolean): void {
  const sender = selected.find(({ preparation }) => preparation?.sends);
  if (!sender) return;
  const {
    key,
    field: { name },
  } = sender;
  if (isDryRun) throw argumentInvalid([{ path: ['X-Dry-Run'], message: `cannot be used with ${name}, which sends` }]);
  if (sender !== selected[0])
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
