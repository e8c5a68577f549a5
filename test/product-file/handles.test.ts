import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const PRICED = { prices: [{ sellPrice: 1 }] };

async function save(slug: string, sourceId: string, variant: object = {}): Promise<string> {
  const input = { name: slug, type: 'PHYSICAL', sourceId, variants: [{ ...PRICED, ...variant }], metaData: { slug } };
  return (await saveProduct(ctx, { input } as never, { id: {} })).id;
}

/** As plain SQL writes a product: without a slug and without a source id. */
async function saveWithoutSlug(variant: object = {}): Promise<string> {
  const id = await save('plain', 'plain', variant);
  const owned = sql`merchant_id = ${ctx.merchantId}`;
  await database.owner.execute(sql`delete from html_meta_data where ${owned} and target_id = ${id}`);
  await database.owner.execute(sql`update product set source_id = null where ${owned} and id = ${id}`);
  return id;
}

function bundleOf(...handles: string[]): object {
  const products = handles.map((product, order) => ({ product, variants: [], id: `${order}`, quantity: 1, order }));
  return { maxBundleQuantity: null, minBundleQuantity: null, products };
}

async function importLines(...lines: object[]) {
  const text = lines.map((line) => JSON.stringify({ name: 'Tee', type: 'PHYSICAL', variants: [PRICED], ...line }));
  return await importFile(ctx, 'jsonl', text.join('\n'));
}

async function bundled(sourceId: string): Promise<(string | null)[]> {
  const { data } = await listProduct(
    ctx,
    {},
    { data: { id: {}, sourceId: {}, variants: { bundleSettings: { products: { productId: {} } } } } },
  );
  const { variants } = data.find((product) => product.sourceId === sourceId)!;
  const sources = new Map(data.map((product) => [product.id, product.sourceId ?? null]));
  return variants[0]!.bundleSettings!.products!.map(({ productId }) => sources.get(productId) ?? null);
}

describe('a product without a slug', () => {
  it.each(Object.keys(FORMATS) as Format[])('is found by its id when its export is imported (%s)', async (format) => {
    await saveWithoutSlug();
    const { text } = await exportFile(ctx, format);
    expect(await importFile(ctx, format, text)).toMatchObject({ created: 0, updated: 0, unchanged: 1, skipped: [] });
  });

  it('is found by its id in a bundle', async () => {
    const id = await saveWithoutSlug();
    const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf(id) }] };
    expect(await importLines(set)).toMatchObject({ created: 1, skipped: [] });
    expect(await bundled('set')).toEqual([null]);
  });

  it('is not the product of another merchant', async () => {
    const id = await saveWithoutSlug();
    ctx = await createContext(database.db);
    expect(await importLines({ handle: id })).toMatchObject({ created: 1, skipped: [] });
  });
});

it('an id is no handle of a product that has a slug', async () => {
  const id = await save('tee', 'tee');
  expect(await importLines({ handle: id })).toMatchObject({ created: 1, updated: 0, skipped: [] });
});
