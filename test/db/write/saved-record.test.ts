import { expect, it } from 'vitest';
import { priceList } from '../../../drizzle/price-list.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { productTag } from '../../../drizzle/tag.ts';
import type { MerchantContext } from '../../../src/context.ts';
import { newRowOf, recordWrite } from '../../../src/db/write/saved-record.ts';

it('a new row has the default of each column that has one, and null or an empty list', () => {
  const row = newRowOf(product)();
  expect(row).toMatchObject({ version: 1, deleted: false, brandId: null, tagIds: [], attributes: null, weight: null });
  for (const member of ['merchantId', 'name', 'type', 'createdAt', 'updatedAt', 'attributeIds'])
    expect(row).not.toHaveProperty(member);
  expect(newRowOf(variant)()).toMatchObject({ isActive: true, barcodeList: [], sku: null });
  expect(newRowOf(priceList)()).not.toHaveProperty('currency');
});

it('each new row has its own id', () => {
  const create = newRowOf(variant);
  expect(create().id).not.toBe(create().id);
});

it('a member of an input that is no column cannot be written', () => {
  const row = { ...newRowOf(productTag)(), name: 'Sale', color: 'red' };
  // @ts-expect-error: there is no such column.
  const write = (ctx: MerchantContext) => recordWrite(ctx, productTag, row, { stored: null });
  expect(write).toBeTypeOf('function');
});
