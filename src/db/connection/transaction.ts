import type { Context } from '../../context.ts';
import { translateConstraint } from '../errors/constraint-violation.ts';
import { sqlState } from '../errors/sql-state.ts';

const MAX_DEADLOCK_ATTEMPTS = 3;
const RETRYABLE_SQLSTATES = ['40001', '40P01'];

/**
 * Runs `work` in one transaction, or in a savepoint when `ctx` is in one already. The context it
 * hands on shadows the outer one. A deadlock's victim is tried again.
 */
export async function inTransaction<C extends Pick<Context, 'db'>, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction((transaction) => work({ ...ctx, db: transaction }));
    } catch (error) {
      if (attempt < MAX_DEADLOCK_ATTEMPTS && RETRYABLE_SQLSTATES.includes(sqlState(error) ?? '')) continue;
      throw translateConstraint(error);
    }
  }
}

/** What work in a transaction came to, and whether its effect is to stay. */
export type Tentative<T> = { readonly result: T; readonly isLasting: boolean };

/** Runs `work` in one transaction that is committed, or undone when its effect is not to last. Its result is answered either way. */
export async function inTentativeTransaction<C extends Pick<Context, 'db'>, T>(
  ctx: C,
  work: (ctx: C) => Promise<Tentative<T>>,
): Promise<T> {
  try {
    return await inTransaction(ctx, async (ctx) => {
      const { result, isLasting } = await work(ctx);
      if (!isLasting) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('The transaction is undone as its work asked for.');
    this.result = result;
  }
}
