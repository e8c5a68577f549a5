import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { excessiveRights } from '../../../src/db/schema/privileges.ts';
import { roleOf } from '../../../src/db/schema/roles.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const ROWS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

let database: TestDatabase;
let role: string;
let acrossRole: string;
beforeAll(async () => {
  database = await createDatabase();
  role = roleOf(database.url).name;
  acrossRole = roleOf(database.acrossUrl).name;
});
afterAll(() => database.drop());

describe('the serving role', () => {
  it('is no superuser, creates no roles or databases, bypasses no policy and is a member of no other role', async () => {
    const [found] = await database.owner.execute(sql`
      select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        (select count(*)::int from pg_auth_members m where m.member = r.oid) as roles
      from pg_roles r where rolname = ${role}`);
    expect(found).toEqual({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      roles: 0,
    });
  });

  // docs/reliability-tests.md: 17
  it('owns nothing and may create nothing, not even temporary tables', async () => {
    expect(
      await database.owner.execute(
        sql`select relname from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = ${role}`,
      ),
    ).toEqual([]);
    const [found] = await database.owner.execute(sql`
      select has_database_privilege(${role}, current_database(), 'create') as "inDatabase",
        has_database_privilege(${role}, current_database(), 'temporary') as "temporary",
        (select array_agg(nspname::text) from pg_namespace where has_schema_privilege(${role}, oid, 'create')) as "inSchemas"`);
    expect(found).toEqual({ inDatabase: false, temporary: false, inSchemas: null });
  });

  it('reads and writes the rows of every table of the service, and reads the view', async () => {
    const granted = await tablePrivileges('public', role);
    expect(granted.size).toBeGreaterThan(30);
    expect([...granted].filter(([, privileges]) => privileges.join() !== ROWS.join())).toEqual([
      ['recorded_change', ['SELECT']],
    ]);
  });

  it('reads which migrations and functions are applied', async () => {
    expect(await tablePrivileges('drizzle', role)).toEqual(
      new Map([
        ['__drizzle_migrations', ['SELECT']],
        ['applied_function', ['SELECT']],
      ]),
    );
  });

  // docs/reliability-tests.md: 19
  it('has only the rights on the queue that taking and removing jobs needs', async () => {
    const [queue] = await database.owner.execute<{ table: string }>(
      sql`select table_name as "table" from pgboss.queue where name = 'webhook-delivery'`,
    );
    const granted = [...(await tablePrivileges('pgboss', role))].filter(([, privileges]) => privileges.length > 0);
    expect(new Map(granted)).toEqual(
      new Map([
        ['version', ['SELECT']],
        ['queue', ['SELECT']],
        [queue!.table, ['SELECT', 'DELETE']],
      ]),
    );
    const columns = await database.owner.execute<{ name: string }>(sql`
      select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'pgboss'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(${role}, c.oid, a.attnum, 'insert, update, references') order by a.attnum`);
    expect(columns.map(({ name }) => name)).toEqual(
      ['state', 'retry_count', 'started_on', 'heartbeat_on'].map((name) => `${queue!.table}.${name}`),
    );
  });

  // docs/reliability-tests.md: 17
  it('calls these functions of the owner', async () => {
    const functions = await database.owner.execute<{ name: string }>(sql`
      select proname::text as name from pg_proc
      where prosecdef and prorettype <> 'trigger'::regtype and has_function_privilege(${role}, oid, 'execute') order by 1`);
    // Think before you add one: an injected statement can call it with any arguments and all rights of the owner.
    expect(functions.map(({ name }) => name)).toEqual([
      'analyze_products',
      'due_webhook_lanes',
      'queue_new_webhook_deliveries',
      'queue_webhook_deliveries',
      'release_lapsed_webhook_jobs',
      'return_webhook_jobs',
    ]);
  });

  it('lets the tables of products be analyzed', async () => {
    await database.db.execute(sql`select analyze_products()`);
    const [found] = await database.owner.execute<{ analyzed: boolean }>(sql`
      select last_analyze > now() - interval '1 minute' as analyzed from pg_stat_user_tables where relname = 'product_search_word'`);
    expect(found).toEqual({ analyzed: true });
  });
});

