import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listCategory } from '../../../src/category/listCategory.ts';
import type { Context } from '../../../src/context.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from '../../product-file/files.ts';

const MAX_LEVELS = 50;
const TOO_DEEP = 'must not make the tree deeper than 50 levels';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const levels = (count: number) => Array.from({ length: count }, (_, index) => `Level ${index + 1}`);
const entry = (sourceId: string, ...paths: string[][]) => ({
  sourceId,
  name: sourceId,
  type: 'PHYSICAL',
  categories: paths.map((name) => ({ name })),
  productVariantTypes: [],
  variants: [{ sku: sourceId, isActive: true, prices: [{ sellPrice: 1 }] }],
});
const bulk = (ctx: Context, ...entries: object[]) => bulkUpdateProducts(ctx, { input: entries as never });
const names = async (ctx: Context) =>
  (await listCategory(ctx, { pagination: { limit: 200 } }, { name: {} })).map(({ name }) => name);

describe('bulkUpdateProducts', () => {
  it('creates 50 levels of categories', async () => {
    const ctx = await createContext(database.db);
    await bulk(ctx, entry('deep', levels(MAX_LEVELS)));
    expect(await names(ctx)).toHaveLength(MAX_LEVELS);
  });

  it('creates nothing if a path has more names, and names each such path', async () => {
    const ctx = await createContext(database.db);
    const tooDeep = levels(MAX_LEVELS + 1);
    const sent = bulk(ctx, entry('a', ['Top'], tooDeep), entry('b', ['Top']), entry('c', levels(60), tooDeep));
    await expect(sent).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 0, 'categories', 1, 'name'], message: TOO_DEEP },
          { path: ['input', 2, 'categories', 0, 'name'], message: TOO_DEEP },
          { path: ['input', 2, 'categories', 1, 'name'], message: TOO_DEEP },
        ],
      },
    });
    expect(await names(ctx)).toEqual([]);
  });

  it('takes as many names of categories as a request may have', async () => {
    const ctx = await createContext(database.db);
    const paths = Array<string[]>(1_000).fill(['Top']);
    await bulk(ctx, ...Array.from({ length: 150 }, (_, index) => entry(`p-${index}`, ...paths)));
    expect(await names(ctx)).toEqual(['Top']);
  });

  it('takes a deeper category that is stored', async () => {
    const ctx = await createContext(database.db);
    await bulk(ctx, entry('deep', levels(MAX_LEVELS)));
    const [stored] = await database.db.execute<{ id: string }>(sql`
      insert into category (merchant_id, id, name, parent_id, path)
      select merchant_id, uuid_v7(), ${`Level ${MAX_LEVELS + 1}`}, id, path || id from category
      where merchant_id = ${ctx.merchantId} and name = ${`Level ${MAX_LEVELS}`} returning id`);
    await bulk(ctx, entry('deeper', levels(MAX_LEVELS + 1)));
    const { data } = await listProduct(ctx, { sourceId: { eq: 'deeper' } }, { data: { categoryIds: {} } });
    expect(data).toEqual([{ categoryIds: [stored!.id] }]);
  });
});

describe.each(Object.keys(FORMATS) as Format[])('an import of %s', (format) => {
  it('skips only the product whose category would be deeper than 50 levels', async () => {
    const ctx = await createContext(database.db);
    await bulk(ctx, entry('kept', ['Top']), entry('skipped', ['Below']));
    const deeper = levels(MAX_LEVELS + 1);
    const path = format === 'csv' ? deeper.join(' > ') : deeper.join('","');
    const text = (await exportFile(ctx, format)).text.replace('Below', path).replace('Top', 'Other');
    const { skipped } = await importFile(ctx, format, text);
    expect(skipped).toMatchObject([{ handle: 'skipped', mistakes: [{ reason: expect.stringContaining(TOO_DEEP) }] }]);
    expect((await names(ctx)).sort()).toEqual(['Below', 'Other', 'Top']);
  });
});
