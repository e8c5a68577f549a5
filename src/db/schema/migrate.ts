import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/postgres-js';
import { applyFunctions } from './apply-functions.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { connectOnce } from '../connection/connect.ts';
import type { Database } from '../connection/database.ts';
import { EarlierDatabaseError, MIGRATIONS, migrationState } from './migration-state.ts';
import { pendingFunctions } from './pending-functions.ts';
import { grantCrossMerchantRole, grantServingRole, roleOf } from './roles.ts';
import { cancelAutovacuums, lockAgainstWriters, retryLocked } from './schema-locks.ts';

/** The advisory lock of all versions: concurrent starts migrate one after the other. */
const MIGRATION_LOCK = 7_203_114_201;
/**
 * Writers wait for this transaction, so its locks must not outlast a process or a network that has stopped. Between two
 * statements it reads files, and on a busy machine it may wait for its turn.
 */
const IDLE_TIMEOUT = '5s';

/**
 * Migrates tables and functions as the owner, and grants the roles of `servingUrl` and `acrossUrl` access. Idempotent,
 * also when started concurrently. Writes nothing if nothing changed, so a read-only role can run it too.
 */
export async function migrate(
  ownerUrl: string,
  servingUrl: string = ownerUrl,
  acrossUrl: string = servingUrl,
): Promise<void> {
  const client = connectOnce(ownerUrl);
  const db = drizzle(client);
  const [owner, serving, across] = [roleOf(ownerUrl), roleOf(servingUrl), roleOf(acrossUrl)];
  try {
    await withLock(ownerUrl, async () => {
      await retryLocked(async (attempt) => await bringUpToDate(db, attempt));
      if (serving.name !== owner.name) await grantServingRole(db, serving);
      if (![owner.name, serving.name].includes(across.name)) await grantCrossMerchantRole(db, across);
    });
  } finally {
    await client.end();
  }
}

/**
 * Runs `work` while a transaction on another connection holds the migration lock. A lock of the session would not do:
 * behind a connection pooler each transaction may run in another session, and the lock would stay in one of the pool.
 */
async function withLock(url: string, work: () => Promise<void>): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.begin(async (transaction) => {
      // The transaction is idle during `work`. If the server limits idle transactions, it would release the lock early.
      await transaction`set local idle_in_transaction_session_timeout = 0`;
      await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
      await work();
    });
  } finally {
    await client.end();
  }
}

/**
 * Changes tables, functions and their journals in one transaction, if the database is older than this version. Tables are
 * locked only if they or their triggers change.
 */
async function bringUpToDate(db: Database, attempt: number): Promise<void> {
  const state = await migrationState(db);
  if (state === 'earlier') throw new EarlierDatabaseError();
  // Keep the tables and functions of a newer version, which may be running.
  if (state === 'newer') return;
  const pending = state === 'current' ? await pendingFunctions(db) : 'files';
  if (pending === 'none') return;
  const areTablesLocked = state !== 'empty' && pending === 'files';
  if (state !== 'empty') await checkOwner(db);
  if (areTablesLocked) await cancelAutovacuums(db, attempt);
  await db.transaction(async (transaction) => {
    await transaction.execute(sql.raw(`set local idle_in_transaction_session_timeout = '${IDLE_TIMEOUT}'`));
    // Citus only; plain PostgreSQL accepts any setting with a dot in its name.
    await transaction.execute(sql`set local citus.multi_shard_modify_mode = 'sequential'`);
    await transaction.execute(sql`set local citus.enable_unsafe_triggers = on`);
    if (state === 'empty') await createJournal(transaction);
    if (areTablesLocked) await lockAgainstWriters(transaction, attempt);
    if (state !== 'current') await applyMigrations(transaction);
    await applyFunctions(transaction, state !== 'current');
  });
}

/**
 * Throws 42501 for the serving role. It may lock tables, so without this each start of a node before `migrate` would make
 * the writers of other nodes wait, and only then fail.
 */
async function checkOwner(db: Database): Promise<void> {
  await db.execute(sql`delete from drizzle.applied_function where false`);
}

/** The journal of drizzle-kit's migrator, so that Drizzle's tools recognise it. */
async function createJournal(db: Database): Promise<void> {
  await db.execute(sql`create schema if not exists drizzle`);
  await db.execute(sql`
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key, hash text not null, created_at bigint
    )`);
  await db.execute(sql`
    create table drizzle.applied_function (name text primary key, hash text not null, version bigint not null)`);
}

async function applyMigrations(db: Database): Promise<void> {
  const [journal] = await readRows(
    { db },
    { newest: column.nullable(column.text) },
    sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
  );
  for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder: MIGRATIONS })) {
    if (folderMillis <= Number(journal!.newest ?? 0)) continue;
    for (const statement of statements) await db.execute(sql.raw(statement));
    await db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
