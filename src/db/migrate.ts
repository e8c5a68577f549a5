import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connectOnce } from './connect.ts';
import { isMigrated, MIGRATIONS } from './is-migrated.ts';
import { grantServingRole, roleOf } from './serving-role.ts';

/** One number for all versions of this service: two that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_203_114_201;

/**
 * Brings the database to this version's tables, as their owner, and lets the role of `servingUrl` work with
 * them. Doing it again, or twenty times at once, changes nothing; a role that may not change anything can
 * therefore do it too, when nothing is to be done.
 */
export async function migrate(ownerUrl: string, servingUrl: string = ownerUrl): Promise<void> {
  const client = connectOnce(ownerUrl);
  const db = drizzle(client);
  const serving = roleOf(servingUrl);
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    if (!(await isMigrated(db))) await applyMigrations(db, { migrationsFolder: MIGRATIONS });
    if (serving.name !== roleOf(ownerUrl).name) await grantServingRole(db, serving);
  } finally {
    await client.end();
  }
}
