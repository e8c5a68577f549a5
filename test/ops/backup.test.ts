import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { post } from '../support/post.ts';
import { createDataDir, type DataDir, run, type RunningService, startMain } from '../support/process.ts';
import { debianPostgres, needs, shell } from '../support/programs.ts';
import { startSystemPostgres } from '../support/system-postgres.ts';

vi.setConfig({ testTimeout: 180_000 });

const SERVING = 'commerce_serving';
/** A name that SQL has to quote. */
const ACROSS = 'commerce-across';

const opened: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

it('backs up a running service, and restores the backup into a database for the service', async (context) => {
  await needs(context, 'pg_dump', 'postgresql-client');
  const binaries = await debianPostgres();
  if (!binaries)
    return context.skip("there is no PostgreSQL server of pg_dump's version (Debian's package postgresql)");
  // Roles belong to a server, so the new one has none of those that the dump names.
  const [server, newServer] = [await startSystemPostgres(binaries), await startSystemPostgres(binaries)];
  opened.push(async () => await Promise.all([server.stop(), newServer.stop()]));
  const data = await createDataDir();
  opened.push(() => data.remove());
  const before = await start(server.url, 'shop', data);
  const token = await newToken(before.env);
  const pictures = join(data.path, 'images');
  await mkdir(join(pictures, 'm'), { recursive: true });
  await writeFile(join(pictures, 'm', 'picture'), 'pixels');

  const writer = writeTags(before.service, token);
  await vi.waitFor(() => expect(writer.saved.length).toBeGreaterThan(5), { timeout: 20_000 });
  const saved = [...writer.saved];
  const moves = await moveStock(before.service, token);
  const stock = await stockRows(before.ownerUrl);
  const { stdout, stderr } = await script('backup.sh', before.ownerUrl, join(data.path, 'backups'), pictures);
  expect(stderr).toBe('');
  const [dump, images] = stdout.trim().split('\n');
  await vi.waitFor(() => expect(writer.saved.length).toBeGreaterThan(saved.length + 5), { timeout: 20_000 });
  await writer.stop();
  expect(await readdir(join(data.path, 'backups'))).toHaveLength(2);
  await before.service.stop();
  await expectMissingPictures(before.ownerUrl, join(data.path, 'without'));

  const restored = await createForOwner(newServer.url, 'restored');
  const restoredData = await createDataDir();
  opened.push(() => restoredData.remove());
  const restoring = await script('restore.sh', restored, dump!, images!, join(restoredData.path, 'images'));
  expect(restoring.stderr).toBe('');
  expect(await readFile(join(restoredData.path, 'images', 'm', 'picture'), 'utf8')).toBe('pixels');
  // The restored database is another one, and owns the folder into which the pictures were restored.
  expect(await readdir(pictures)).toContain('owner.json');
  expect(await readdir(join(restoredData.path, 'images'))).not.toContain('owner.json');
  await expect(script('restore.sh', restored, dump!)).rejects.toThrow(/not empty/);

  expect(await publicFunctions(restored)).toEqual(await publicFunctions(before.ownerUrl));

  const after = await start(restored, 'restored', restoredData);
  expect(await admin({ ...after.env }, 'doctor')).toMatchObject({ ok: true });
  expect(await admin({ ...after.env }, 'doctor', '--references')).toMatchObject({ ok: true, count: 0 });
  expect(stock.map(({ length }) => length)).toEqual([2, 1, 2]);
  expect(await stockRows(restored)).toEqual(stock);
  // The keys count after the restore too: the same requests get the same movement and hold.
  expect(await moves.repeat(after.service)).toEqual(moves.made);
  expect(await stockRows(restored)).toEqual(stock);
  const names = await tagNames(restored);
  // The restored service lists them too, the newest first.
  expect(names).toContain(await newestTag(after.service, token));
  expect(saved.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !writer.saved.includes(name) && name !== writer.last())).toEqual([]);
  await after.service.stop();
});

/** A backup of the database alone says so, as soon as there are pictures. */
async function expectMissingPictures(ownerUrl: string, folder: string): Promise<void> {
  expect((await script('backup.sh', ownerUrl, folder)).stderr).toBe('');
  const owner = connectOnce(ownerUrl);
  await owner.unsafe(`insert into image (merchant_id, id, content_hash, content_type, size_bytes, width, height)
    select merchant_id, gen_random_uuid(), 'x', 'image/png', 1, 1, 1 from merchant`);
  expect((await script('backup.sh', ownerUrl, folder)).stderr).toContain('the files of 1 pictures');
  await owner.unsafe('delete from image');
  await owner.end();
}

/** Starts the service with a database that its owner has migrated. */
async function start(serverUrl: string, database: string, data: DataDir) {
  const ownerUrl = database === 'restored' ? urlOf(serverUrl, database) : await createDatabase(serverUrl, database);
  const env = {
    DATABASE_URL: Object.assign(new URL(ownerUrl), { username: SERVING }).href,
    MIGRATION_DATABASE_URL: ownerUrl,
    CROSS_MERCHANT_DATABASE_URL: Object.assign(new URL(ownerUrl), { username: ACROSS }).href,
    SECRET_KEY: '0'.repeat(64),
    DATA_DIR: data.path,
  };
  const service = await startMain(env);
  opened.push(() => service.stop());
  return { ownerUrl, env, service };
}

