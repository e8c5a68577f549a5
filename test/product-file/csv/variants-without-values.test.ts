import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { importFile } from '../files.ts';
import { catalogue, exportText, importText } from './sheets.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const SIZE = { order: 0, variantTypeName: 'Size', variantValues: [{ name: 'S' }, { name: 'M' }] };
const TITLE = { order: 0, variantTypeName: 'Title', variantValues: [{ name: 'Default Title' }] };
const SIZED = { variantValues: [{ variantTypeName: 'Size', variantValueName: 'S' }] };

it.each([
  ['the only variant has no value of a variant type', SIZE, [{ sku: 'one' }]],
  ['nothing else identifies the variant without a value', SIZE, [{}]],
  ['two variants have none', SIZE, [{ sku: 'one' }, { sku: 'two' }]],
  ['two variants have none, and only one has a sku', SIZE, [{ sku: 'one' }, {}]],
  ['one of two variants has none', SIZE, [SIZED, {}]],
  ['the variant type without a used value has the name Title', TITLE, [{ sku: 'one' }]],
])('an export is imported unchanged if %s', async (_, type, list) => {
  const variants = list.map((variant) => ({ prices: [{ sellPrice: 5 }], ...variant }));
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', productVariantTypes: [type], variants };
  expect(await importFile(ctx, 'jsonl', JSON.stringify(line))).toMatchObject({ created: 1, skipped: [] });
  const sheet = await exportText(ctx);
  expect(await importText(ctx, sheet)).toMatchObject({ updated: 0, unchanged: 1, skipped: [] });
  const other = await createContext(database.db);
  expect(await importText(other, sheet)).toMatchObject({ created: 1, skipped: [] });
  expect(await catalogue(other)).toEqual(await catalogue(ctx));
});

it('an import of an export does not delete a variant without values and a sku whose price plain SQL has removed', async () => {
  const variants = [SIZED, {}].map((variant) => ({ prices: [{ sellPrice: 5 }], ...variant }));
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', productVariantTypes: [SIZE], variants };
  expect(await importFile(ctx, 'jsonl', JSON.stringify(line))).toMatchObject({ created: 1, skipped: [] });
  await database.db.execute(
    sql`update variant set prices = null where merchant_id = ${ctx.merchantId} and source_id = 'Default Title'`,
  );
  expect(await importText(ctx, await exportText(ctx))).toMatchObject({
    updated: 0,
    skipped: [{ row: 3, reason: 'has no Variant Price' }],
  });
});
