import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { AcrossMerchants } from '../../../src/db/connection/across-merchants.ts';
import { claimBulkImages, merchantsWithDueImages } from '../../../src/image/bulk/claim-bulk-images.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { explaining } from '../../support/plan.ts';

const BACKLOG = 50_000;

let database: TestDatabase;
let busy: Context;
let second: Context;
let waiting: Context;

beforeAll(async () => {
  database = await createDatabase();
  [busy, second, waiting] = [await shop(), await shop(), await shop()];
  await database.db.execute(sql`
    insert into bulk_operation_image (merchant_id, id, bulk_operation_id, product_id, variant_id, path, url, is_main, "order",
      next_attempt_at)
    select merchant_id, uuid_v7(), bulk_operation_id, product_id, variant_id, path, url, is_main, n, now() - interval '1 hour'
    from bulk_operation_image, generate_series(1, ${BACKLOG}::int) as n where merchant_id = ${busy.merchantId}`);
  await database.db.execute(sql`
    update bulk_operation_image set next_attempt_at = now() - interval '2 hours' where merchant_id = ${second.merchantId}`);
  await database.db.execute(sql`
    update bulk_operation_image set next_attempt_at = now() + interval '1 hour' where merchant_id = ${waiting.merchantId}`);
  await database.owner.execute(sql`analyze bulk_operation_image`);
}, 120_000);
afterAll(() => database.drop());

/** A merchant with a pending picture. */
async function shop(): Promise<Context> {
  const ctx = await createContext(database.db);
  const images = [{ imageUrl: 'https://pictures.example/a.png', isMain: true, order: 0 }];
  const variants = [{ isActive: true, prices: [{ sellPrice: 1 }], images }];
  const entry = { name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants };
  await bulkUpdateProducts(ctx, { input: [entry] as never });
  return ctx;
}

describe('with a long backlog of one merchant', () => {
  it('the merchants with due pictures are found by one look into the index for each', async () => {
    const plans: string[] = [];
    const across = new AcrossMerchants(explaining(database.db, plans));
    expect(await merchantsWithDueImages({ across }, 10)).toEqual([second.merchantId, busy.merchantId]);
    expect(await merchantsWithDueImages({ across }, 1)).toEqual([second.merchantId]);
    expect(plans).toHaveLength(8);
    for (const plan of plans) expectOneLook(plan);
  });

  it('its next pictures are claimed without reading all of them', async () => {
    const plans: string[] = [];
    const claimed = await claimBulkImages({ ...busy, db: explaining(database.db, plans) }, 4, 1_000);
    expect(claimed).toHaveLength(4);
    expectOneLook(plans[0]!);
  });
});

function expectOneLook(plan: string): void {
  expect(plan).toContain('bulk_operation_image_due');
  expect(plan).not.toMatch(/Sort|Seq Scan/);
}
