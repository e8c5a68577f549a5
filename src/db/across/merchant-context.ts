import { sql } from 'drizzle-orm';
import type { MerchantContext } from '../../context.ts';
import { type Database, type DatabaseContext, ofMerchant, withSending } from '../connection/database.ts';
import { SQLSTATE, sqlState } from '../errors/database-error.ts';
import type { Span } from '../../tracing/span.ts';

/** A merchant may hold its locks for a minute, and lock again at once. */
const LOCK_TIMEOUT = '1s';

/**
 * A context for work that the worker does for one merchant. The connection pool limits the connections that one merchant
 * uses, so statements that wait for a merchant's locks cannot occupy all connections.
 */
export function merchantContext(db: Database, merchantId: string, span: Span | null = null): MerchantContext {
  return { db: withSending(ofMerchant(db, merchantId, null, span), { admittedAtMs: null }), merchantId };
}

/** The same for the work of a periodic task, which may wait for a connection for any time. */
export function taskContext(db: Database, merchantId: string): MerchantContext {
  return { db: withSending(ofMerchant(db, merchantId), { admittedAtMs: Infinity }), merchantId };
}

/**
 * Lets statements of the current transaction fail that wait longer for a lock. For tasks that serve one merchant after the
 * other: without it, all others would wait until the statement timeout. Citus sends the setting on to the nodes of the
 * shards; plain PostgreSQL ignores Citus' setting.
 */
export async function limitLockWaits({ db }: DatabaseContext): Promise<void> {
  await db.execute(
    sql.raw(`
    set local citus.propagate_set_commands = 'local';
    set local lock_timeout = '${LOCK_TIMEOUT}';
    set local citus.propagate_set_commands = 'none'`),
  );
}

/** Whether a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === SQLSTATE.lockNotAvailable;
}
