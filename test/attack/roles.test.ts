import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createMigratedData } from '../support/migrated-data.ts';
import { type DataDir, run, type RunningService, startMain } from '../support/process.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Statements that an attacker could try after an SQL injection. */
const INJECTIONS: Record<string, string[]> = {
  'files and programs': [
    `select pg_read_file('postgresql.conf')`,
    `select pg_read_binary_file('global/pg_control')`,
    `select pg_ls_dir('.')`,
    `select lo_import('/etc/passwd')`,
    `copy merchant to '/tmp/merchants'`,
    `copy merchant from '/etc/passwd'`,
    `copy merchant to program 'cat'`,
    `create extension file_fdw`,
  ],
  definitions: [
    'drop table product cascade',
    'truncate webhook_delivery',
    'alter table customer disable trigger all',
    'alter table access_token add column mine text',
    'drop function uuid_v7() cascade',
    'create or replace function uuid_v7() returns uuid language sql as $$ select null::uuid $$',
    'create table public.mine (a int)',
    'create temporary table product (a int)',
    'create schema mine',
    'create index on product (merchant_id)',
    'create trigger mine after insert on product for each row execute function refuse_unrecorded()',
    'drop schema pgboss cascade',
  ],
  'the server and its roles': [
    `set log_statement = 'all'`,
    `load 'mine'`,
    'set session_replication_role = replica',
    'select pg_reload_conf()',
    'create role mine superuser',
    'alter role current_user superuser',
    `grant pg_read_server_files to current_user`,
    'set role postgres',
    'select rolpassword from pg_authid',
  ],
  'schemas of others': [
    `insert into pgboss.job (name) values ('webhook-delivery')`,
    'select * from pgboss.job',
    'select * from pgboss.schedule',
    'update pgboss.queue set retry_limit = 0',
    `delete from pgboss.queue`,
    `select pgboss.delete_queue('webhook-delivery')`,
    `select pgboss.create_queue('mine', '{"policy": "standard", "partition": true}')`,
    'delete from drizzle.__drizzle_migrations',
    `select grant_serving_role('pg_monitor')`,
  ],
};

describe('an injected statement reaches only rows, with the embedded database:', () => {
  let data: DataDir;
  let service: RunningService;
  let ownerUrl: string;
  beforeAll(async () => {
    data = await createMigratedData();
    service = await startMain({ DATA_DIR: data.path });
    ownerUrl = (await run('src/cli/admin.ts', ['db', 'url', '--raw'], { DATA_DIR: data.path }).finished).stdout.trim();
  });
  afterAll(async () => {
    await service.stop();
    await data.remove();
  });

  it.each(Object.keys(INJECTIONS))('%s', async (target) => {
    expect(await succeeding(ownerUrl, INJECTIONS[target]!)).toEqual([]);
  });
});

describe('an injected statement reaches only rows, with DATABASE_URL:', () => {
  let database: TestDatabase;
  let service: RunningService;
  beforeAll(async () => {
    database = await createDatabase();
    const environment = {
      DATABASE_URL: database.url,
      MIGRATION_DATABASE_URL: database.ownerUrl,
      SECRET_KEY: '0'.repeat(64),
    };
    service = await startMain(environment);
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it.each(Object.keys(INJECTIONS))('%s', async (target) => {
    expect(await succeeding(database.ownerUrl, INJECTIONS[target]!)).toEqual([]);
  });
});

/** Runs each statement with the service's role and rolls it back. Returns those that succeed. */
async function succeeding(ownerUrl: string, statements: string[]): Promise<string[]> {
  const client = connectOnce(ownerUrl);
  const succeeded: string[] = [];
  try {
    const role = await servingRole(client);
    for (const statement of statements) {
      const attempt = client.begin(async (transaction) => {
        await transaction.unsafe(`set local session authorization ${role}`);
        await transaction.unsafe(statement);
        succeeded.push(statement);
        throw new Error('undone');
      });
      await attempt.catch(({ code, message }: { code?: string; message: string }) => {
        if (code !== INSUFFICIENT_PRIVILEGE && message !== 'undone') succeeded.push(`${statement}: ${message}`);
      });
    }
  } finally {
    await client.end();
  }
  return succeeded;
}

async function servingRole(client: ReturnType<typeof connectOnce>): Promise<string> {
  for (;;) {
    const rows = await client`
      select distinct quote_ident(usename) as role from pg_stat_activity
      where datname = current_database() and application_name like 'commerce-%' order by 1`;
    if (rows.length > 0) {
      expect(rows).toHaveLength(1);
      return String(rows[0]!.role);
    }
    await wait(50);
  }
}
