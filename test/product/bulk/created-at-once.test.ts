import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { variantType } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../../src/context.ts';
import { pipeline } from '../../../src/db/connection/pipeline.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { lockedRows } from '../../../src/db/write/stored-rows.ts';
import { updateProduct } from '../../../src/product/updateProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { entry, type Feeds, feedsOf, type Read, size, sizes } from './feeds.ts';

const ROUNDS = 6;
const REQUESTS = 10;

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
let shop: Feeds;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  shop = feedsOf(server.call, ctx);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
const requests = Array.from({ length: REQUESTS }, (_, request) => request);
const prices = [{ sellPrice: 5 }];

/** Sends all requests at once and returns the errors of their responses. */
async function atOnce(send: (request: number) => ReturnType<Feeds['send']>): Promise<unknown[]> {
  const answers = await Promise.all(requests.map(send));
  return answers.flatMap(({ errors }) => errors ?? []);
}

/** The sums of the counts of the merchant's bulk operations. */
async function counts(): Promise<{ created: number; updated: number }> {
  const { data } = await server.call(ctx, 'listBulkOperation', { pagination: { limit: 200 } });
  const page = data!['listBulkOperation'] as { data: { created: number; updated: number }[] };
  const sum = (member: 'created' | 'updated') => page.data.reduce((total, one) => total + one[member], 0);
  return { created: sum('created'), updated: sum('updated') };
}

const sourceIds = (records: Read[]) => new Set(records.map(({ sourceId }) => sourceId));

describe('products with new source ids that several bulk requests send at once', () => {
  it('are created by one request and found by the others', async () => {
    for (const round of rounds) expect(await atOnce(() => shop.send(entry(`p${round}`, [{ prices }])))).toEqual([]);
    expect(sourceIds(await shop.products())).toEqual(new Set(rounds.map((round) => `p${round}`)));
    expect(await counts()).toEqual({ created: ROUNDS, updated: ROUNDS * (REQUESTS - 1) });
  });

  it('have the variants of all requests', async () => {
    const types = sizes(...requests.map(String));
    const variant = (request: number) => ({ sourceId: `v${request}`, prices, ...size(String(request)) });
    expect(await atOnce((request) => shop.send(entry('shirt', [variant(request)], types)))).toEqual([]);
    const { variants, version } = await shop.product();
    expect(sourceIds(variants)).toEqual(new Set(requests.map((request) => `v${request}`)));
    expect(version).toBe(REQUESTS);
  });

  it('may be different ones in each request, in any order', async () => {
    for (const round of rounds) {
      const names = requests.map((request) => `p${round}-${request}`);
      const some = (request: number) => [...names.slice(request), ...names.slice(0, request)].slice(0, 6);
      const send = (request: number) => shop.send(...some(request).map((name) => entry(name, [{ prices }])));
      expect(await atOnce(send)).toEqual([]);
    }
    expect((await counts()).created).toBe(ROUNDS * REQUESTS);
  });

  it('are found if saveProduct creates them; saveProduct refuses a used source id with its name', async () => {
    for (const round of rounds) {
      const sourceId = `p${round}`;
      const input = { sourceId, name: sourceId, type: 'PHYSICAL', variants: [{ prices }] };
      const send = async (request: number) =>
        request % 2 === 0
          ? await shop.send(entry(sourceId, [{ prices }]))
          : await server.call(ctx, 'saveProduct', { input });
      const errors = await atOnce(send);
      expect(errors.length).toBeGreaterThanOrEqual(REQUESTS / 2 - 1);
      for (const error of errors)
        expect(error).toMatchObject({
          message: 'Another product already has this sourceId.',
          path: ['saveProduct'],
          extensions: { code: 'CONFLICT' },
        });
    }
    expect(sourceIds(await shop.products())).toEqual(new Set(rounds.map((round) => `p${round}`)));
  });

  it('are found by mutations with an idempotency key', async () => {
    for (const round of rounds) {
      const input = [entry(`p${round}`, [{ prices }])];
      const key = (request: number) => ({ 'idempotency-key': `${round}-${request}` });
      const send = (request: number) => server.call(ctx, 'bulkUpdateProducts', { input }, key(request));
      expect(await atOnce(send)).toEqual([]);
    }
    expect(await counts()).toEqual({ created: ROUNDS, updated: ROUNDS * (REQUESTS - 1) });
  });
});

describe('a product that another transaction gives another source id meanwhile', () => {
  it('keeps it, and the bulk request creates a product with the former one', async () => {
    const input = { sourceId: 'former', name: 'Renamed', type: 'PHYSICAL', variants: [{ prices }] };
    const { id } = await shop.save('saveProduct', input);
    let sent: ReturnType<Feeds['send']> | undefined;
    await inTransaction(ctx, async (renaming) => {
      await updateProduct(renaming, { id, patch: { sourceId: 'later' } }, { id: {} });
      sent = shop.send(entry('former', [{ prices }]));
      await waitForLocks(database.db, 1);
    });
    expect((await sent!).errors).toBeUndefined();
    const names = (await shop.products()).map(({ name, sourceId }) => [sourceId, name]);
    expect(Object.fromEntries(names)).toEqual({ former: 'former', later: 'Renamed' });
  });
});

describe('a record that a bulk request has found by its name, and another transaction deletes meanwhile', () => {
  const named = (sourceId: string, sizeName: string) =>
    entry(sourceId, [{ prices, ...size(sizeName) }], {
      ...sizes(sizeName),
      brand: { name: 'Acme' },
      tags: [{ name: 'new' }],
    });

  it.each([
    ['deleteProductBrandList', 'listProductBrand'],
    ['deleteProductTagList', 'listProductTag'],
  ])('is created again: %s', async (operation, list) => {
    await shop.feed(named('shirt', 'S'));
    const [type] = await shop.list('listVariantType');
    const [before] = await shop.list(list);
    let sent: ReturnType<Feeds['send']> | undefined;
    await inTransaction(ctx, async (holding) => {
      await pipeline(holding, [lockedRows(holding, variantType, { member: 'id', ids: [type!.id] })]);
      sent = shop.send(named('trousers', 'M'));
      await waitForLocks(database.db, 1);
      expect((await server.call(ctx, operation, { idList: [before!.id] })).errors).toBeUndefined();
    });
    expect((await sent!).errors).toBeUndefined();
    const after = await shop.list(list);
    expect(after).toMatchObject([{ name: before!.name, id: expect.not.stringContaining(before!.id) }]);
    const trousers = (await shop.products()).find(({ name }) => name === 'trousers');
    expect(trousers).toMatchObject({ brand: { name: 'Acme' }, tags: [{ name: 'new' }] });
  });
});
