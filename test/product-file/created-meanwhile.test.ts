import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listProductAttribute } from '../../src/attribute/listProductAttribute.ts';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import type { Context } from '../../src/context.ts';
import type { ProductAttributeInput } from '../../src/graphql/generated/types.ts';
import { importJsonLines } from '../../src/product-file/json-lines/import-json-lines.ts';
import { listStockLocation } from '../../src/stock/listStockLocation.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { importFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

/** Imports a product with these members. Its line is read after `change`, which is after the names of the records. */
async function importWhile(change: () => Promise<unknown>, members: object, variant: object = {}): Promise<void> {
  const variants = [{ sku: 'tee', prices: [{ sellPrice: 1 }], ...variant }];
  const line = { handle: 'tee', name: 'Tee', type: 'PHYSICAL', ...members, variants };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    await change();
    yield Buffer.from(JSON.stringify(line));
  }
  const imported = await importJsonLines(ctx, chunks(), { retryImages: false, onBatch: () => {} });
  expect(imported).toMatchObject({ created: 1, skipped: [] });
}

async function attributes(): Promise<[string, string[]][]> {
  const found = await listProductAttribute(ctx, {}, { name: {}, options: { name: {} } });
  return found.map(({ name, options }) => [name, (options ?? []).map((option) => option.name)]);
}

const RED: ProductAttributeInput = { name: 'Colors', type: 'MULTIPLE_CHOICE', options: [{ name: 'Red' }] };
const GREEN = { attributes: [{ attribute: 'Colors', type: 'MULTIPLE_CHOICE', option: 'Green' }] };

it('an import that adds an option to an attribute keeps those that others add while it runs', async () => {
  const { id, options } = await saveProductAttribute(ctx, { input: RED }, { id: {}, options: { id: {}, name: {} } });
  const more = [...options!.map(({ id, name }) => ({ id, name })), { name: 'Blue' }];
  await importWhile(() => saveProductAttribute(ctx, { input: { ...RED, id, options: more } }, { id: {} }), GREEN);
  expect(await attributes()).toEqual([['Colors', ['Red', 'Blue', 'Green']]]);
});

it('an import uses the attribute of the name that others create while it runs', async () => {
  await importWhile(() => saveProductAttribute(ctx, { input: RED }, { id: {} }), GREEN);
  expect(await attributes()).toEqual([['Colors', ['Red', 'Green']]]);
});

it('imports at the same time create a stock location and an attribute once', async (test) => {
  skipOnCluster(test, 'a trigger cannot be created there');
  // Long enough that all imports have looked for the location before it is committed.
  await database.owner.execute(sql`
    create function wait_a_moment() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$`);
  await database.owner.execute(sql`
    create trigger wait_a_moment before insert on stock_location for each row execute function wait_a_moment()`);
  const importOne = async (at: number) => {
    const stocks = [{ stockLocation: 'Berlin', stockCount: 3 }];
    const variants = [{ sku: `tee${at}`, prices: [{ sellPrice: 1 }], stocks }];
    const line = JSON.stringify({ handle: `tee${at}`, name: 'Tee', type: 'PHYSICAL', ...GREEN, variants });
    return await importFile(ctx, 'jsonl', line);
  };
  const imports = await Promise.all([1, 2, 3, 4].map(importOne));
  expect(imports).toEqual(imports.map(() => expect.objectContaining({ created: 1, skipped: [] })));
  expect((await listStockLocation(ctx, {}, { name: {} })).map(({ name }) => name)).toEqual(['Berlin']);
  expect(await attributes()).toEqual([['Colors', ['Green']]]);
  await database.owner.execute(sql`drop function wait_a_moment cascade`);
});

it('an import keeps the new name of an attribute that others rename while it runs', async () => {
  const input = { name: 'Colors', type: 'MULTIPLE_CHOICE' } as const;
  const { id } = await saveProductAttribute(ctx, { input }, { id: {} });
  await importWhile(() => saveProductAttribute(ctx, { input: { ...input, id, name: 'Shades' } }, { id: {} }), GREEN);
  expect((await attributes()).map(([name]) => name).sort()).toEqual(['Colors', 'Shades']);
});

it('an import uses the stock location of the name that others create while it runs', async () => {
  const stocks = [{ stockLocation: 'Berlin', stockCount: 3 }];
  await importWhile(() => saveStockLocation(ctx, { input: { name: 'Berlin' } }, { id: {} }), {}, { stocks });
  expect((await listStockLocation(ctx, {}, { name: {} })).map(({ name }) => name)).toEqual(['Berlin']);
});
