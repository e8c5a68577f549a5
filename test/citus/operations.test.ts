import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { connect, type Connection } from '../../src/db/connection/connect.ts';
import { CLUSTER } from '../../src/db/connection/placement.ts';
import { fetchBulkImages } from '../../src/image/bulk/fetch-bulk-images.ts';
import { updateMemberships } from '../../src/product/membership/update-memberships.ts';
import { conditionsOf } from '../contract/across-work.ts';
import { callWithFilters, createShop } from '../contract/calls.ts';
import { silent } from '../image/log.ts';
import { openImageDependencies } from '../image/shop.ts';
import { exportText, importText, sheetOf } from '../product-file/csv/sheets.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { operations, startOperations } from '../support/operation.ts';
import { notRouted, type Sent } from './router-plan.ts';

/** `moment` of src/db/sql/timestamp.ts: a subplan of its own in the plan. Only rare statements have it. */
const MOMENT = 'from (select now() as at) as moment';

let database: TestDatabase;
let connection: Connection;
let api: Awaited<ReturnType<typeof startOperations>>;
/** Prepares the records that a test needs. Its statements are not checked. */
let preparing: Awaited<ReturnType<typeof startOperations>>;
const sent: Sent[] = [];

beforeAll(async () => {
  database = await createDatabase();
  connection = connect(database.url, {
    poolSize: 2,
    statementTimeoutMs: 20_000,
    ...CLUSTER.requests,
    onStatement: (text, parameters) => sent.push({ text, parameters }),
  });
  api = await startOperations(connection.db);
  preparing = await startOperations(database.db);
});
afterAll(async () => {
  await Promise.all([api.stop(), preparing.stop()]);
  await connection.close();
  await database.drop();
});

describe('each statement is one router task of', () => {
  it('every operation of the contract', { timeout: 600_000 }, async () => {
    for (const name of operations.keys()) await callOwn(await createContext(database.db), name);
    const others = await notRouted(database.url, sent.splice(0));
    expect(others.filter((plan) => !plan.includes(MOMENT))).toEqual([]);
  });

  it('import, export and pictures of bulk requests', { timeout: 120_000 }, async () => {
    const ctx = { ...(await createContext(database.db)), db: connection.db };
    const sheet = sheetOf(
      { Handle: 'shirt', Title: 'Shirt', 'Variant Price': '10', 'Image Src': 'https://pictures.example/1.png' },
      { Handle: 'coat', Title: 'Coat', 'Variant Price': '20', 'Variant SKU': 'c' },
    );
    expect(await importText(ctx, sheet)).toMatchObject({ created: 2, imagesPending: 1 });
    expect(await importText(ctx, await exportText(ctx))).toMatchObject({ created: 0, skipped: [] });
    const parts = await openImageDependencies();
    await fetchBulkImages({ db: connection.db, across: database.across, log: silent, ...parts });
    await parts.close();
    expect(await notRouted(database.url, sent.splice(0))).toEqual([]);
  });
});

describe('the statements of automated categories', () => {
  it('are one router task each', { timeout: 120_000 }, async () => {
    const ctx = await createContext(database.db);
    const shop = await createShop(preparing.call, ctx);
    const input = { name: 'Automated', isAutomated: true, conditions: conditionsOf(shop) };
    const { errors } = await preparing.call(ctx, 'saveCategory', { input });
    expect(errors).toBeUndefined();
    await updateMemberships({ db: connection.db, across: database.across }, AbortSignal.timeout(60_000));
    expect(await notRouted(database.url, sent.splice(0))).toEqual([]);
    const members = await database.db.execute(sql`
      select from category_product where merchant_id = ${ctx.merchantId} and by_conditions`);
    expect(members.length).toBeGreaterThan(0);
  });
});

/** Calls the operation with ids of the merchant's own records. */
async function callOwn(ctx: Context, name: string): Promise<void> {
  const variables = callWithFilters(name, await createShop(preparing.call, ctx));
  const { errors } = await api.call(ctx, name, variables);
  if (errors) throw new Error(`${name}: ${JSON.stringify(errors)}`);
}
