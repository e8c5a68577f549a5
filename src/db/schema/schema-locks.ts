import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';

/** How long a migration waits for transactions that write, while new ones wait for it: their statements time out later. */
const WRITERS_TIMEOUT = '3s';
/** Shorter than PostgreSQL's default `deadlock_timeout`, so that a deadlock ends the migration and no other transaction. */
const LOCK_TIMEOUT = '500ms';
/** Longer than `deadlock_timeout`: only then does PostgreSQL cancel an autovacuum that is in the way. */
const VACUUM_LOCK_TIMEOUT = '3s';
const PAUSE_MS = 3_000;
/** With the waits and pauses above, these take up to about ten minutes. */
const MAX_ATTEMPTS = 100;
const LOCKED = [SQLSTATE.lockNotAvailable, SQLSTATE.deadlockDetected];

/** Repeats `work` that other transactions keep from locking a table: between two attempts they can write. */
export async function retryLocked(work: (attempt: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!LOCKED.includes(sqlState(error) ?? '')) throw error;
      if (attempt === MAX_ATTEMPTS)
        throw new Error('Open transactions have locked tables for ten minutes: pg_stat_activity lists them.', {
          cause: error,
        });
    }
    await wait(PAUSE_MS);
  }
}

/**
 * In every fourth attempt, makes PostgreSQL cancel the autovacuums that the migration would wait for. Each table is locked
 * alone, in a transaction of its own: with more than one, plain SQL could lose a deadlock against this longer wait.
 */
export async function cancelAutovacuums(db: Database, attempt: number): Promise<void> {
  if (attempt % 4 !== 3) return;
  for (const name of await tablesWithTriggers(db))
    await db.transaction(async (transaction) => {
      await transaction.execute(sql.raw(lockOf([name], VACUUM_LOCK_TIMEOUT)));
    });
}

/**
 * Locks all tables that have triggers of the service against writers, but not against readers such as pg_dump. A
 * transaction of the service writes change_transaction before other tables. So when that table is locked, the earlier
 * transactions have ended, and new ones wait without any lock. A statement of plain SQL locks its own table first. If
 * such statements follow each other without a pause, only an attempt that locks the other tables first, as they do, can
 * succeed: every second attempt does.
 */
export async function lockAgainstWriters(db: Database, attempt: number): Promise<void> {
  const inOrderOfService = attempt % 2 === 1 ? lockOf(['change_transaction'], WRITERS_TIMEOUT) : '';
  const locks = lockOf(await tablesWithTriggers(db), LOCK_TIMEOUT);
  // One message: a statement of plain SQL that begins between two locks would hold its table.
  await db.execute(sql.raw(inOrderOfService + locks));
}

async function tablesWithTriggers(db: Database): Promise<string[]> {
  const tables = await readRows(
    { db },
    { name: column.text },
    sql`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace
      and exists (
        select from pg_trigger t
        join pg_proc p on p.oid = t.tgfoid and p.pronamespace = c.relnamespace
        join drizzle.applied_function f on f.name = p.proname
        where t.tgrelid = c.oid)
    order by c.relname = 'change_transaction', c.relname`,
  );
  return tables.map(({ name }) => name);
}

function lockOf(tables: readonly string[], timeout: string): string {
  return `set local lock_timeout = '${timeout}'; lock table ${tables.join(', ')} in share row exclusive mode;`;
}
