import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { uploadPath, uploadRoutes } from '../../src/http/upload/upload.ts';
import type { Context } from '../../src/context.ts';
import { fetchBulkImages } from '../../src/image/bulk/fetch-bulk-images.ts';
import type { ImageDependencies } from '../../src/image/upload-image.ts';
import { openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { silent } from '../image/log.ts';
import { type PictureServer, startPictureServer } from '../image/picture-server.ts';
import { noise } from '../image/pictures.ts';
import { brandOf, openImageDependencies } from '../image/shop.ts';
import { listenHttp } from '../outbound/receiver.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { calls, type Shop } from './calls.ts';
import { type NewShop, shopCopies } from './shop-copies.ts';

/** Work that may take seconds, and the number of transactions that were open when it began. */
type Wait = { what: 'name' | 'push' | 'fetch' | 'decoder' | 'storage'; transactions: number };

const manners: [string, () => Record<string, string>][] = [
  ['plainly', () => ({})],
  ['with a key', () => ({ 'idempotency-key': crypto.randomUUID() })],
  ['in a dry run', () => ({ 'x-dry-run': 'true' })],
];
const mutations = [...operations].filter(([, { kind }]) => kind === 'mutation').map(([name]) => name);

let database: TestDatabase;
let watching: Connection;
let parts: Awaited<ReturnType<typeof openImageDependencies>>;
let watched: ImageDependencies;
let outbound: Outbound;
let pictures: PictureServer;
let api: Awaited<ReturnType<typeof startOperations>>;
let newShop: NewShop;
let waits: Wait[] = [];
/** Dry runs change nothing, so they can share it. */
let dryRunShop: [Context, Shop];

beforeAll(async () => {
  database = await createDatabase();
  watching = connect(database.url, { poolSize: 1, statementTimeoutMs: 10_000 });
  parts = await openImageDependencies();
  outbound = openOutbound({ allowHttp: true, allowPrivate: true }, async () => {
    await note('name');
    return ['127.0.0.1'];
  });
  pictures = await startPictureServer((path, response) => {
    void note('fetch').then(async () =>
      response.end(
        await noise(Number.parseInt(path.slice(1), 10), 10)
          .png()
          .toBuffer(),
      ),
    );
    return true;
  });
  watched = watchedParts(parts);
  const webhook = { ...(await createContext(database.db)).webhook, outbound };
  api = await startOperations(database.db, {
    webhook,
    routes: [async (app, options) => await uploadRoutes(app, { db: database.db, webhook, ...options, ...watched })],
  });
  newShop = await shopCopies(api.call, database);
  dryRunShop = await newShop();
});
beforeEach(() => {
  waits = [];
});
afterAll(async () => {
  await api.stop();
  pictures.close();
  outbound.close();
  await parts.close();
  await watching.close();
  await database.drop();
});

describe.each(manners)('no transaction is open when %s', (manner, headers) => {
  it.each(mutations)('%s waits for a name, a push, a fetch, the decoder or the storage', async (name) => {
    const [ctx, shop] = manner === 'in a dry run' ? dryRunShop : await newShop();
    const variables = calls[name]!(shop);
    waits = [];
    await api.call(ctx, name, variables, headers());
    expect(waits.filter(({ transactions }) => transactions > 0)).toEqual([]);
    const isRefused = name === 'testWebhook' && manner === 'in a dry run';
    const resolves = ['saveWebhook', 'testWebhook'].includes(name) && !isRefused;
    expect(waits.some(({ what }) => what === 'name')).toBe(resolves);
  });

  it('a sample is pushed', async () => {
    const ctx = await createContext(database.db);
    const { port } = await listenHttp(
      (socket) => void note('push').then(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')),
    );
    const scope = 'store/product/updated';
    await api.call(ctx, 'saveWebhook', { input: { endpoint: `http://receiver.example:${port}/`, scopes: [scope] } });
    await api.call(ctx, 'testWebhook', { scope }, headers());
    expect(waits.filter(({ transactions }) => transactions > 0)).toEqual([]);
    expect(waits.filter(({ what }) => what === 'push')).toHaveLength(manner === 'in a dry run' ? 0 : 3);
  });

  it.each(['url', 'base64', 'file'] as const)('a picture is uploaded by %s', async (source) => {
    const ctx = await createContext(database.db);
    const brand = await brandOf(ctx);
    // The test server creates the app's session at its first call.
    await api.call(ctx, 'listProductTag', {});
    const response = await fetch(`${api.url}${uploadPath}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ctx.merchantId}`, ...headers() },
      body: await uploadBody(brand, source),
    });
    expect([response.status, await response.json()]).toEqual([200, 'OK']);
    expect(waits.filter(({ transactions }) => transactions > 0)).toEqual([]);
    expect(new Set(waits.map(({ what }) => what))).toEqual(
      new Set([...(source === 'url' ? ['fetch'] : []), 'decoder', ...(manner === 'in a dry run' ? [] : ['storage'])]),
    );
  });
});

it('no transaction is open when the pictures of a bulk request are fetched', async () => {
  const ctx = await createContext(database.db);
  const picture = { imageUrl: `${pictures.url}/33.png`, isMain: true, order: 1 };
  const product = {
    name: 'P',
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 1 }], images: [picture] }],
  };
  // Pictures of the other tests cannot be fetched, and each attempt would take time.
  await database.owner.execute(sql`truncate bulk_operation_image`);
  expect((await api.call(ctx, 'bulkUpdateProducts', { input: [product] })).errors).toBeUndefined();
  await fetchBulkImages({ db: database.db, across: database.across, log: silent, ...watched });
  expect(waits.filter(({ transactions }) => transactions > 0)).toEqual([]);
  expect(new Set(waits.map(({ what }) => what))).toEqual(new Set(['fetch', 'decoder', 'storage']));
});

it('the check finds an open transaction', async () => {
  await database.db.transaction(async (transaction) => {
    await transaction.execute(sql`select 1`);
    await note('push');
  });
  expect(waits).toEqual([{ what: 'push', transactions: 1 }]);
});

/**
 * Counts the sessions in the state `idle in transaction`. Asking the database finds every transaction, whatever code
 * has opened it; single statements, which are transactions too, are not in this state.
 */
async function note(what: Wait['what']): Promise<void> {
  const [open] = await watching.db.execute<{ count: number }>(sql`
    select count(*)::int as "count" from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`);
  waits.push({ what, transactions: open!.count });
}

function watchedParts({ storage, decoder, outbound }: ImageDependencies): ImageDependencies {
  return {
    outbound,
    decoder: { ...decoder, original: async (...task) => await note('decoder').then(() => decoder.original(...task)) },
    storage: {
      ...storage,
      write: async (...object) => await note('storage').then(() => storage.write(...object)),
      exists: async (key) => await note('storage').then(() => storage.exists(key)),
      delete: async (key) => await note('storage').then(() => storage.delete(key)),
    },
  };
}

let width = 40;
async function uploadBody(brand: string, source: 'url' | 'base64' | 'file'): Promise<FormData> {
  const file = await noise((width += 1), 10)
    .png()
    .toBuffer();
  const members = {
    url: { url: `${pictures.url}/${width}.png` },
    base64: { base64: file.toString('base64') },
    file: {},
  };
  const form = new FormData();
  form.append('input', JSON.stringify({ brandImage: { brandIds: [brand], ...members[source] } }));
  if (source === 'file') form.append('file', new Blob([new Uint8Array(file)]));
  return form;
}
