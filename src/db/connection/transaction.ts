import { sql } from 'drizzle-orm';
import { translateConstraint } from '../errors/constraint-violation.ts';
import { isUndone } from '../errors/database-error.ts';
import type { DatabaseContext } from './database.ts';
import { limitTransaction, withoutStatement } from '../../limits/transaction-limit.ts';

const MAX_ATTEMPTS = 3;
/**
 * `updatedAt` is the start of the transaction, but others see the change when it is committed, which may take seconds
 * after this limit. The SDL tells clients that ask for newer records to go back two minutes (type Query).
 */
const MAX_TRANSACTION_MS = 60_000;

/**
 * Runs `work` in a transaction, or in a savepoint if `ctx` is in one already. The `ctx` passed on replaces the outer
 * one. If PostgreSQL ends it because of a deadlock, `work` is run again. That does not help a savepoint whose outer
 * transaction holds one of the locks: then the error is thrown, and the request is refused. A transaction that takes longer
 * than `maxMs` is rolled back with TIMEOUT: no further statement is sent.
 */
export async function inTransaction<C extends DatabaseContext, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
  maxMs = MAX_TRANSACTION_MS,
): Promise<T> {
  const once = async (): Promise<T> =>
    await ctx.db.transaction(async (transaction) => {
      const refuseLate = limitTransaction(transaction, maxMs);
      const result = await recorded({ ...ctx, db: transaction }, work);
      refuseLate();
      return result;
    });
  try {
    return await retryUndone(once);
  } catch (error) {
    throw translateConstraint(withoutStatement(error));
  }
}

/**
 * Names the origin of the changes once for each transaction; savepoints are parts of it. `work` does not wait for it: its
 * statements follow on the same connection.
 */
async function recorded<C extends DatabaseContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  if (!ctx.origin || ctx.changeTransactionId !== undefined) return await work(ctx);
  const { id, sent } = ctx.origin.begin(ctx);
  const [begun, worked] = await Promise.allSettled([sent, work({ ...ctx, changeTransactionId: id })]);
  // The later error is only that the transaction has failed.
  if (begun.status === 'rejected') throw begun.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

/** Runs `work`, a statement or a transaction, again if the database has undone it because of another transaction. */
export async function retryUndone<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isUndone(error)) throw error;
    }
  }
}

/**
 * Runs `work` in a transaction that reads one snapshot and cannot write. It may take any time: the time limit of
 * `inTransaction` is for changes, which hold locks.
 */
export async function inSnapshot<C extends DatabaseContext, T>(ctx: C, work: (ctx: C) => Promise<T>): Promise<T> {
  return await ctx.db.transaction(async (transaction) => {
    await transaction.execute('set transaction isolation level repeatable read read only');
    return await work({ ...ctx, db: transaction });
  });
}

/**
 * Like `inSnapshot`, for output that is written while it is read: the transaction may also be idle for any time, since the
 * reader may pause. Only for commands, because the snapshot and its connection are held meanwhile.
 */
export async function inPausableSnapshot<C extends DatabaseContext, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
): Promise<T> {
  return await inSnapshot(ctx, async (ctx) => {
    await ctx.db.execute('set local idle_in_transaction_session_timeout = 0');
    return await work(ctx);
  });
}

/** A result, and whether the transaction is committed. */
export type Tentative<T> = { readonly result: T; readonly isLasting: boolean };

/**
 * Runs `work` in a transaction that is committed or rolled back as the result says. Returns the result in both cases.
 */
export async function inTentativeTransaction<C extends DatabaseContext, T>(
  ctx: C,
  work: (ctx: C) => Promise<Tentative<T>>,
  maxMs?: number,
): Promise<T> {
  const tentative = async (ctx: C): Promise<T> => {
    const { result, isLasting } = await work(ctx);
    if (!isLasting) throw new RolledBack(result);
    return result;
  };
  try {
    return await inTransaction(ctx, tentative, maxMs);
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T;
    throw error;
  }
}

/** Runs `work` in a transaction that is rolled back. The setting tells triggers that no worker will be notified. */
export async function inDryRun<C extends DatabaseContext, T>(
  ctx: C,
  work: (ctx: C) => Promise<T>,
  maxMs?: number,
): Promise<T> {
  const rolledBack = async (ctx: C): Promise<Tentative<T>> => {
    await ctx.db.execute(sql`select set_config('commerce.is_dry_run', 'on', true)`);
    return { result: await work(ctx), isLasting: false };
  };
  return await inTentativeTransaction(ctx, rolledBack, maxMs);
}

class RolledBack extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('The transaction is undone as its work asked for.');
    this.result = result;
  }
}
