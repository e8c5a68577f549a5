import { sql } from 'drizzle-orm';
import type { Database } from '../connection/database.ts';
import { column, readRows } from '../connection/read-rows.ts';

/** Privileges that the service needs and the current role lacks, such as `select on table product`. */
export async function missingRights(db: Database): Promise<string[]> {
  const rows = await readRows(
    { db },
    { right: column.text },
    sql`
    select privilege || ' on ' || object as "right" from missing_privileges(current_user) order by 1`,
  );
  return rows.map(({ right }) => right);
}

/** Privileges that statements over several merchants need and the role of this name lacks. */
export async function missingCrossMerchantRights(db: Database, role: string): Promise<string[]> {
  const rows = await readRows(
    { db },
    { right: column.text },
    sql`
    select privilege || ' on ' || object as "right" from missing_cross_merchant_privileges(${role}) order by 1`,
  );
  return rows.map(({ right }) => right);
}

/** Tables that the role of this name may write, although statements over several merchants only read. */
export async function writableTables(db: Database, role: string): Promise<string[]> {
  const rows = await readRows(
    { db },
    { name: column.text },
    sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and has_table_privilege(${role}::name, c.oid, 'insert, update, delete, truncate') order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Privileges of the current role that the service does not need. Empty for a serving role. */
export async function excessiveRights(db: Database): Promise<string[]> {
  const [found] = await readRows(
    { db },
    { isSuperuser: column.boolean, ownsTables: column.boolean, reachesFiles: column.boolean },
    sql`
    select role.rolsuper as "isSuperuser",
      exists (
        select from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and pg_has_role(role.oid, c.relowner, 'member')
      ) as "ownsTables",
      exists (
        select from pg_roles files
        where files.rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
          and pg_has_role(role.oid, files.oid, 'member')
      ) as "reachesFiles"
    from pg_roles role where role.rolname = current_user`,
  );
  // A superuser is a member of all roles, so the other checks say nothing.
  if (found!.isSuperuser) return ['it is a superuser'];
  return [
    ...(found!.ownsTables ? ['it owns the tables'] : []),
    ...(found!.reachesFiles ? ["it reaches files of the database's machine"] : []),
  ];
}

/**
 * What the current role may create, such as `temporary tables`. PUBLIC may by default, and `grant_serving_role` revokes it
 * only as the owner of the database.
 */
export async function creationRights(db: Database): Promise<string[]> {
  const rows = await readRows(
    { db },
    { what: column.text },
    sql`
    select what from (values
      ('temporary tables', has_database_privilege(current_database(), 'temporary')),
      ('schemas', has_database_privilege(current_database(), 'create')),
      ('tables in public', has_schema_privilege('public', 'create'))) as creation(what, may)
    where may`,
  );
  return rows.map(({ what }) => what);
}
