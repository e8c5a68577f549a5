import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { pendingFunctions } from '../../../src/db/schema/pending-functions.ts';
import { cancelAutovacuums } from '../../../src/db/schema/schema-locks.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { DatabaseProxy } from '../../support/database-proxy.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

/** Includes those of opening two connections, and those before the locks are taken. */
const MAX_ROUND_TRIPS = 60;
/** Ends the message that locks the tables. */
const LOCK = 'in share row exclusive mode';

let database: TestDatabase;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());
beforeEach(() => database.owner.execute(sql`update drizzle.applied_function set hash = ''`));

it('is not in a deadlock with a transaction that writes a table before those that the migration locks', async () => {
  const writer = openWriter('product_tag', 'category');
  await writer.begun;
  const migrating = migrate(database.ownerUrl, database.url);
  await waitForLocks(database.owner, 1);
  await Promise.all([writer.end(), migrating]);
  expect(await pendingFunctions(database.owner)).toBe('none');
});

it('lets others write while a transaction that it waits for stays open', async () => {
  const writer = openWriter('product_tag', 'product_brand');
  await writer.begun;
  const migrating = migrate(database.ownerUrl, database.url);
  await waitForLocks(database.owner, 1);
  await database.db.execute(sql`insert into category (merchant_id, name) values (${ctx.merchantId}, 'Other')`);
  expect(await pendingFunctions(database.owner)).toBe('files');
  await Promise.all([writer.end(), migrating]);
  expect(await pendingFunctions(database.owner)).toBe('none');
});

it('gets its locks while plain SQL writes without a pause', async () => {
  let isMigrated = false;
  const write = async () => {
    while (!isMigrated)
      await database.db.execute(
        sql`insert into variant_type (merchant_id, name, selection_type) values (${ctx.merchantId}, ${newId()}, 'choice')`,
      );
  };
  const writing = Promise.all([write(), write(), write(), write()]);
  await migrate(database.ownerUrl, database.url);
  isMigrated = true;
  await writing;
  expect(await pendingFunctions(database.owner)).toBe('none');
});

it('keeps no table while it waits for PostgreSQL to cancel an autovacuum', async () => {
  const vacuum = connectOnce(database.ownerUrl);
  const cancelling = await vacuum.begin(async (transaction) => {
    await transaction`lock table customer in share update exclusive mode`;
    const cancelled = cancelAutovacuums(database.owner, 3);
    await waitForLocks(database.owner, 1);
    // Tables that are locked before and after the customers.
    for (const table of ['category', 'product_tag'])
      await database.db.execute(
        sql`insert into ${sql.identifier(table)} (merchant_id, name) values (${ctx.merchantId}, ${newId()})`,
      );
    return { cancelled };
  });
  await expect(cancelling.cancelled).resolves.toBeUndefined();
  await vacuum.end();
});

it('does not wait for a pg_dump, which locks all tables against DROP', async () => {
  const dump = connectOnce(database.ownerUrl);
  await dump.begin(async (transaction) => {
    const tables = await transaction<{ name: string }[]>`
      select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    await transaction.unsafe(`lock table ${tables.map(({ name }) => name).join(', ')} in access share mode`);
    await migrate(database.ownerUrl, database.url);
  });
  await dump.end();
  expect(await pendingFunctions(database.owner)).toBe('none');
});

it('takes few round trips while writers wait for it', async () => {
  const proxy = await DatabaseProxy.open(database.ownerUrl);
  await migrate(proxy.url, database.url);
  await proxy.close();
  expect(proxy.roundTrips).toBeLessThan(MAX_ROUND_TRIPS);
});

it('releases its locks soon after its process has stopped', async () => {
  const proxy = await DatabaseProxy.open(database.ownerUrl);
  proxy.stallAfter(LOCK);
  const migrating = migrate(proxy.url, database.url).catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await isLocked()).toBe(true), { timeout: 20_000, interval: 10 });
  await database.db.execute(sql`insert into category (merchant_id, name) values (${ctx.merchantId}, 'Waits')`);
  proxy.heal();
  expect(await migrating).toBeInstanceOf(Error);
  await proxy.close();
});

async function isLocked(): Promise<boolean> {
  // Copies of one template have the same oids, and other files migrate theirs meanwhile.
  const locks = await database.owner.execute(sql`
    select from pg_locks where relation = 'category'::regclass and mode = 'ShareRowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return locks.length > 0;
}

/** Plain SQL that inserts a row into one table, and into the other before it is committed. */
function openWriter(first: string, last: string): { begun: Promise<void>; end: () => Promise<void> } {
  const client = connectOnce(database.url);
  const [begun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const written = client.begin(async (transaction) => {
    const insertInto = async (table: string) =>
      await transaction.unsafe(`insert into ${table} (merchant_id, name) values ('${ctx.merchantId}', '${newId()}')`);
    await insertInto(first);
    begun.resolve();
    await mayEnd.promise;
    await insertInto(last);
  });
  written.catch(begun.reject);
  return {
    begun: begun.promise,
    end: async () => {
      mayEnd.resolve();
      await written;
      await client.end();
    },
  };
}
