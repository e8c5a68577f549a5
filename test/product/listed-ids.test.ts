import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { plainProduct, productSaver } from './products.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('columns with the ids of stored lists are filled for plain SQL too', async () => {
  const ctx = await createContext(database.db);
  const { id } = await productSaver(ctx)(plainProduct('a'));
  const own = sql`merchant_id = ${ctx.merchantId}`;
  const attributes = JSON.stringify([
    { productAttributeId: 'p', productAttributeOptionId: null, value: null, imageIds: ['i', 'j'] },
    { productAttributeId: null, productAttributeOptionId: null, value: 'v', imageIds: null },
  ]);
  await ctx.db.execute(
    sql`update product set attributes = ${attributes}, attribute_ids = '{forged}' where ${own} and id = ${id}`,
  );
  expect(
    await ctx.db.execute(
      sql`select to_json(attribute_ids) as attribute_ids, to_json(attribute_image_ids) as attribute_image_ids from product where ${own}`,
    ),
  ).toEqual([{ attribute_ids: ['p'], attribute_image_ids: ['i', 'j'] }]);
  await ctx.db.execute(sql`
    update variant set attributes = ${attributes}, images = '[{"imageId": "k"}]', variant_value_ids = '[{"variantTypeId": "t"}]', bundle_settings = '{"products": [{"productId": "b"}]}'
    where ${own} and product_id = ${id}`);
  const listed = ['image_ids', 'variant_type_ids', 'attribute_ids', 'attribute_image_ids', 'bundle_product_ids'].map(
    (name) => sql.raw(`to_json(${name}) as ${name}`),
  );
  const read = sql`select ${sql.join(listed, sql`, `)} from variant where ${own}`;
  expect(await ctx.db.execute(read)).toEqual([
    {
      image_ids: ['k'],
      variant_type_ids: ['t'],
      attribute_ids: ['p'],
      attribute_image_ids: ['i', 'j'],
      bundle_product_ids: ['b'],
    },
  ]);
  await ctx.db.execute(
    sql`update variant set attributes = null, images = null, variant_value_ids = null, bundle_settings = null where ${own} and product_id = ${id}`,
  );
  expect(await ctx.db.execute(read)).toEqual([
    {
      image_ids: null,
      variant_type_ids: null,
      attribute_ids: null,
      attribute_image_ids: null,
      bundle_product_ids: null,
    },
  ]);
});
