import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveCategory } from '../../src/category/saveCategory.ts';
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

async function save(slug: string, sourceId: string | null, variant: object = {}): Promise<string> {
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

describe('a product without a source id', () => {
  const line = { handle: 'tee', sourceId: 'erp-1' };
  const sourceIds = async () =>
    (await listProduct(ctx, {}, { data: { sourceId: {} } })).data.map(({ sourceId }) => sourceId);

  it('is found by its handle, gets the source id of the file, and is found by it then', async () => {
    await save('tee', null);
    expect(await importLines(line)).toMatchObject({ created: 0, updated: 1, skipped: [] });
    expect(await sourceIds()).toEqual(['erp-1']);
    expect(await importLines({ ...line, handle: 'renamed' })).toMatchObject({ created: 0, unchanged: 1, skipped: [] });
  });

  it('is not found by its handle if another product has the source id', async () => {
    await save('tee', null);
    await save('cap', 'erp-1');
    expect(await importLines({ ...line, name: 'Cap' })).toMatchObject({ created: 0, updated: 1, skipped: [] });
    expect(new Set(await sourceIds())).toEqual(new Set(['erp-1', null]));
  });

  it('is a product that the file has twice if two lines have its new source id', async () => {
    await save('tee', null);
    const { updated, skipped } = await importLines(line, { ...line, handle: 'other' });
    expect([updated, skipped]).toMatchObject([
      1,
      [{ line: 2, reason: 'is a product that the file has on line 1 already' }],
    ]);
  });
});

it('an id is no handle of a product that has a slug', async () => {
  const id = await save('tee', 'tee');
  expect(await importLines({ handle: id })).toMatchObject({ created: 1, updated: 0, skipped: [] });
});

describe('a product in a bundle is the one that the file has with this handle', () => {
  it('though another product of the shop has it as its slug', async () => {
    await save('tee', 'foreign');
    const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf('tee', 'own') }] };
    const tees = [
      { handle: 'own', sourceId: 'own' },
      { handle: 'tee', sourceId: 'new' },
    ];
    expect(await importLines(set, ...tees)).toMatchObject({ created: 3, skipped: [] });
    expect(await bundled('set')).toEqual(['new', 'own']);
  });

  it('though the shop has given it another slug since', async () => {
    await save('renamed', 'tee-1');
    const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf('tee') }] };
    expect(await importLines(set, { handle: 'tee', sourceId: 'tee-1' })).toMatchObject({ created: 1, skipped: [] });
    expect(await bundled('set')).toEqual(['tee-1']);
  });

  it('though the handle of a sheet is the source id of one product and the slug of another', async () => {
    await save('tee-2', 'tee');
    await save('tee', 'foreign');
    const json = JSON.stringify(bundleOf('tee')).replaceAll('"', '""');
    const sheet = `Handle,Title,Variant Price,Commerce / Variant Bundle\nset,Set,1,"${json}"\ntee,Tee,1,\n`;
    expect(await importFile(ctx, 'csv', sheet)).toMatchObject({ created: 1, skipped: [] });
    expect(await bundled('set')).toEqual(['tee']);
  });
});

it('a bundle is unchanged when it is imported again, though the shop has given its product another slug', async () => {
  await saveCategory(ctx, { input: { name: 'Mugs', metaData: { slug: 'mugs' } } }, { id: {} });
  const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf('mugs') }] };
  expect(await importLines(set, { handle: 'mugs' })).toMatchObject({ created: 2, skipped: [] });
  expect((await exportFile(ctx, 'jsonl')).text).toContain('"product":"mugs-2"');
  expect(await importLines(set, { handle: 'mugs' })).toMatchObject({ updated: 0, unchanged: 2, skipped: [] });
});

it('a product in a bundle that is refused, because its source id has NUL, does not end the import', async () => {
  const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf('tee') }] };
  const { created, skipped } = await importLines(set, { handle: 'tee', sourceId: 'a\0b' });
  expect([created, skipped.map(({ handle }) => handle)]).toEqual([1, ['set', 'tee']]);
});

it('a product in a bundle that only the shop has is found by its slug, else its source id', async () => {
  await save('tee', 'one');
  await save('cap', 'two');
  const set = { handle: 'set', variants: [{ ...PRICED, bundle: bundleOf('tee', 'two') }] };
  expect(await importLines(set)).toMatchObject({ created: 1, skipped: [] });
  expect(await bundled('set')).toEqual(['one', 'two']);
});

describe('a variant in a bundle', () => {
  const sized = (...sizes: [string, object][]) =>
    sizes.map(([variantValueName, members]) => ({
      ...PRICED,
      ...members,
      variantValues: [{ variantTypeName: 'Size', variantValueName }],
    }));
  const setOf = (variant: string) => {
    const products = [{ product: 'tee', variants: [variant], id: '1', quantity: 1, order: 1 }];
    const bundle = { maxBundleQuantity: null, minBundleQuantity: null, products };
    return { handle: 'set', variants: [{ ...PRICED, bundle }] };
  };
  const tee = { handle: 'tee', variants: sized(['S', {}], ['M', {}]) };

  it('is found by its values if the shop has another source id for it, and is unchanged then', async () => {
    await importLines({ handle: 'tee', variants: sized(['S', { sourceId: 'erp-1' }], ['M', { sourceId: 'erp-2' }]) });
    expect(await importLines(setOf('M'), tee)).toMatchObject({ created: 1, skipped: [] });
    const { text } = await exportFile(ctx, 'jsonl');
    expect(text).toContain('"product":"tee","variants":["erp-2"]');
    expect(await importLines(setOf('M'), tee)).toMatchObject({ unchanged: 2, skipped: [] });
    expect(await importLines(setOf('S'), tee)).toMatchObject({ updated: 1, unchanged: 1, skipped: [] });
  });

  it('is the one with this source id, though another one has it as its value', async () => {
    await importLines({ handle: 'tee', variants: sized(['S', { sourceId: 'M' }], ['M', { sourceId: 'S' }]) });
    expect(await importLines(setOf('M'))).toMatchObject({ created: 1, skipped: [] });
    const { text } = await exportFile(ctx, 'jsonl');
    expect(text).toContain('"product":"tee","variants":["M"]');
  });
});
