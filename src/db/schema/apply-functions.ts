import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { column, readRows } from '../connection/read-rows.ts';
import type { Database } from '../connection/database.ts';
import { MIGRATIONS } from './migration-state.ts';
import { sqlState } from '../errors/sql-state.ts';

const FOLDER = join(MIGRATIONS, 'functions');
/** Statements are split as in migrations, because Citus forwards one statement at a time. */
const STATEMENT_END = '--> statement-breakpoint';
/** CREATE OR REPLACE refuses a changed result type or parameter name. */
const INVALID_FUNCTION_DEFINITION = '42P13';

type FunctionFile = { name: string; statements: string[]; hash: string };

/**
 * A function or one of its triggers. `version` changes whenever it is replaced. A constraint trigger is not replaced: its
 * file creates it only if it is missing.
 */
type Part = { drop: string; version: string; isReplaced: boolean };

/** Whether the database has the functions of the files. */
export async function areFunctionsApplied(db: Database): Promise<boolean> {
  const { changed, gone } = await differences(db);
  return changed.length === 0 && gone.length === 0;
}

/**
 * Applies changed files; after a migration all files, because recreated tables lose their triggers. Drops functions
 * and triggers that no file contains.
 */
export async function applyFunctions(db: Database, areTablesNew: boolean): Promise<void> {
  const { files, changed, gone } = await differences(db);
  // Functions may refer to functions of later files.
  await db.execute(sql`set local check_function_bodies = off`);
  for (const file of areTablesNew ? files : changed) await apply(db, file);
  for (const name of gone) {
    await drop(db, await partsOf(db, name));
    await db.execute(sql`delete from drizzle.applied_function where name = ${name}`);
  }
}

async function differences(db: Database): Promise<{ files: FunctionFile[]; changed: FunctionFile[]; gone: string[] }> {
  const files = functionFiles();
  const rows = await readRows(
    { db },
    { name: column.text, hash: column.text },
    sql`select name, hash from drizzle.applied_function`,
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const names = new Set(files.map(({ name }) => name));
  return {
    files,
    changed: files.filter(({ name, hash }) => applied.get(name) !== hash),
    gone: [...applied.keys()].filter((name) => !names.has(name)),
  };
}

/** A file contains the function it is named after and the triggers that call it. */
function functionFiles(): FunctionFile[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return {
        name: file.replace(/\.sql$/, ''),
        statements: text.split(STATEMENT_END),
        hash: createHash('sha256').update(text).digest('hex'),
      };
    });
}

async function apply(db: Database, { name, statements, hash }: FunctionFile): Promise<void> {
  const before = await partsOf(db, name);
  try {
    await db.transaction(async (savepoint) => await execute(savepoint, statements));
  } catch (error) {
    if (sqlState(error) !== INVALID_FUNCTION_DEFINITION) throw error;
    await drop(db, before);
    await execute(db, statements);
  }
  const known = new Set(before.map(({ version }) => version));
  await drop(
    db,
    (await partsOf(db, name)).filter(({ version, isReplaced }) => isReplaced && known.has(version)),
  );
  await db.execute(sql`
    insert into drizzle.applied_function (name, hash) values (${name}, ${hash})
    on conflict (name) do update set hash = excluded.hash`);
}

/** Triggers before the functions they depend on. */
async function partsOf(db: Database, name: string): Promise<Part[]> {
  return await readRows(
    { db },
    { drop: column.text, version: column.text, isReplaced: column.boolean },
    sql`
    with named as (
      select p.oid, p.xmin, p.ctid from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = ${name}
    )
    select format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as drop,
      concat_ws(' ', t.oid, t.xmin, t.ctid) as version, t.tgconstraint = 0 as "isReplaced"
    from named join pg_trigger t on t.tgfoid = named.oid
    union all
    select format('drop function %s', named.oid::regprocedure), concat_ws(' ', named.oid, named.xmin, named.ctid), true
      from named`,
  );
}

async function drop(db: Database, parts: readonly Part[]): Promise<void> {
  await execute(
    db,
    parts.map((part) => part.drop),
  );
}

async function execute(db: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.execute(sql.raw(statement));
}
