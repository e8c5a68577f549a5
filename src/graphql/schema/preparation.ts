import type { GraphQLField } from 'graphql';
import type { Context } from '../../context.ts';
import type { PlannedInfo } from '../plan/selection.ts';

type Prepare<Args, Prepared> = (args: Args, ctx: Context) => Promise<Prepared>;
type Resolve<Args, Prepared, Result> = (
  prepared: Prepared | undefined,
  args: Args,
  ctx: Context,
  info: PlannedInfo,
) => Promise<Result>;
type Resolver<Args, Result> = {
  resolve(source: unknown, args: Args, ctx: Context, info: PlannedInfo): Promise<Result>;
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
    resolve: async (_: unknown, args: Args, ctx: PreparedContext, info: PlannedInfo) => {
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

/** The preparation of an operation; undefined if it waits for no other host. */
export function preparationOf({ extensions }: GraphQLField<unknown, unknown>): Preparation | undefined {
  return extensions['preparation'] as Preparation | undefined;
}
