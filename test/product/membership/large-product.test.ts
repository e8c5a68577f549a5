import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { updateMemberships } from '../../../src/product/membership/update-memberships.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../worker/webhooks/receiver.ts';
import { plainProduct } from '../products.ts';

const ATTRIBUTES = 100_000;
const VALUES = 2_000;
const IDS_PER_VALUE = 6;
/** Comparing each id with each other one took 26 s: PostgreSQL does not check the statement timeout meanwhile. */
const SETTLED_WITHIN_MS = 12_000;

let database: TestDatabase;
let large: Context;
let other: Context;
beforeAll(async () => {
  database = await createDatabase();
  large = await createContext(database.db);
  other = await createContext(database.db);
});
afterAll(() => database.drop());

const ids = (length: number): string[] => Array.from({ length }, newId);

it('a product with 100,000 attributes does not delay the categories of another merchant', async () => {
  const values = Array.from({ length: VALUES }, () => ids(IDS_PER_VALUE).join(':'));
  await automate(large, [{ conditionType: 'PRODUCT_ATTRIBUTE', valueList: values }]);
  const { id } = await saveProduct(large, { input: plainProduct('Large') as never }, { id: {} });
  const attributes = ids(ATTRIBUTES).map((productAttributeId) => ({ productAttributeId, value: 'x' }));
  await database.owner.execute(sql`
    update product set attributes = ${JSON.stringify(attributes)}::json
    where merchant_id = ${large.merchantId} and id = ${id}`);
  await automate(other, [{ conditionType: 'PRODUCT_NAME', valueList: ['mug'] }]);
  await saveProduct(other, { input: plainProduct('Mug') as never }, { id: {} });
  const stopping = new AbortController();
  const updating = updateMemberships(database, stopping.signal);
  const members = await until(
    async () =>
      await database.db.execute(sql`
      select from category_product where merchant_id = ${other.merchantId} and by_conditions`),
    (rows) => rows.length > 0,
    SETTLED_WITHIN_MS,
  );
  stopping.abort();
  await updating;
  expect(members).toHaveLength(1);
}, 60_000);

/** Stores the conditions by plain SQL, because the service refuses ids of unknown attributes. */
async function automate(ctx: Context, conditions: object[]): Promise<void> {
  const { id } = await saveCategory(ctx, { input: { name: 'automated' } }, { id: {} });
  await database.db.execute(sql`
    update category set is_automated = true, conditions = ${JSON.stringify(conditions)}::json
    where merchant_id = ${ctx.merchantId} and id = ${id}`);
}