/** The owner is no superuser, and the administrator has installed the extensions, and one that the service does not need. */
async function createForOwner(serverUrl: string, name: string): Promise<string> {
  const url = await createDatabase(serverUrl, name);
  const administrator = connectOnce(url);
  await administrator.unsafe(`create role owner login createrole; alter database ${name} owner to owner`);
  for (const extension of ['unaccent', 'pg_trgm', 'btree_gin', 'fuzzystrmatch', 'pg_stat_statements'])
    await administrator.unsafe(`create extension ${extension}`);
  await administrator.end();
  return Object.assign(new URL(url), { username: 'owner' }).href;
}

async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const client = connectOnce(serverUrl);
  await client.unsafe(`create database ${name}`);
  await client.end();
  return urlOf(serverUrl, name);
}

function urlOf(serverUrl: string, name: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

async function script(name: string, databaseUrl: string, ...args: string[]) {
  return await shell(`ops/${name}`, args, { env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl } });
}

async function newToken(env: Record<string, string>): Promise<string> {
  await admin(env, 'merchant', 'create');
  const { clientId, clientSecret } = await admin(env, 'app', 'create');
  const issued = await admin(env, 'token', '--client-id', String(clientId), `--client-secret=${String(clientSecret)}`);
  return String(issued['access_token']);
}

async function admin(env: Record<string, string>, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run('src/cli/admin.ts', args, env).finished;
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Saves tags one after the other until it is stopped. */
function writeTags(service: RunningService, token: string) {
  const saved: string[] = [];
  let isStopped = false;
  let count = 0;
  const name = () => `tag-${count}`;
  const work = (async () => {
    for (; !isStopped; count += 1) {
      const query = `mutation { saveProductTag(input: { name: "${name()}" }) { id } }`;
      const { body } = await post(`${service.url}/api/v1/admin/graphql`, { query }, { token });
      if (!body.errors) saved.push(name());
    }
  })();
  return { saved, last: name, stop: async () => ((isStopped = true), await work) };
}

/** Counts a variant, adds to the count, and holds one. `repeat` sends the last two requests again. */
async function moveStock(service: RunningService, token: string) {
  const send = async (to: RunningService, query: string) => {
    const { body } = await post(`${to.url}/api/v1/admin/graphql`, { query }, { token });
    expect(body.errors, query).toBeUndefined();
    return body.data as Record<string, { id: string; variants?: { id: string }[] }>;
  };
  const { saveProduct, saveStockLocation } = await send(
    service,
    `mutation {
      saveProduct(input: { name: "Cup", type: PHYSICAL, variants: [{ prices: [{ sellPrice: 1 }] }] }) { id variants { id } }
      saveStockLocation(input: { name: "Berlin" }) { id }
    }`,
  );
  const place = `productId: "${saveProduct!.id}", variantId: "${saveProduct!.variants![0]!.id}",
    stockLocationId: "${saveStockLocation!.id}"`;
  await send(
    service,
    `mutation { saveProductStockLocations(input: { productStockLocationInputs: [{ ${place}, stockCount: 5 }] }) }`,
  );
  const expiresAt = Date.now() + 3_600_000;
  const keyed = `mutation {
    adjustStock(input: [{ ${place}, delta: 2, key: "a" }]) { id countAfter }
    holdStock(input: [{ ${place}, quantity: 1, key: "b", expiresAt: ${expiresAt} }]) { id status }
  }`;
  return { made: await send(service, keyed), repeat: async (to: RunningService) => await send(to, keyed) };
}

/** The movements, holds and keys. */
async function stockRows(databaseUrl: string): Promise<unknown[][]> {
  const client = connectOnce(databaseUrl);
  const tables = [];
  for (const table of ['stock_movement', 'stock_hold', 'stock_key'])
    tables.push([...(await client.unsafe(`select to_json(t) as row from ${table} t order by t::text`))]);
  await client.end();
  return tables;
}

/** All of them: the service lists at most 200 at once. */
async function tagNames(databaseUrl: string): Promise<string[]> {
  const client = connectOnce(databaseUrl);
  const rows = await client.unsafe<{ name: string }[]>('select name from product_tag');
  await client.end();
  return rows.map(({ name }) => name);
}

/** The functions of the service that any role may call. */
async function publicFunctions(databaseUrl: string): Promise<unknown[]> {
  const client = connectOnce(databaseUrl);
  const rows = await client.unsafe(`select oid::regprocedure::text as name from pg_proc
    where pronamespace = 'public'::regnamespace and has_function_privilege('public', oid, 'execute')
      and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e') order by name`);
  await client.end();
  return [...rows];
}

async function newestTag(service: RunningService, token: string): Promise<string> {
  const query = '{ listProductTag(pagination: { limit: 1 }) { name } }';
  const { body } = await post(`${service.url}/api/v1/admin/graphql`, { query }, { token });
  return (body.data!['listProductTag'] as { name: string }[])[0]!.name;
}
