import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import type { Context } from '../../src/context.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from './files.ts';

/** Values that the service never writes. `{id}`: of an attribute, or of a variant type. */
const CASES: [table: string, column: string, value: string][] = [
  ['variant', 'bundle_settings', '{}'],
  ['variant', 'bundle_settings', '5'],
  ['variant', 'bundle_settings', '{"products": [null, {"productId": 5}, {"productId": "x"}]}'],
  ['variant', 'bundle_settings', '{"products": [{"productId": "{product}"}]}'],
  ['variant', 'attributes', '[{"productAttributeId": "{attribute}", "productAttributeOptionId": null}]'],
  ['variant', 'attributes', '[{"productAttributeId": "{attribute}", "productAttributeOptionId": null, "value": 5}]'],
  ['product', 'attributes', '[{"productAttributeId": "{attribute}", "productAttributeOptionId": null}]'],
  ['product', 'product_variant_types', '[{"variantTypeId": "{type}"}]'],
  ['product', 'product_variant_types', '[{"variantTypeId": "{type}", "order": 0, "variantValueIds": 5}]'],
  ['product', 'product_variant_types', '[{"variantTypeId": "{type}", "order": 0, "variantValueIds": ["x", null]}]'],
  ['variant', 'prices', '[{"sellPrice": 3, "priceListId": "x"}]'],
];

let database: TestDatabase;
let ctx: Context;
let ids: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
  const attribute = await saveProductAttribute(ctx, { input: { name: 'Care', type: 'CHOICE' } } as never, { id: {} });
  const input = { name: 'Size', selectionType: 'choice', values: [{ name: 'S' }] };
  const type = await saveVariantType(ctx, { input } as never, { id: {} });
  await product('whole');
  ids = { attribute: attribute.id, type: type.id, product: await product('damaged') };
});

async function product(slug: string): Promise<string> {
  const variants = [{ sku: slug, prices: [{ sellPrice: 1 }] }];
  const input = { name: slug, type: 'PHYSICAL', variants, metaData: { slug } };
  return (await saveProduct(ctx, { input } as never, { id: {} })).id;
}

async function damage(table: string, column: string, value: string): Promise<void> {
  const key = sql.identifier(table === 'product' ? 'id' : 'product_id');
  const json = value.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
  await database.db.execute(sql`
    update ${sql.identifier(table)} set ${sql.identifier(column)} = ${json}::json
    where merchant_id = ${ctx.merchantId} and ${key} = ${ids['product']}`);
}

describe.each(Object.keys(FORMATS) as Format[])('%s of a shop of which plain SQL damaged a product', (format) => {
  it.each(CASES)('has all products, and can be imported: %s.%s = %s', async (table, column, value) => {
    await damage(table, column, value);
    const { text } = await exportFile(ctx, format);
    for (const slug of ['whole', 'damaged']) expect(text).toContain(slug);
    await importFile(ctx, format, text.replaceAll('whole', 'other'));
  });

  it('has a base price that was stored without a price list', async () => {
    await damage('variant', 'prices', '[{"sellPrice": 3.25}]');
    const { text, omitted } = await exportFile(ctx, format);
    expect(text).toContain('3.25');
    expect(omitted).toEqual([]);
  });
});
