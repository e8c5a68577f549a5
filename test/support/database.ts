import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Connection, connectOnce, type Database } from '../../src/db/connection/connect.ts';
import type { AcrossMerchants } from '../../src/db/connection/across-merchants.ts';
import { connectAcross } from '../../src/db/connection/connect-for-work.ts';
import { CLUSTER, PLAIN, type Placement } from '../../src/db/connection/placement.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { databaseUrl } from './database-url.ts';

/** `db` and `url` are those of the role that the service works as, so that a privilege it lacks shows in any test. */
export type TestDatabase = Connection & {
  url: string;
  ownerUrl: string;
  /** For the role of `across`. */
  acrossUrl: string;
  placement: Placement;
  /** For the statements of CROSS_MERCHANT_STATEMENTS, which fail on `db` on a cluster. */
  across: AcrossMerchants;
  /** For what the service never does itself: definitions, TRUNCATE, the queue's tables. Connects when first used. */
  owner: Database;
  /** Every statement sent through `db`, for tests that read them. */
  statements: string[];
  /** The same of `across`. */
  acrossStatements: string[];
  drop(): Promise<void>;
};

const acrossByDb = new WeakMap<Database, AcrossMerchants>();

/** What `across` of the same database is, for tests that know its `db` only. */
export function acrossOf(db: Database): AcrossMerchants {
  return acrossByDb.get(db)!;
}

type DatabaseAddress = Pick<TestDatabase, 'url' | 'ownerUrl' | 'acrossUrl' | 'drop'>;

const owners = new WeakMap<Database, Database>();

/** The owner's connection to the database of a test's `db`. */
export function ownerOf(db: Database): Database {
  return owners.get(db)!;
}

/** A database of the test file's own, copied from the migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  return openDatabase(inject('isCluster') ? sharedDatabase() : await copyTemplate());
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

async function copyTemplate(): Promise<DatabaseAddress> {
  const copy = await createEmptyDatabase(inject('templateName'));
  // A copy has the privileges on all that is in the template, but not those on the database itself.
  await migrate(copy.ownerUrl, copy.url, copy.acrossUrl);
  return copy;
}

/** The one database of a cluster. What a file leaves there belongs to merchants of its own. */
function sharedDatabase(): DatabaseAddress {
  const address = { url: inject('servingUrl'), ownerUrl: inject('serverUrl'), acrossUrl: inject('acrossUrl') };
  opened += 1;
  const drop = async (): Promise<void> => {
    opened -= 1;
    if (opened === 0) await dropPendingWork(address.ownerUrl);
  };
  return { ...address, drop };
}

/** Databases that this file has open. */
let opened = 0;

/** What a worker of another file would find to do. */
async function dropPendingWork(ownerUrl: string): Promise<void> {
  const tables = ['pgboss.job', 'webhook_delivery', 'webhook', 'bulk_operation_image', 'product_search_pending'];
  for (const table of tables) await onServer(ownerUrl, `delete from ${table}`);
}

/** One without tables, or as the template has them. */
export async function createEmptyDatabase(template = 'template1'): Promise<DatabaseAddress> {
  const serverUrl = inject('serverUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  return {
    url: databaseUrl(inject('servingUrl'), name),
    acrossUrl: databaseUrl(inject('acrossUrl'), name),
    ownerUrl: databaseUrl(serverUrl, name),
    drop: async () => await onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = connectOnce(url);
  try {
    await client.unsafe(statement);
  } finally {
    await client.end();
  }
}
