import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { listProduct } from '../../src/product/listProduct.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import {
  allOfProduct as all,
  asProductInput,
  fullProductInput,
  plainProduct as plain,
  productSaver,
  variantTypeOf,
} from './products.ts';

let database: TestDatabase;
let ctx: Context;
let stranger: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

const save = (input: object, context = ctx) => productSaver(context)(input);

describe('saveProduct', () => {
  it('stores every member of a product', async () => {
    const input = await fullProductInput(ctx);
    const product = await save(input);
    expect(product).toMatchObject({
      name: 'Full',
      version: 1,
      brandId: input.brandId,
      tagIds: input.tagIds,
      salesChannelIds: input.salesChannelIds,
      hiddenSalesChannelIds: input.hiddenSalesChannelIds,
      weight: 1.25,
      maxQuantityPerCart: 3,
      releaseDate: 1_700_000_000_000,
      brand: { id: input.brandId, deleted: false },
      tags: input.tagIds.map((id) => ({ id })),
      baseUnit: input.baseUnit,
      translations: input.translations,
      totalStock: 0,
      description: input.description,
      productVariantTypes: input.productVariantTypes,
      salesChannels: input.salesChannels,
    });
    expect(product.metaData!.slug).toBe(input.metaData.slug);
    expect(product.variants).toHaveLength(2);
    expect(product.variants[0]).toMatchObject({
      sku: 'S-1',
      barcodeList: ['111', '222'],
      images: [{ imageId: 'i1', isMain: true }],
      attributes: [],
      unit: { amount: 2, type: 'GRAM' },
      variantValueIds: input.variants[0]!.variantValueIds,
      prices: [
        {
          sellPrice: 19.99,
          buyPrice: 0.1,
          currency: 'USD',
          currencyCode: 'USD',
          currencySymbol: '$',
          priceListId: null,
        },
        {
          sellPrice: 1_234_567_890_123.25,
          currency: 'EUR',
          currencySymbol: '€',
          priceListId: input.dynamicPriceListIds[0],
        },
      ],
    });
    expect(product.variants[1]!.bundleSettings).toMatchObject({
      maxBundleQuantity: 5,
      minBundleQuantity: null,
      products: [{ id: 'k', quantity: 2, filteredVariantIds: [] }],
    });
  });

  it('changes nothing when a product is sent back as it was read', async () => {
    const before = await save(await fullProductInput(ctx));
    expect(await save(asProductInput(before))).toEqual(before);
  });

  it('changes updatedAt and version when a product is deleted and restored, but not if it is deleted already', async () => {
    const saved = await save(plain('Gone'));
    const list = async () =>
      (await listProduct(ctx, { id: { eq: saved.id }, includeDeleted: true }, { data: all })).data[0]!;
    await deleteProductList(ctx, { idList: [saved.id] });
    const deleted = await list();
    expect(deleted.version).toBe(saved.version + 1);
    expect(deleted.updatedAt).toBeGreaterThan(saved.updatedAt!);
    await deleteProductList(ctx, { idList: [saved.id] });
    expect(await list()).toEqual(deleted);
    const restored = await save({ ...asProductInput(deleted), deleted: false });
    expect(restored.version).toBe(saved.version + 2);
    expect(restored.updatedAt).toBeGreaterThan(deleted.updatedAt!);
  });

  it('changes updatedAt and version with the metadata', async () => {
    const before = await save(plain('Page'));
    const metaData = { slug: before.metaData!.slug, pageTitle: 'T' };
    const after = await save({ ...asProductInput(before), metaData });
    expect(after).toMatchObject({ version: before.version + 1, metaData });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
    expect(await save({ ...asProductInput(after), metaData })).toEqual(after);
  });

  it('keeps what is left out, clears what is null and replaces lists', async () => {
    const full = await save(await fullProductInput(ctx));
    const kept = await save({
      id: full.id,
      name: 'Full',
      type: 'PHYSICAL',
      variants: [{ id: full.variants[0]!.id, prices: [] }],
    });
    expect(kept).toMatchObject({
      brandId: full.brandId,
      tagIds: full.tagIds,
      salesChannelIds: full.salesChannelIds,
      translations: full.translations,
    });
    expect(kept.variants).toMatchObject([{ id: full.variants[0]!.id, sku: 'S-1', prices: full.variants[0]!.prices }]);
    const cleared = await save({
      id: full.id,
      name: 'Full',
      type: 'PHYSICAL',
      brandId: null,
      tagIds: null,
      weight: null,
      variants: [],
    });
    expect(cleared).toMatchObject({
      brandId: null,
      brand: null,
      tagIds: [],
      tags: [],
      weight: null,
      variants: [],
      salesChannelIds: full.salesChannelIds,
    });
  });

  it('keeps price rows of price lists that are not mentioned', async () => {
    const {
      dynamicPriceListIds: [priceListId],
    } = await fullProductInput(ctx);
    const product = await save({
      ...plain('Prices'),
      variants: [{ prices: [{ sellPrice: 1 }, { sellPrice: 2, priceListId }] }],
    });
    const saved = await save({
      ...plain('Prices'),
      id: product.id,
      variants: [{ id: product.variants[0]!.id, prices: [{ sellPrice: 3 }] }],
    });
    expect(saved.variants[0]!.prices).toMatchObject([
      { sellPrice: 3, priceListId: null },
      { sellPrice: 2, priceListId },
    ]);
  });

  it('restores a variant that is sent again', async () => {
    const product = await save(plain('Lazarus', 'L'));
    await save({ id: product.id, name: 'Lazarus', type: 'PHYSICAL', variants: [] });
    const restored = await save({
      id: product.id,
      name: 'Lazarus',
      type: 'PHYSICAL',
      variants: [{ id: product.variants[0]!.id, prices: [] }],
    });
    expect(restored.variants).toMatchObject([
      { id: product.variants[0]!.id, sku: 'L', deleted: false, prices: [{ sellPrice: 10 }] },
    ]);
  });

  it('names the invalid member', async () => {
    const wrong = async (input: object) =>
      await save(input).then(
        () => null,
        (error: object) => error,
      );
    const issue = (...path: unknown[]) => ({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', ...path] }] },
    });
    expect(await wrong({ ...plain('x'), variants: [{ prices: [] }] })).toMatchObject(issue('variants', 0, 'prices'));
    expect(await wrong({ ...plain('x'), variants: [{ prices: [{ sellPrice: 1 }, { sellPrice: 2 }] }] })).toMatchObject(
      issue('variants', 0, 'prices', 1, 'priceListId'),
    );
    expect(await wrong(plain('x', null, -1))).toMatchObject(issue('variants', 0, 'prices', 0, 'sellPrice'));
    expect(await wrong(plain('x', null, Number.POSITIVE_INFINITY))).toMatchObject(
      issue('variants', 0, 'prices', 0, 'sellPrice'),
    );
    expect(await wrong(plain('nul\0'))).toMatchObject(issue('name'));
    for (const [member, type] of [
      ['brandId', 'ProductBrand'],
      ['groupVariantsByVariantTypeId', 'ProductVariantType'],
    ] as const) {
      expect(await wrong({ ...plain('x'), [member]: newId() })).toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type, path: ['input', member] },
      });
    }
    const lists = {
      categoryIds: 'Category',
      tagIds: 'ProductTag',
      dynamicPriceListIds: 'PriceList',
      salesChannelIds: 'SalesChannel',
      hiddenSalesChannelIds: 'SalesChannel',
    };
    for (const [member, type] of Object.entries(lists)) {
      expect(await wrong({ ...plain('x'), [member]: ['nonsense'] })).toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type, ids: ['nonsense'], path: ['input', member, 0] },
      });
    }
    expect(await wrong({ ...plain('x'), variants: [{ id: newId(), prices: [{ sellPrice: 1 }] }] })).toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Variant', path: ['input', 'variants', 0, 'id'] },
    });
    expect((await listProduct(ctx, { name: { eq: 'x' } }, { count: {}, data: all })).count).toBe(0);
  });

  it('refuses a value of another variant type', async () => {
    const [size, colour] = [await variantTypeOf(ctx, 'A'), await variantTypeOf(ctx, 'B')];
    const variants = [
      {
        prices: [{ sellPrice: 1 }],
        variantValueIds: [{ variantTypeId: size.id, variantValueId: colour.values[0]!.id }],
      },
    ];
    await expect(save({ ...plain('x'), variants })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'VariantValue', path: ['input', 'variants', 0, 'variantValueIds', 0, 'variantValueId'] },
    });
  });

  it('keeps references to records deleted since, but accepts no new ones', async () => {
    const brand = await saveProductBrand(ctx, { input: { name: newId() } }, { id: {} });
    const product = await save({ ...plain('Referring'), brandId: brand.id });
    await database.db.execute(
      sql`update product_brand set deleted = true where merchant_id = ${ctx.merchantId} and id = ${brand.id}`,
    );
    await expect(save(asProductInput(product))).resolves.toMatchObject({ brandId: brand.id, brand: { deleted: true } });
    await expect(save({ ...plain('New'), brandId: brand.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  // docs/reliability-tests.md: 57
  it('answers CONFLICT to all except one of many saves of the same version', async () => {
    const product = await save(plain('Race'));
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        save({ ...asProductInput(product), description: `${index}`, version: product.version }),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'CONFLICT' });
  });

  it('loses none of 200 concurrent updates', async () => {
    const product = await save(plain('Busy'));
    const variants = [{ id: product.variants[0]!.id, prices: [] }];
    const saves = Array.from({ length: 200 }, (_, index) =>
      save({
        id: product.id,
        name: 'Busy',
        type: 'PHYSICAL',
        variants,
        ...(index % 2 ? { vendorId: `v${index}` } : { description: `d${index}` }),
      }),
    );
    const versions = (await Promise.all(saves)).map(({ version }) => version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 200 }, (_, index) => product.version + index + 1));
    const [after] = (await listProduct(ctx, { id: { eq: product.id } }, { data: all })).data;
    expect(after!.vendorId).toMatch(/^v/);
    expect(after!.description).toMatch(/^d/);
  });

  it('neither changes nor shows data of another merchant', async () => {
    const mine = await save(plain('Mine'));
    for (const id of [mine.id, newId()]) {
      await expect(save({ ...plain('Theirs'), id }, stranger)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: `Product not found: ${id}`,
      });
    }
    await expect(deleteProductList(stranger, { idList: [mine.id] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await listProduct(stranger, {}, { count: {}, data: all })).count).toBe(0);
  });
});

