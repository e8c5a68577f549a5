import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyFunctions } from '../../../src/db/schema/apply-functions.ts';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { isMigrated, migrationState } from '../../../src/db/schema/migration-state.ts';
import { pendingFunctions } from '../../../src/db/schema/pending-functions.ts';
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../support/database.ts';
import { EARLIER_STATE } from '../../support/earlier-state.ts';
import { until } from '../../worker/webhooks/receiver.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

// docs/reliability-tests.md: 97
it('changes nothing when run again, ten times at once', async () => {
  const before = await schemaChecksum();
  await Promise.all(Array.from({ length: 10 }, () => migrate(database.ownerUrl, database.url)));
  expect(await schemaChecksum()).toBe(before);
});

it('locks in a transaction, so that no lock remains in a session of a pooler', async () => {
  const other = connectOnce(database.ownerUrl);
  const [taken, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = other.begin(async (transaction) => {
    // The key of the lock in migrate.ts.
    await transaction`select pg_advisory_xact_lock(7203114201)`;
    taken.resolve();
    await free.promise;
  });
  await taken.promise;
  const migrating = migrate(database.ownerUrl, database.url);
  const [waiting] = await until(
    async () => [
      ...(await database.owner.execute<{ query: string }>(
        sql`select query from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      )),
    ],
    ({ length }) => length > 0,
  );
  free.resolve();
  await Promise.all([held, migrating]);
  await other.end();
  expect(waiting!.query).toContain('pg_advisory_xact_lock');
});

it('keeps its lock on a server that ends idle transactions', async () => {
  const empty = await createEmptyDatabase();
  const admin = connectOnce(empty.ownerUrl);
  const [{ name } = { name: '' }] = await admin<{ name: string }[]>`select current_database() as name`;
  await admin.unsafe(`alter database "${name}" set idle_in_transaction_session_timeout = '20ms'`);
  await migrate(empty.ownerUrl);
  expect(await isMigrated(drizzle(admin))).toBe(true);
  await admin.end();
  await empty.drop();
});

it('folds accents and case, in Turkish and German too', async () => {
  const [row] = await database.db.execute<Record<string, string>>(sql`
    select fold('İSTANBUL') as i, fold('Iğdır') as g, fold('Straße') as s, fold('Ä') as a, fold(${'CAFE\u0301'}) as e`);
  expect(row).toEqual({ i: 'istanbul', g: 'igdir', s: 'strasse', a: 'a', e: 'cafe' });
});

it('makes UUIDs of version 7 for rows of plain SQL', async () => {
  const [row] = await database.db.execute<{ id: string }>(sql`select uuid_v7()::text as id`);
  expect(row!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Math.abs(Number.parseInt(row!.id.slice(0, 8) + row!.id.slice(9, 13), 16) - Date.now())).toBeLessThan(60_000);
});

describe('a database from before the first release', () => {
  let earlier: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let client: ReturnType<typeof connectOnce>;
  beforeAll(async () => {
    earlier = await createEmptyDatabase();
    client = connectOnce(earlier.ownerUrl);
    await client.unsafe(EARLIER_STATE);
  });
  afterAll(async () => {
    await client.end();
    await earlier.drop();
  });

  it('is refused and not changed', async () => {
    const before = await contents();
    await expect(migrate(earlier.ownerUrl, earlier.url)).rejects.toThrow(
      /before the first release.*no upgrade.*export.*new database/,
    );
    expect(await contents()).toEqual(before);
  });

  it('is not migrated', async () => {
    expect(await migrationState(drizzle(client))).toBe('earlier');
    expect(await isMigrated(drizzle(client))).toBe(false);
  });

  async function contents(): Promise<unknown> {
    return [
      ...(await client`
      select c.oid, c.xmin::text as version, c.relacl::text as grants from pg_class c where c.relnamespace in ('public'::regnamespace, 'drizzle'::regnamespace)
      union all select p.oid, p.xmin::text, null from pg_proc p where p.pronamespace = 'public'::regnamespace
      union all select n.oid, n.xmin::text, n.nspacl::text from pg_namespace n
      union all select 0::oid, m.xmin::text, m.name from merchant m order by 1`),
    ];
  }
});

it('makes a complete database when started ten times at once', async () => {
  const empty = await createEmptyDatabase();
  await Promise.all(Array.from({ length: 10 }, () => migrate(empty.ownerUrl, empty.url)));
  const client = connectOnce(empty.url);
  expect(await migrationState(drizzle(client))).toBe('current');
  expect(await pendingFunctions(drizzle(client))).toBe('none');
  await client.end();
  await empty.drop();
});

describe('a function whose file has changed', () => {
  it('is replaced', async () => {
    await execute(
      `create or replace function webhook_lane(merchant uuid, endpoint_key text) returns integer language sql as 'select 1'`,
    );
    await migrateAfterChangeOf('webhook_lane');
    const [row] = await database.owner.execute<{ lane: number }>(
      sql`select webhook_lane(${newId()}::uuid, 'a') as lane`,
    );
    expect(row!.lane).toBeLessThan(0);
  });

  it('is dropped and created if its result or its parameters differ', async () => {
    await execute(
      `drop function webhook_action_bit(text); create function webhook_action_bit(act text) returns text language sql as 'select act'`,
    );
    await migrateAfterChangeOf('webhook_action_bit');
    expect(await database.owner.execute(sql`select webhook_action_bit(action => 'deleted') as bit`)).toEqual([
      { bit: 4 },
    ]);
  });

  it('is dropped and created also if all files are applied', async () => {
    await execute(`
      drop function webhook_action_bit(text); create function webhook_action_bit(act text) returns text language sql as 'select act';
      drop function webhook_merchant_lane(uuid); create function webhook_merchant_lane(uuid) returns text language sql as 'select 1';
      update drizzle.applied_function set hash = ''`);
    await migrate(database.ownerUrl, database.url);
    expect(await pendingFunctions(database.owner)).toBe('none');
    expect(await database.owner.execute(sql`select webhook_action_bit(action => 'deleted') as bit`)).toEqual([
      { bit: 4 },
    ]);
  });

  it('loses its earlier overloads and triggers', async () => {
    await execute(`
      create function refuse_unrecorded(text) returns text language sql as 'select $1';
      create trigger former before truncate on price_list for each statement execute function refuse_unrecorded()`);
    await migrateAfterChangeOf('refuse_unrecorded');
    expect(
      await database.owner.execute(sql`
      select p.oid::regprocedure::text as function, array_agg(t.tgrelid::regclass::text order by 1) as tables
      from pg_proc p join pg_trigger t on t.tgfoid = p.oid where proname = 'refuse_unrecorded' group by 1
    `),
    ).toMatchObject([{ function: 'refuse_unrecorded()' }]);
    expect(await triggersOf('price_list')).not.toContain('former');
    expect(await triggersOf('customer')).toContain('refuse_truncate');
  });

  it('leaves the triggers of all tables as they were, whichever function of triggers it is', async () => {
    const before = await allTriggers();
    const functions = await database.owner.execute<{ name: string }>(
      sql`select distinct proname::text as name from pg_proc p join pg_trigger t on t.tgfoid = p.oid where not tgisinternal`,
    );
    for (const { name } of functions) {
      await database.owner.transaction(async (db) => {
        await db.execute(sql`update drizzle.applied_function set hash = '' where name = ${name}`);
        await applyFunctions(db, false);
      });
      expect(await allTriggers(), name).toEqual(before);
    }
    expect(before.length).toBeGreaterThan(100);
  });
});

it('drops a function without a file, with its triggers', async () => {
  await execute(`
    create function gone() returns trigger language plpgsql as 'begin return null; end';
    create trigger gone after insert on price_list for each statement execute function gone();
    insert into drizzle.applied_function values ('gone', '', 0)`);
  await migrate(database.ownerUrl, database.url);
  expect(await triggersOf('price_list')).not.toContain('gone');
  expect(await database.owner.execute(sql`select from pg_proc where proname = 'gone'`)).toEqual([]);
  expect(await pendingFunctions(database.owner)).toBe('none');
});

it('does not change the functions of a newer version', async () => {
  await execute(`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('', (select max(created_at) + 1 from drizzle.__drizzle_migrations));
    update drizzle.applied_function set hash = 'of a newer version' where name = 'webhook_lane'`);
  await migrate(database.ownerUrl, database.url);
  expect(await isMigrated(database.db)).toBe(true);
  expect(await pendingFunctions(database.db)).toBe('files');
});

/** Migrates as if the file of this function had changed since it was applied. */
async function migrateAfterChangeOf(name: string): Promise<void> {
  await database.owner.execute(sql`update drizzle.applied_function set hash = '' where name = ${name}`);
  expect(await pendingFunctions(database.owner)).toBe('files');
  await migrate(database.ownerUrl, database.url);
  expect(await pendingFunctions(database.owner)).toBe('none');
}

async function execute(statements: string): Promise<void> {
  await database.owner.execute(sql.raw(statements));
}

async function triggersOf(table: string): Promise<string[]> {
  const rows = await database.owner.execute<{ name: string }>(
    sql`select tgname::text as name from pg_trigger where tgrelid = ${table}::regclass`,
  );
  return rows.map(({ name }) => name);
}

async function allTriggers(): Promise<unknown[]> {
  return [
    ...(await database.owner.execute(
      sql`select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1`,
    )),
  ];
}

async function schemaChecksum(): Promise<string> {
  const [row] = await database.db.execute<{ sum: string }>(sql`
    select md5(string_agg(table_name || column_name || data_type, ',' order by table_name, ordinal_position)) as sum
    from information_schema.columns where table_schema = 'public'`);
  return row!.sum;
}
