import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { inject } from 'vitest';
import { connect, type Connection, connectOnce } from '../../src/db/connection/connect.ts';
import type { Database } from '../../src/db/connection/database.ts';
import type { AcrossMerchants } from '../../src/db/connection/across-merchants.ts';
import { connectAcross } from '../../src/db/connection/connect-for-work.ts';
import { CLUSTER, PLAIN, type Placement } from '../../src/db/connection/placement.ts';
import { createContext } from './context.ts';
import { databaseUrl } from './database-url.ts';

/** `db` and `url` are for the serving role, so that tests find missing privileges. */
export type TestDatabase = Connection & {
  url: string;
  ownerUrl: string;
  /** The URL for the role of `across`. */
  acrossUrl: string;
  placement: Placement;
  /** Executes the statements of CROSS_MERCHANT_STATEMENTS, which on a cluster fail with `db`. */
  across: AcrossMerchants;
  /** For statements that the service never sends: definitions, TRUNCATE, the queue's tables. Connects at first use. */
  owner: Database;
  /** All statements sent through `db`, for tests that check them. */
  statements: string[];
  /** All statements sent through `across`. */
  acrossStatements: string[];
  drop(): Promise<void>;
};

/** PostgreSQL copies the files of the template. By default it writes each page to the WAL, which takes twice the CPU. */
const COPIED = 'strategy file_copy';

const acrossByDb = new WeakMap<Database, AcrossMerchants>();

/** The `across` of a database, for tests that have only its `db`. */
export function acrossOf(db: Database): AcrossMerchants {
  return acrossByDb.get(db)!;
}

type DatabaseAddress = Pick<TestDatabase, 'url' | 'ownerUrl' | 'acrossUrl' | 'drop'>;

const owners = new WeakMap<Database, Database>();

/** The owner's connection to the database of a test's `db`. */
export function ownerOf(db: Database): Database {
  return owners.get(db)!;
}

/**
 * Writes rows as the owner without triggers: many rows without their changes, events and prices. The owner on a cluster
 * may not turn triggers off, so there they are written with them.
 */
export async function withoutTriggers(owner: Database, write: (owner: Database) => Promise<unknown>): Promise<void> {
  if (inject('isCluster')) return void (await write(owner));
  await owner.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`);
    await write(transaction);
  });
}

/** Creates a database for the test file, as a copy of the migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  if (!inject('isCluster')) return openDatabase(await copyTemplate());
  const database = openDatabase(sharedDatabase());
  // The start of a service refuses a key that opens none of the newest secrets: those of other files may have other keys.
  await createContext(database.db);
  return database;
}

/** Connects to a database that is migrated already. */
export function openDatabase({ url, ownerUrl, acrossUrl, drop }: DatabaseAddress): TestDatabase {
  const statements: string[] = [];
  const acrossStatements: string[] = [];
  const placement = inject('isCluster') ? CLUSTER : PLAIN;
  const connection = connect(url, {
    poolSize: 5,
    statementTimeoutMs: 20_000,
    ...placement.requests,
    onStatement: (text) => statements.push(text),
  });
  const across = connectAcross(acrossUrl, placement, { onStatement: (text) => acrossStatements.push(text) });
  const owner = connect(ownerUrl, { poolSize: 2, statementTimeoutMs: 20_000 });
  owners.set(connection.db, owner.db);
  acrossByDb.set(connection.db, across.across);
  return {
    ...connection,
    url,
    ownerUrl,
    acrossUrl,
    owner: owner.db,
    placement,
    across: across.across,
    statements,
    acrossStatements,
    drop: async () => {
      await connection.close();
      await across.close();
      await owner.close();
      await drop();
    },
  };
}

/**
 * A copy of the template has the privileges of both roles, except those on the database itself, which
 * `grant_serving_role` revokes. Migrating the copy would do the same with three connections more.
 */
async function copyTemplate(): Promise<DatabaseAddress> {
  return await createNamed((name) => [
    `create database ${name} template ${inject('templateName')} ${COPIED}`,
    `revoke create, temporary on database ${name} from public`,
  ]);
}

/** The only database of a cluster, which all files share. Each file has its own merchants. */
function sharedDatabase(): DatabaseAddress {
  const address = { url: inject('servingUrl'), ownerUrl: inject('serverUrl'), acrossUrl: inject('acrossUrl') };
  opened += 1;
  const drop = async (): Promise<void> => {
    opened -= 1;
    if (opened === 0) await dropPendingWork(address.ownerUrl);
  };
  return { ...address, drop };
}

/** Number of databases that the file has open. */
let opened = 0;

/** Removes pending work, which a worker of another file would otherwise do. */
async function dropPendingWork(ownerUrl: string): Promise<void> {
  const tables = ['pgboss.job', 'webhook_delivery', 'webhook', 'bulk_operation_image', 'product_search_pending'];
  for (const table of tables) await onServer(ownerUrl, `delete from ${table}`);
}

/** Creates a database without tables, or as a copy of `template`. */
export async function createEmptyDatabase(template = 'template1'): Promise<DatabaseAddress> {
  return await createNamed((name) => [`create database ${name} template ${template} ${COPIED}`]);
}

async function createNamed(statementsFor: (name: string) => string[]): Promise<DatabaseAddress> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, ...statementsFor(name));
  return {
    url: databaseUrl(inject('servingUrl'), name),
    acrossUrl: databaseUrl(inject('acrossUrl'), name),
    ownerUrl: databaseUrl(serverUrl, name),
    drop: async () => await onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(url: string, ...statements: string[]): Promise<void> {
  const client = connectOnce(url);
  try {
    for (const statement of statements) await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
