import { sql } from 'drizzle-orm';
import { column, readRows } from '../connection/read-rows.ts';
import type { Database } from '../connection/database.ts';
import { textArray } from '../sql/parameter.ts';
import { type FunctionFile, functionsTime } from './function-files.ts';
import { functionDifferences } from './pending-functions.ts';
import { sqlState } from '../errors/database-error.ts';

/** CREATE OR REPLACE refuses a changed result type or parameter name. */
const INVALID_FUNCTION_DEFINITION = '42P13';

/** On a cluster each statement is a message of its own. */
type Target = { db: Database; isCluster: boolean };

/**
 * A function or one of its triggers; `name` is the function's. `version` changes whenever it is replaced. A constraint
 * trigger is not replaced: its file creates it only if it is missing.
 */
type Part = { name: string; drop: string; version: string; isReplaced: boolean };

/**
 * Applies changed files; after a migration all files, because recreated tables lose their triggers. Drops functions
 * and triggers that no file contains.
 */
export async function applyFunctions(db: Database, areTablesNew: boolean): Promise<void> {
  const { files, changed, gone } = await functionDifferences(db);
  const written = areTablesNew ? files : changed;
  const names = [...written.map(({ name }) => name), ...gone];
  // Functions may refer to functions of later files.
  await db.execute(sql`set local check_function_bodies = off`);
  const target = { db, isCluster: await isCluster(db) };
  const before = await partsOf(db, names);
  await apply(target, written, before);
  const known = new Set(before.map(({ version }) => version));
  const after = await partsOf(db, names);
  const isFormer = ({ name, version, isReplaced }: Part) => gone.includes(name) || (isReplaced && known.has(version));
  await drop(target, after.filter(isFormer));
  await record(db, files);
}

async function isCluster(db: Database): Promise<boolean> {
  return (await db.execute(sql`select where has_citus()`)).length > 0;
}

/**
 * Applies the files together, because writers wait for each round trip. If that fails, applies each half by itself: a
 * function with another result or other parameters needs the former one dropped, and the error of a file that cannot be
 * applied has the text of that file only.
 */
async function apply(target: Target, files: readonly FunctionFile[], before: readonly Part[]): Promise<void> {
  const statements = files.flatMap((file) => file.statements);
  try {
    await target.db.transaction(async (db) => await execute({ ...target, db }, statements));
  } catch (error) {
    if (files.length > 1) {
      const half = Math.ceil(files.length / 2);
      for (const part of [files.slice(0, half), files.slice(half)]) await apply(target, part, before);
      return;
    }
    if (sqlState(error) !== INVALID_FUNCTION_DEFINITION) throw error;
    await drop(
      target,
      before.filter(({ name }) => name === files[0]!.name),
    );
    await execute(target, statements);
  }
}

/** Triggers before the functions they depend on. */
async function partsOf(db: Database, names: readonly string[]): Promise<Part[]> {
  return await readRows(
    { db },
    { name: column.text, drop: column.text, version: column.text, isReplaced: column.boolean },
    sql`
    with named as (
      select p.oid, p.proname, p.xmin, p.ctid from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname = any(${textArray(names)})
    )
    select named.proname::text as name, format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as drop,
      concat_ws(' ', t.oid, t.xmin, t.ctid) as version, t.tgconstraint = 0 as "isReplaced"
    from named join pg_trigger t on t.tgfoid = named.oid
    union all
    select proname::text, format('drop function %s', oid::regprocedure), concat_ws(' ', oid, xmin, ctid), true from named`,
  );
}

async function drop(target: Target, parts: readonly Part[]): Promise<void> {
  await execute(
    target,
    parts.map((part) => part.drop),
  );
}

async function execute({ db, isCluster }: Target, statements: readonly string[]): Promise<void> {
  const messages = isCluster || statements.length === 0 ? statements : [statements.join(';\n')];
  for (const message of messages) await db.execute(sql.raw(message));
}

/** Writes which functions the database has now, and the version that they are of. */
async function record(db: Database, files: readonly FunctionFile[]): Promise<void> {
  const rows = JSON.stringify(files.map(({ name, hash }) => ({ name, hash })));
  await db.execute(sql`delete from drizzle.applied_function`);
  await db.execute(sql`
    insert into drizzle.applied_function (name, hash, version)
    select name, hash, ${String(functionsTime())}::bigint from json_to_recordset(${rows}::json) as file(name text, hash text)`);
}
