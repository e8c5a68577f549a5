import { sql } from 'drizzle-orm';
import type { DatabaseEnvironment } from '../../process/database-environment.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { isMigrated, migrationState } from '../../db/schema/migration-state.ts';
import {
  creationRights,
  excessiveRights,
  missingCrossMerchantRights,
  missingRights,
  writableTables,
} from '../../db/schema/privileges.ts';
import { roleOf } from '../../db/schema/roles.ts';
import { ownCommand } from '../../installation/own-command.ts';
import { argument, asOwner, Broken, identifier, superuserOf, type Warning } from './check.ts';
import type { Subject } from './subject.ts';

const MIGRATE = ownCommand('migrate');

/** Of an owner that is not configured, only name and password are unknown. */
function migrateAsOwner({ databaseUrl, ownerUrl, isEmbedded }: DatabaseEnvironment): string {
  if (isEmbedded || ownerUrl !== databaseUrl) return MIGRATE;
  const { host, pathname } = new URL(databaseUrl);
  return `MIGRATION_DATABASE_URL=postgres://OWNER:PASSWORD@${host}${pathname} ${MIGRATE}`;
}

/** For an owner that is configured, but may not create: only the administrator of the server can let it. */
function grantCreate(ownerUrl: string): string {
  const name = decodeURIComponent(new URL(ownerUrl).pathname.slice(1));
  const role = identifier(roleOf(ownerUrl).name);
  const statement =
    `grant create on database ${identifier(name)} to ${role}; ` + `grant usage, create on schema public to ${role}`;
  return `psql ${superuserOf(ownerUrl)} -d ${argument(name)} -c ${argument(statement)} && ${MIGRATE}`;
}

/** Before the first migration its owner has to be able to create; after it the serving role has to have its grants. */
export async function rights(subject: Subject): Promise<string> {
  const db = await subject.db();
  const environment = await subject.environment();
  if (await isMigrated(db)) {
    const missing = [...(await missingRights(db)), ...(await missingAcross(subject))];
    if (missing.length === 0) return 'all that the service needs';
    throw new Broken(`missing: ${missing.join(', ')}`, migrateAsOwner(environment));
  }
  const [owner] = await readRows(
    { db: await subject.ownerDb() },
    { mayCreate: column.boolean, name: column.text },
    sql`
    select has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create')
      as "mayCreate", current_user::text as name`,
  );
  if (!owner!.mayCreate)
    throw new Broken(
      `${(await migrationState(db)) === 'empty' ? 'there are no tables yet' : 'tables of this version are missing'}, and ${owner!.name} may not create them`,
      environment.ownerUrl === environment.databaseUrl
        ? migrateAsOwner(environment)
        : grantCreate(environment.ownerUrl),
    );
  return `${owner!.name} may create the tables`;
}

/** Excess privileges are a warning, because a single role for everything works too. */
export async function servingRole(subject: Subject): Promise<string | Warning> {
  const db = await subject.db();
  const serving = await excessiveRights(db);
  // An owner of the tables may create others too, and gets the same repair.
  const creation = serving.length === 0 ? await creationRights(db) : [];
  const across = await excessiveAcross(subject);
  const found = [...serving, ...creation.map((what) => `it may create ${what}`), ...across];
  if (found.length === 0) return 'may do what the service needs and no more';
  return {
    detail: `may do more than the service needs: ${found.join(', ')}; see "Database roles" in docs/running.md`,
    repair: creation.length > 0 ? await revokeCreation(subject) : await privilegeRepair(subject, serving),
  };
}

/** As the administrator of the server, because the owner of the tables need not own the database and then revokes nothing. */
async function revokeCreation(subject: Subject): Promise<string> {
  const { databaseUrl } = await subject.environment();
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  const roles = `public, ${identifier(roleOf(databaseUrl).name)}`;
  const statement =
    `revoke create, temporary on database ${identifier(name)} from ${roles}; ` +
    `revoke create on schema public from ${roles}`;
  return `psql ${superuserOf(databaseUrl)} -d ${argument(name)} -c ${argument(statement)}`;
}

/** A role of its own for the service, unless only the role for statements over several merchants has too many rights. */
async function privilegeRepair(subject: Subject, serving: readonly string[]): Promise<string> {
  const environment = await subject.environment();
  if (serving.length === 0) {
    const role = identifier((await acrossRole(subject))!);
    return asOwner(environment, `revoke insert, update, delete, truncate on all tables in schema public from ${role}`);
  }
  const { host, pathname } = new URL(environment.databaseUrl);
  const url = `postgres://commerce_serving:NEW_PASSWORD@${host}${pathname}`;
  const owner = environment.ownerUrl === environment.databaseUrl ? '"$DATABASE_URL"' : '"$MIGRATION_DATABASE_URL"';
  return `MIGRATION_DATABASE_URL=${owner} DATABASE_URL=${url} ${MIGRATE}   # then start the service with this DATABASE_URL`;
}

/** The role of CROSS_MERCHANT_DATABASE_URL, or null if the serving role does its work. */
async function acrossRole(subject: Subject): Promise<string | null> {
  const { databaseUrl, acrossUrl } = await subject.environment();
  return acrossUrl === databaseUrl ? null : roleOf(acrossUrl).name;
}

async function missingAcross(subject: Subject): Promise<string[]> {
  const role = await acrossRole(subject);
  if (role === null) return [];
  return (await missingCrossMerchantRights(await subject.db(), role)).map((right) => `${right} for ${role}`);
}

async function excessiveAcross(subject: Subject): Promise<string[]> {
  const role = await acrossRole(subject);
  if (role === null) return [];
  const writable = await writableTables(await subject.db(), role);
  return writable.length > 0 ? [`${role} may write tables, such as ${writable[0]}`] : [];
}
