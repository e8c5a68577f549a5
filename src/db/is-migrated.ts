import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Database } from './connect.ts';

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Whether the database has the tables of this version, or of a newer one. */
export async function isMigrated(db: Database): Promise<boolean> {
  const newest = readMigrationFiles({ migrationsFolder: MIGRATIONS }).at(-1)!;
  const [journal] = await db.execute<{ name: string | null }>(sql`select to_regclass('drizzle.__drizzle_migrations')::text as name`);
  if (!journal!.name) return false;
  const found = await db.execute(sql`select from drizzle.__drizzle_migrations where created_at >= ${newest.folderMillis} limit 1`);
  return found.length > 0;
}
