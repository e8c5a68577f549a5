import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claimDeliveries } from '../../../src/webhook/ledger/claim-deliveries.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { createEvents, save } from '../deliveries.ts';

const HALF_MEGABYTE = 500_000;

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('counts what deliveries have beside their data in the limit of bytes', async () => {
  const ctx = await createContext(database.db);
  await save(ctx, ['store/customer/created']);
  const ids = await createEvents(ctx, 3);
  await database.db.execute(sql`
    update webhook_delivery set changes = json_build_object('changedPaths', null, 'previous', repeat('x', ${HALF_MEGABYTE}::int))
    where merchant_id = ${ctx.merchantId}`);
  const claimed = await claimDeliveries(ctx, ids);
  expect(claimed.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 2));
  for (const { bytes } of claimed) expect(bytes).toBeGreaterThan(HALF_MEGABYTE);
});
