import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/postgres-js';
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator';
import { connectOnce } from './connect.ts';

/** One number for all versions of this service: two that start at once migrate one after the other. */
const MIGRATION_LOCK = 7_203_114_201;
export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Brings the database to this version's tables. Doing it again, or twenty times at once, changes nothing. */
export async function migrate(url: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await applyMigrations(drizzle(client), { migrationsFolder: MIGRATIONS });
  } finally {
    await client.end();
  }
}
