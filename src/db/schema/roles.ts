import { sql } from 'drizzle-orm';
import { column, readRows } from '../connection/read-rows.ts';
import type { Database } from '../connection/database.ts';

export type Role = { name: string; password: string };

/** The role in a connection URL. */
export function roleOf(url: string): Role {
  const { username, password } = new URL(url);
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/** Creates a login role without privileges, or sets the password of an existing one. */
export async function createServingRole(owner: Database, { name, password }: Role): Promise<void> {
  const verb = (await exists(owner, name)) ? 'alter' : 'create';
  // Neither statement accepts parameters.
  const [row] = await readRows(
    { db: owner },
    { statement: column.text },
    sql`
    select format(${`${verb} role %I login password %L`}::text, ${name}::text, ${password}::text) as "statement"`,
  );
  await owner.execute(sql.raw(row!.statement));
}

/** Grants the role what the service needs. Writes nothing if it has that already. */
export async function grantServingRole(owner: Database, role: Role): Promise<void> {
  if (!(await exists(owner, role.name))) await createServingRole(owner, role);
  await owner.execute(sql`select grant_serving_role(${role.name})`);
}

/** Grants the role what statements over several merchants read. Writes nothing if it has that already. */
export async function grantCrossMerchantRole(owner: Database, role: Role): Promise<void> {
  if (!(await exists(owner, role.name))) await createServingRole(owner, role);
  await owner.execute(sql`select grant_cross_merchant_role(${role.name})`);
}

async function exists(db: Database, name: string): Promise<boolean> {
  return (await db.execute(sql`select from pg_roles where rolname = ${name}`)).length === 1;
}
