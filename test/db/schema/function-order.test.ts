import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { sqlState } from '../../../src/db/errors/database-error.ts';
import { functionsTime } from '../../../src/db/schema/function-files.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { pendingFunctions } from '../../../src/db/schema/pending-functions.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(() => database.drop());

it('a start as the owner keeps the functions of a later version with the same tables', async () => {
  await applyLaterVersion();
  const before = await functions();
  await migrate(database.ownerUrl, database.url);
  expect(await functions()).toEqual(before);
  expect(before).toContainEqual({ name: 'only_later()' });
});

it('a start as the serving role works beside the functions of a later version', async () => {
  await applyLaterVersion();
  await expect(migrate(database.url)).resolves.toBeUndefined();
  expect(await pendingFunctions(database.db)).toBe('none');
});

it('a migration replaces the functions of an earlier version, and stores the own one', async () => {
  await applyEarlierVersion();
  expect(await pendingFunctions(database.db)).toBe('files');
  await migrate(database.ownerUrl, database.url);
  expect(await pendingFunctions(database.db)).toBe('none');
  expect(await functions()).not.toContainEqual({ name: 'only_earlier()' });
  expect(await versions()).toEqual([{ version: String(functionsTime()) }]);
});

it('a migration to a version with the same functions as an earlier one stores its version, and waits for no writer', async () => {
  await database.owner.execute(sql`update drizzle.applied_function set version = version - 1`);
  expect(await pendingFunctions(database.db)).toBe('time');
  await whileWriting(async () => await migrate(database.ownerUrl, database.url));
  expect(await versions()).toEqual([{ version: String(functionsTime()) }]);
});

it('a start that has nothing to do waits for no writer', async () => {
  await whileWriting(async () => {
    await expect(migrate(database.ownerUrl, database.url)).resolves.toBeUndefined();
  });
});

it('a start as the serving role is refused beside the functions of an earlier version, before it waits for a writer', async () => {
  await applyEarlierVersion();
  await whileWriting(async () => {
    const error = await migrate(database.url).catch((error: unknown) => error);
    expect(sqlState(error)).toBe('42501');
  });
});

/** A later version has another `webhook_lane`, and a function that this one does not know. */
async function applyLaterVersion(): Promise<void> {
  await database.owner.execute(
    sql.raw(`
    create or replace function webhook_lane(merchant uuid, endpoint_key text) returns integer language sql as 'select 1';
    create function only_later() returns integer language sql as 'select 1';
    update drizzle.applied_function set hash = 'later' where name = 'webhook_lane';
    insert into drizzle.applied_function values ('only_later', 'later', 0);
    update drizzle.applied_function set version = ${functionsTime() + 1}`),
  );
}

async function applyEarlierVersion(): Promise<void> {
  await database.owner.execute(
    sql.raw(`
    create function only_earlier() returns integer language sql as 'select 1';
    update drizzle.applied_function set hash = 'earlier' where name = 'webhook_lane';
    insert into drizzle.applied_function values ('only_earlier', 'earlier', 0);
    update drizzle.applied_function set version = ${functionsTime() - 1}`),
  );
}

async function functions(): Promise<unknown[]> {
  return [
    ...(await database.owner.execute(sql`
      select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
      union all select prosrc from pg_proc where proname = 'webhook_lane'
      union all select concat_ws(' ', name, hash, version) from drizzle.applied_function order by 1`)),
  ];
}

async function versions(): Promise<unknown[]> {
  return [...(await database.owner.execute(sql`select distinct version::text from drizzle.applied_function`))];
}

/** Does work while a transaction has the locks of a writer. Work that waits for it never ends. */
async function whileWriting(work: () => Promise<void>): Promise<void> {
  const client = connectOnce(database.ownerUrl);
  await client.begin(async (transaction) => {
    await transaction`lock table category, change_transaction in row exclusive mode`;
    await work();
  });
  await client.end();
}
