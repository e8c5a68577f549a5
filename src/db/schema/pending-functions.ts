import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';
import { functionFiles, functionsTime } from './function-files.ts';

/** `time`: the files are applied, but the database does not know yet that their version is the latest. */
type Pending = 'none' | 'time' | 'files';

/**
 * What the database lacks. It lacks nothing if it has the functions of a later version: this version can use them, and
 * processes of the later one may be running.
 */
export async function pendingFunctions(db: Database): Promise<Pending> {
  const { changed, gone, appliedTime } = await functionDifferences(db);
  const time = functionsTime();
  if (appliedTime > time) return 'none';
  if (changed.length > 0 || gone.length > 0) return 'files';
  return appliedTime < time ? 'time' : 'none';
}

/** The files, and where the database has other functions than they. */
export async function functionDifferences(db: Database) {
  const files = functionFiles();
  const rows = await readRows(
    { db },
    { name: column.text, hash: column.text, version: column.number },
    sql`select name, hash, version::float8 as version from drizzle.applied_function`,
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const names = new Set(files.map(({ name }) => name));
  return {
    files,
    changed: files.filter(({ name, hash }) => applied.get(name) !== hash),
    gone: [...applied.keys()].filter((name) => !names.has(name)),
    appliedTime: Math.max(0, ...rows.map(({ version }) => version)),
  };
}
