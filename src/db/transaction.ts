import type { Context } from '../context.ts';
import { translateConstraint } from './constraint.ts';
import { sqlState } from './sql-state.ts';

const DEADLOCK_TRIES = 3;
const RETRYABLE_SQLSTATES = ['40001', '40P01'];

/**
 * Runs `work` in one transaction, or in a savepoint when `ctx` is in one already. The context it
 * hands on shadows the outer one. A deadlock's victim is tried again.
 */
export async function inTransaction<C extends Pick<Context, 'db'>, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.db.transaction((transaction) => work({ ...ctx, db: transaction }));
    } catch (error) {
      if (attempt < DEADLOCK_TRIES && RETRYABLE_SQLSTATES.includes(sqlState(error) ?? '')) continue;
      throw translateConstraint(error);
    }
  }
}
