import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { attachToVariants } from '../../src/image/attach-image.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { updateProduct } from '../../src/product/updateProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, importFile } from './files.ts';

/** Two lines of this length are in two batches. */
const LINE_LENGTH = 6 * 1_048_576;

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

function line(handle: string, variant: object = {}): string {
  const exported = { updatedAt: '2026-01-01T00:00:00.000Z', stockUpdatedAt: null };
  const variants = [{ sku: handle, prices: [{ sellPrice: 1 }], ...variant }];
  return JSON.stringify({ handle, name: handle, type: 'PHYSICAL', ...exported, variants });
}

const CONTENT = { product: 'tee', variants: [], id: '1', quantity: 1, order: 1 };
const SET = line('a-set', { bundle: { maxBundleQuantity: null, minBundleQuantity: null, products: [CONTENT] } });

async function products() {
  const selection = { id: {}, name: {}, variants: { id: {}, bundleSettings: { products: { productId: {} } } } };
  return (await listProduct(ctx, { sort: 'name' }, { data: selection })).data;
}

async function removeBundle(): Promise<void> {
  const [set] = await products();
  const variants = [{ id: set!.variants[0]!.id, bundleSettings: null }];
  await updateProduct(ctx, { id: set!.id, patch: { variants } }, { id: {} });
}

describe('an import', () => {
  it('that was interrupted before the products of a bundle goes on with the same file', async () => {
    const file = [SET.padEnd(LINE_LENGTH), line('tee').padEnd(LINE_LENGTH)].join('\n');
    const interruption = new AbortController();
    const options = { signal: interruption.signal, onBatch: () => interruption.abort() };
    expect(await importFile(ctx, 'jsonl', file, options)).toMatchObject({ created: 1, skipped: [], interrupted: true });
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 1, updated: 1, skipped: [] });
    const [set, tee] = await products();
    expect(set!.variants[0]!.bundleSettings!.products).toEqual([{ productId: tee!.id }]);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ unchanged: 2, skipped: [] });
  });

  it('goes on with a product whose pictures were fetched meanwhile', async () => {
    const url = 'https://p.example/1.jpg';
    const picture = { images: [{ imageUrl: url, isMain: true, order: 1 }] };
    const set = line('a-set', { ...JSON.parse(SET).variants[0], ...picture });
    const file = [set.padEnd(LINE_LENGTH), line('tee').padEnd(LINE_LENGTH)].join('\n');
    const interruption = new AbortController();
    const options = { signal: interruption.signal, onBatch: () => interruption.abort() };
    expect(await importFile(ctx, 'jsonl', file, options)).toMatchObject({ created: 1, imagesPending: 1 });
    const [stored] = await products();
    const added = { imageId: newId(), sourceUrl: url, isMain: true, order: 1 };
    await attachToVariants(ctx, { ids: [stored!.variants[0]!.id], idsPath: [] }, added);
    await ctx.db.execute(sql`update bulk_operation_image set state = 'DONE' where merchant_id = ${ctx.merchantId}`);
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 1, updated: 1, skipped: [] });
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ unchanged: 2, skipped: [] });
  });

  it('skips a product that it has created and whose bundle the shop has removed', async () => {
    const file = [SET, line('tee')].join('\n');
    await importFile(ctx, 'jsonl', file);
    await removeBundle();
    const reason = expect.stringContaining('has been changed in the shop');
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ updated: 0, skipped: [{ handle: 'a-set', reason }] });
  });

  it('skips a product whose bundle the shop has removed since the export', async () => {
    await importFile(ctx, 'jsonl', [SET, line('tee')].join('\n'));
    const { text } = await exportFile(ctx, 'jsonl');
    await removeBundle();
    const reason = expect.stringContaining('has been changed in the shop');
    expect(await importFile(ctx, 'jsonl', text)).toMatchObject({ updated: 0, skipped: [{ handle: 'a-set', reason }] });
  });
});
