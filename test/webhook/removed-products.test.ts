import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import { deleteProductList } from '../../src/product/deleteProductList.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { plainProduct } from '../product/products.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { actionsOf, eventsOf, forget, register } from './ledger.ts';

const SCOPES = ['store/product/created', 'store/product/updated', 'store/product/deleted'];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const save = async (input: object = {}) =>
  (await saveProduct(ctx, { input: { ...plainProduct('Tee'), ...input } as never }, { id: {} })).id;
const channel = async () =>
  (await saveSalesChannel(ctx, { input: { name: newId(), type: 'STOREFRONT' } }, { id: {} })).id;

const removal = (id: string) => sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${id}`;
const update = (id: string, values: SQL) =>
  sql`update product set ${values} where merchant_id = ${ctx.merchantId} and id = ${id}`;
const deletion = (id: string) => update(id, sql`deleted = true`);
const restoration = (id: string) => update(id, sql`deleted = false`);
const renaming = (id: string) => update(id, sql`name = name || '!'`);

/** Executes the statements in one transaction. */
const together = async (...statements: SQL[]) =>
  await inTransaction(ctx, async (own) => {
    for (const statement of statements) await own.db.execute(statement);
  });

it('sends the removal of a product to the webhooks of its sales channels only', async () => {
  const [own, other] = [await channel(), await channel()];
  await register(ctx, SCOPES, { salesChannelIds: [own] });
  const inside = await save({ salesChannelIds: [own, other] });
  await save({ salesChannelIds: [other] });
  await save();
  await forget(ctx);
  await together(sql`delete from product where merchant_id = ${ctx.merchantId}`);
  expect(await eventsOf(ctx)).toMatchObject([{ scope: 'store/product/deleted', recordId: inside }]);
});

it('sends the removal of a product to the webhooks of a sales channel that it left in the same transaction', async () => {
  const own = await channel();
  await register(ctx, SCOPES, { salesChannelIds: [own] });
  const id = await save({ salesChannelIds: [own] });
  await together(update(id, sql`sales_channel_ids = '{}'`), removal(id));
  expect(await actionsOf(ctx)).toEqual(['created 1', 'deleted 2']);
});

it.for([
  ['deleted', (id: string) => [deletion(id)]],
  ['updated and deleted', (id: string) => [renaming(id), deletion(id)]],
  ['deleted and updated', (id: string) => [deletion(id), renaming(id)]],
  ['deleted and restored', (id: string) => [deletion(id), restoration(id)]],
] as const)('sends one removal of a product that is %s and then removed in one transaction', async ([, before]) => {
  await register(ctx, SCOPES);
  const id = await save();
  await together(...before(id), removal(id));
  expect(await actionsOf(ctx)).toEqual(['created 1', 'deleted 2']);
  expect((await eventsOf(ctx)).at(-1)!.data).toMatchObject({ id, deleted: true });
});

it.for([
  ['removed', () => []],
  ['updated and removed', (id: string) => [renaming(id)]],
  ['restored, deleted and removed', (id: string) => [restoration(id), deletion(id)]],
  ['restored and removed', (id: string) => [restoration(id)]],
] as const)('sends nothing more of a deleted product that is %s in a later transaction', async ([, before]) => {
  await register(ctx, SCOPES);
  const id = await save();
  await deleteProductList(ctx, { idList: [id] });
  await together(...before(id), removal(id));
  expect(await actionsOf(ctx)).toEqual(['created 1', 'deleted 2']);
});

it('sends nothing of a product that is inserted, deleted and removed in one transaction', async () => {
  await register(ctx, SCOPES);
  const id = newId();
  const insertion = sql`insert into product (merchant_id, id, name, type) values (${ctx.merchantId}, ${id}, 'Tee', 'PHYSICAL')`;
  await together(insertion, deletion(id), removal(id));
  expect(await actionsOf(ctx)).toEqual([]);
});