describe('listProduct', () => {
  it('filters on variants: any matches, none for ne and nin', async () => {
    const own = await createContext(database.db);
    await save(
      {
        ...plain('two'),
        variants: [
          { sku: 'A', barcodeList: ['1'], prices: [{ sellPrice: 1 }] },
          { sku: 'B', prices: [{ sellPrice: 1 }] },
        ],
      },
      own,
    );
    await save(plain('one', 'B'), own);
    await save(plain('none'), own);
    const names = async (args: object) =>
      (await listProduct(own, args, { data: all })).data.map(({ name }) => name).sort();
    expect(await names({ sku: { eq: 'A' } })).toEqual(['two']);
    expect(await names({ sku: { in: ['A', 'B'] } })).toEqual(['one', 'two']);
    expect(await names({ sku: { ne: 'A' } })).toEqual(['none', 'one']);
    expect(await names({ sku: { nin: ['A', 'B'] } })).toEqual(['none']);
    expect(await names({ sku: { eq: 'B', ne: 'A' } })).toEqual(['one']);
    expect(await names({ barcodeList: { eq: '1' } })).toEqual(['two']);
    expect(await names({ barcodeList: { ne: '1' } })).toEqual(['none', 'one']);
    expect(await names({ search: 'ON' })).toEqual(['none', 'one']);
    expect(await names({ search: 'a' })).toEqual(['two']);
    expect(await names({ brandId: { ne: newId() } })).toEqual(['none', 'one', 'two']);
  });

  it('filters by references of products', async () => {
    const own = await createContext(database.db);
    const input = await fullProductInput(own);
    const full = await save(input, own);
    const ids = async (args: object) => (await listProduct(own, args, { data: all })).data.map(({ id }) => id);
    const hits = {
      brandId: input.brandId,
      tagIds: input.tagIds[1],
      salesChannelIds: input.salesChannelIds[0],
      variantTypeId: input.productVariantTypes[0]!.variantTypeId,
      categoryIds: input.categoryIds[0],
      attributeId: input.attributes[0]!.productAttributeId,
    };
    for (const [argument, id] of Object.entries(hits)) {
      expect(await ids({ [argument]: { eq: id } }), argument).toEqual([full.id]);
      expect(await ids({ [argument]: { in: [newId(), id] } }), argument).toEqual([full.id]);
      expect(await ids({ [argument]: { nin: [id] } }), argument).not.toContain(full.id);
      expect(await ids({ [argument]: { eq: newId() } }), argument).toEqual([]);
    }
    expect(await ids({ salesChannelIds: { eq: input.hiddenSalesChannelIds[0] } })).toEqual([]);
    expect(
      await ids({ bundleProductsProductId: { eq: input.variants[1]!.bundleSettings!.products[0]!.productId } }),
    ).toEqual([full.id]);
    await deleteProductList(own, { idList: [full.id] });
    expect(await ids({ id: { eq: full.id } })).toEqual([]);
    expect(await ids({ id: { eq: full.id }, includeDeleted: true })).toEqual([full.id]);
  });

  it('returns the same pages by number and by cursor in every order', async () => {
    const own = await createContext(database.db);
    for (const name of ['b', 'Ä', 'c', 'a', 'B']) await save(plain(name), own);
    await database.db.execute(sql`update product set created_at = '2026-01-01' where merchant_id = ${own.merchantId}`);
    for (const sort of ['name', '-name', 'createdAt', '-createdAt', undefined]) {
      const whole = (await listProduct(own, { sort }, { data: all })).data.map(({ id }) => id);
      expect(await paged(own, sort)).toEqual([whole, whole]);
      if (sort !== 'name' && sort !== '-name') expect(whole).toEqual([...whole].sort());
    }
    const sorted = (await listProduct(own, { sort: 'name' }, { data: all })).data.map(({ name }) => name);
    expect(sorted).toEqual(['a', 'Ä', 'b', 'B', 'c']);
    expect(await listProduct(own, { pagination: { page: 9 } }, { count: {}, data: all })).toMatchObject({
      data: [],
      count: 5,
      hasNext: false,
      endCursor: null,
    });
    await expect(listProduct(own, { sort: 'price' }, { data: all })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      message: expect.stringContaining('createdAt, updatedAt, name') as string,
    });
  });

  it('reads a page in one statement', async () => {
    const before = database.statements.length;
    await listProduct(ctx, { pagination: { limit: 200 } }, { count: {}, data: all });
    expect(database.statements.length - before).toBe(1);
  });

  it('reads columns once from which several members are computed', async () => {
    const before = database.statements.length;
    const prices = { currency: {}, currencyCode: {}, currencySymbol: {} };
    await listProduct(ctx, {}, { data: { categories: { id: {} }, categoryIds: {}, variants: { prices } } });
    const [statement] = database.statements.slice(before) as [string];
    const times = (text: string): number => statement.split(text).length - 1;
    // The merchant's currency is read for the prices, and for price lists that compute theirs from base prices.
    expect(["'byConditions'", "'priceListId')::uuid", 'from "merchant"', "'ruleList'"].map(times)).toEqual([
      1, 1, 2, 1,
    ]);
  });
});

/** The ids of five products, read two at a time by page number and by cursor. */
async function paged(own: Context, sort: string | undefined): Promise<[string[], string[]]> {
  const byPage: string[] = [];
  const byCursor: string[] = [];
  let after: string | null = null;
  for (let page = 1; page <= 3; page++) {
    const numbered = await listProduct(own, { sort, pagination: { page, limit: 2 } }, { count: {}, data: all });
    expect(numbered).toMatchObject({ count: 5, page, limit: 2, hasNext: page < 3 });
    byPage.push(...numbered.data.map(({ id }) => id));
    const next = await listProduct(own, { sort, pagination: { limit: 2, after } }, { data: all, endCursor: {} });
    byCursor.push(...next.data.map(({ id }) => id));
    after = next.endCursor;
  }
  return [byPage, byCursor];
}
