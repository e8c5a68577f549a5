import { createSecretKey } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { createApp, type NewApp } from '../../src/app/create-app.ts';
import type { Context } from '../../src/context.ts';
import { uploadPath } from '../../src/http/upload/upload.ts';
import { callWithFilters, createShop, type Shop } from '../contract/calls.ts';
import { noise } from '../image/pictures.ts';
import { createContext } from '../support/context.ts';
import { openDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { moveDatabase, PostgresServer } from '../support/postgres-server.ts';
import { logLines, run } from '../support/process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { until } from '../worker/webhooks/receiver.ts';
import { FaultedService, NORMAL, NOTHING_LOST } from './support/faulted-service.ts';

/** Several times the size of a migrated database. */
const DISK_KIB = 64 * 1024;
const SECRET_KEY = '0'.repeat(64);
/** Enough for several attempts of the worker, which come after 200 and 400 ms. */
const LASTS_MS = 2_500;
/** Some rows can still be written to pages with free space. */
const REFUSED_WITHIN_MS = 40_000;
const BEGUN = 'the database lacks resources';
const ENDED = 'the database has resources again';
const ENDED_WITHIN_MS = 30_000;

type Line = { level: string; msg: string };
type Fault = { name: string; code: string; reason: string; begin: () => Promise<void>; end: () => Promise<void> };

const queries = [...operations].filter(([, { kind }]) => kind === 'query').map(([name]) => name);
/** Null if this process may not mount a file system. */
const disk = mountSmallDisk(DISK_KIB);
if (!disk) console.log('not tested: a full disk, because this process may not mount a small one');
const fullDisk = (small: SmallDisk): Fault => ({
  name: 'has a full disk',
  code: '53100',
  reason: 'No space left on device',
  begin: async () => await small.fill(),
  end: async () => await small.free(),
});
/** Some hosts make a server read-only before its disk is full. After a failover the old server is read-only too. */
const readOnly: Fault = {
  name: 'has become read-only',
  code: '25006',
  reason: 'read-only transaction',
  begin: async () => await setReadOnly(true),
  end: async () => await setReadOnly(false),
};

let server: PostgresServer;
let database: TestDatabase;
let service: FaultedService;
let reading: Awaited<ReturnType<typeof startOperations>>;
let shopCtx: Context;
let token: string;
let shop: Shop;
let app: NewApp;

beforeAll(async () => {
  // Autovacuum removes a file that new connections read, and PostgreSQL refuses them if it cannot write it again.
  server = await PostgresServer.startMigrated({ autovacuum: 'off' });
  const { url: ownerUrl, servingUrl } = server;
  if (disk) await moveDatabase(ownerUrl, disk.path);
  database = openDatabase({
    ownerUrl,
    url: servingUrl,
    acrossUrl: servingUrl,
    drop: async () => await server.remove(),
  });
  service = await FaultedService.start(database.db, servingUrl);
  reading = await startOperations(database.db);
  shopCtx = await createContext(database.db);
  token = await issueAccessToken(shopCtx, {
    authorizedAppId: shopCtx.session.authorizedAppId,
    scopes: ['write_products'],
  });
  shop = await createShop(reading.call, shopCtx);
  app = await createApp(
    { ...shopCtx, secretKey: createSecretKey(SECRET_KEY, 'hex') },
    { input: { name: 'App', scopes: ['read_products'] } },
  );
});
afterAll(async () => {
  await service?.stop();
  await reading?.stop();
  await database.drop();
  disk?.remove();
});

const faults = disk ? [fullDisk(disk), readOnly] : [readOnly];

describe.each(faults)('while PostgreSQL $name', ({ name, code, reason, begin, end }) => {
  let linesBefore = 0;
  const lines = (...levels: string[]): Line[] =>
    (logLines(service.process.stdout()).slice(linesBefore) as Line[]).filter(({ level }) => levels.includes(level));

  beforeAll(async () => {
    linesBefore = logLines(service.process.stdout()).length;
    await begin();
    await service.isRefusing();
  });

  // docs/reliability-tests.md: 93
  it('writes are refused as unavailable', async () => {
    for (const send of [requestToken, upload]) {
      const refused = await until(send, ({ status }) => status !== 200, REFUSED_WITHIN_MS);
      expect([send.name, refused.status, refused.headers.get('retry-after')]).toEqual([send.name, 503, '1']);
    }
  });

  // docs/reliability-tests.md: 93
  it('every query is answered', async () => {
    for (const query of queries) {
      const { errors } = await reading.call(shopCtx, query, callWithFilters(query, shop));
      expect([query, errors]).toEqual([query, undefined]);
    }
  });

  it('the service is not ready', async () => {
    const readiness = await fetch(`${service.process.url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      expect.objectContaining({
        checks: expect.objectContaining({ database: 'ok', writes: 'failed', storage: 'ok' }),
      }),
    ]);
    expect((await fetch(`${service.process.url}/readyz?exclude=storage&exclude=writes`)).status).toBe(200);
  });

  it('a command reports it in one line', async () => {
    const { code, stderr } = await importCatalogue();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^The database lacks resources: .*${reason}[^\\n]*\\n$`));
  });

  it('the log has one line when it begins and one when it ends, and nothing is lost', async () => {
    await wait(LASTS_MS);
    await end();
    expect(await service.recovery(name)).toEqual(NORMAL);
    await expect
      .poll(() => lines('info').filter(({ msg }) => msg === ENDED), { timeout: ENDED_WITHIN_MS })
      .toHaveLength(1);
    expect(lines('warn', 'error', 'fatal')).toEqual([
      expect.objectContaining({ level: 'error', msg: BEGUN, code, reason: expect.stringContaining(reason) }),
    ]);
  });
});

it('loses no confirmed change, and pushes all of them', async () => {
  expect(await service.balance()).toEqual(NOTHING_LOST);
});

async function setReadOnly(isReadOnly: boolean): Promise<void> {
  await database.owner.execute(sql.raw(`alter system set default_transaction_read_only = ${isReadOnly}`));
  await database.owner.execute(sql`select pg_reload_conf()`);
}

async function requestToken(): Promise<Response> {
  const { clientId, clientSecret } = app;
  return await fetch(`${service.process.url}/api/admin/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }),
  });
}

let width = 20;

async function upload(): Promise<Response> {
  const form = new FormData();
  form.append('input', JSON.stringify({ brandImage: { brandIds: [shop.brand] } }));
  form.append('file', new Blob([await noise(width++, 10).png().toBuffer()]));
  const headers = { authorization: `Bearer ${token}` };
  return await fetch(`${service.process.url}${uploadPath}`, { method: 'POST', headers, body: form });
}

/** Writes more rows than fit into pages with free space. */
async function importCatalogue() {
  const args = ['import', 'examples/catalogue.csv', '--merchant', shopCtx.merchantId];
  return await run('src/cli/commerce.js', args, { DATABASE_URL: database.url, SECRET_KEY }).finished;
}