describe('the role of statements over several merchants', () => {
  it('reads the tables of those statements, and writes nothing', async () => {
    const granted = new Map([...(await tablePrivileges('public', acrossRole))].filter(([, { length }]) => length > 0));
    expect(new Set([...granted.values()].flat())).toEqual(new Set(['SELECT']));
    expect([...granted.keys()]).toEqual(expect.arrayContaining(['merchant', 'product', 'webhook_delivery']));
    // These tables have tokens, customers, prices and pictures. Only statements of one merchant may read them.
    for (const table of ['access_token', 'customer', 'image', 'variant']) expect(granted.has(table), table).toBe(false);
    const writing = database.across.rows('listMerchants', {}, sql`delete from merchant`);
    await expect(writing).rejects.toMatchObject({ cause: { code: '42501' } });
  });

  it('neither uses the queue nor calls functions of the owner', async () => {
    for (const schema of ['drizzle', 'pgboss'])
      expect([...(await tablePrivileges(schema, acrossRole)).values()].flat()).toEqual([]);
    const functions = await database.owner.execute(sql`
      select proname from pg_proc
      where prosecdef and prorettype <> 'trigger'::regtype and has_function_privilege(${acrossRole}, oid, 'execute')`);
    expect(functions).toEqual([]);
  });
});

describe('a migration', () => {
  it('lets the role work with new tables and sequences', async () => {
    await database.owner.execute(sql`create table later (id int)`);
    await database.owner.execute(sql`create sequence later_number`);
    await expect(database.db.execute(sql`select from later`)).rejects.toMatchObject({ cause: { code: '42501' } });
    await migrate(database.ownerUrl, database.url);
    await database.db.execute(sql`insert into later values (nextval('later_number'))`);
    await database.owner.execute(sql`drop table later`);
  });

  it('writes nothing to the catalogue if everything is granted', async () => {
    const versions = async () =>
      await database.owner.execute(
        sql`select oid, xmin::text, relacl::text from pg_class where relnamespace = 'public'::regnamespace order by 1`,
      );
    const before = await versions();
    await migrate(database.ownerUrl, database.url);
    expect(await versions()).toEqual(before);
  });

  it('creates the role of the URL with its password, also ten times at once', async () => {
    const url = Object.assign(new URL(database.ownerUrl), {
      username: `serving ${newId()}`,
      password: `it's "secret"`,
    }).href;
    await Promise.all(Array.from({ length: 10 }, async () => await migrate(database.ownerUrl, url)));
    const { db, close } = connect(url, { poolSize: 1, statementTimeoutMs: 5_000 });
    expect(await db.execute(sql`select count(*)::int as merchants from merchant`)).toEqual([{ merchants: 0 }]);
    expect(await excessiveRights(db)).toEqual([]);
    await close();
    await remove(decodeURIComponent(new URL(url).username));
  });

  it('can be started by the serving role itself if there is nothing to do', async () => {
    await expect(migrate(database.url)).resolves.toBeUndefined();
  });
});

describe('the rights of a connection', () => {
  it('are not too many for the serving role', async () => {
    expect(await excessiveRights(database.db)).toEqual([]);
  });

  it('are too many for a superuser, an owner of the tables and a role with access to files', async () => {
    expect(await excessiveRights(database.owner)).toEqual(['it is a superuser']);
    const owner = `owner ${newId()}`;
    const url = Object.assign(new URL(database.ownerUrl), { username: owner, password: 'x' }).href;
    await migrate(database.ownerUrl, url);
    await database.owner.execute(sql`create table owned (id int)`);
    await database.owner.execute(sql`alter table owned owner to ${sql.identifier(owner)}`);
    await database.owner.execute(sql`grant pg_read_server_files to ${sql.identifier(owner)}`);
    const { db, close } = connect(url, { poolSize: 1, statementTimeoutMs: 5_000 });
    expect(await excessiveRights(db)).toEqual(['it owns the tables', "it reaches files of the database's machine"]);
    await close();
    await remove(owner);
  });
});

async function tablePrivileges(schema: string, role: string): Promise<Map<string, string[]>> {
  const rows = await database.owner.execute<{ name: string; privileges: string[] }>(sql`
    select c.relname as name, to_json(array(
      select p from unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) with ordinality as p(p, n)
      where has_table_privilege(${role}, c.oid, p) order by n)) as privileges
    from pg_class c where c.relnamespace = ${schema}::regnamespace and c.relkind in ('r', 'p', 'v', 'm')`);
  return new Map(rows.map(({ name, privileges }) => [name, privileges]));
}

async function remove(name: string, db: Database = database.owner): Promise<void> {
  await db.execute(sql`drop owned by ${sql.identifier(name)}`);
  await db.execute(sql`drop role ${sql.identifier(name)}`);
}
