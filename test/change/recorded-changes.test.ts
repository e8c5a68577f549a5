import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listChange } from '../../src/change/listChange.ts';
import type { Context } from '../../src/context.ts';
import type { Change } from '../../src/graphql/generated/types.ts';
import { keepHistory } from '../../src/merchant/keep-history.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type CallOperation, startOperations } from '../support/operation.ts';
import { register } from '../webhook/ledger.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

/** Calls an operation, and returns its result. */
async function call<Result>(...[name, variables, headers]: Tail<Parameters<CallOperation>>): Promise<Result> {
  const { data, errors } = (await server.call(ctx, name, variables, headers)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name] as Result;
}
type Tail<List> = List extends [unknown, ...infer Rest] ? Rest : never;

/** The changes of a record, oldest first. */
async function changesOf(recordId: string): Promise<Change[]> {
  const { data } = await call<{ data: Change[] }>('listChange', { recordId: { eq: recordId } });
  return data.toReversed();
}

/** The changed members of the record's last change, with parsed values. */
async function lastMembers(recordId: string): Promise<Record<string, [unknown, unknown]>> {
  const { members } = (await changesOf(recordId)).at(-1)!;
  const parsed = (text: string | null | undefined): unknown => (text ? JSON.parse(text) : null);
  return Object.fromEntries(members.map(({ path, before, after }) => [path, [parsed(before), parsed(after)]]));
}

async function saveBrand(input: object, headers?: Record<string, string>): Promise<{ id: string }> {
  return await call('saveProductBrand', { input }, headers);
}

describe('a change by a request', () => {
  it('lists all members that a new record has', async () => {
    const { id } = await saveBrand({ name: 'Löwe', description: 'A "brand"' });
    const [created] = await changesOf(id);
    expect(created).toMatchObject({ number: 1, kind: 'CREATED', recordType: 'PRODUCT_BRAND', truncated: false });
    expect(await lastMembers(id)).toMatchObject({
      name: [null, 'Löwe'],
      description: [null, 'A "brand"'],
      deleted: [null, false],
      'metaData.slug': [null, 'loewe'],
    });
  });

  it('lists the members that differ', async () => {
    const { id } = await saveBrand({ name: 'Before', description: 'stays' });
    await saveBrand({ id, name: 'After', description: 'stays' });
    expect(await lastMembers(id)).toEqual({ name: ['Before', 'After'] });
    await saveBrand({ id, name: 'After', description: null });
    expect(await lastMembers(id)).toEqual({ description: ['stays', null] });
    expect((await changesOf(id)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it('is found by each mutation of its request, and by all together', async () => {
    const { data } = await server.query(
      ctx,
      'mutation { saveProductTag(input: { name: "Tag" }) { id } saveProductBrand(input: { name: "Brand" }) { id } }',
    );
    const ids = Object.values(data as Record<string, { id: string }>).map(({ id }) => id);
    const other = await saveBrand({ name: 'Other' });
    const recordId = { in: [...ids, other.id] };
    const found = async (operation: object) =>
      (await call<{ data: Change[] }>('listChange', { operation, recordId })).data.map((one) => one.recordId).reverse();
    const all = 'saveProductTag, saveProductBrand';
    for (const operation of [{ eq: 'saveProductTag' }, { eq: all }, { in: ['x', 'saveProductTag'] }, { like: 'tag' }])
      expect(await found(operation)).toEqual(ids);
    expect(await found({ eq: 'saveProductBrand' })).toEqual([...ids, other.id]);
    expect(await found({ eq: 'saveProductBrand', like: 'tag' })).toEqual(ids);
    for (const operation of [{ ne: 'saveProductTag' }, { nin: ['saveProductTag'] }, { ne: all }])
      expect(await found(operation)).toEqual([other.id]);
    await database.db.execute(sql`update product_tag set name = 'Sql' where merchant_id = ${ctx.merchantId}`);
    expect(await found({ isNull: true })).toEqual([ids[0]]);
    expect(await found({ ne: 'saveProductTag', isNull: false })).toEqual([other.id]);
    expect(await found({ nin: ['saveProductBrand'] })).toEqual([ids[0]]);
  });

  it.each(['', ' @include(if: true)'])('does not name `__typename` beside the mutation%s', async (directive) => {
    const { data } = await server.query(
      ctx,
      `mutation { __typename saveProductTag(input: { name: "Typed" })${directive} { id } }`,
    );
    const { id } = (data as { saveProductTag: { id: string } }).saveProductTag;
    expect((await changesOf(id))[0]!.changeSet.operation).toBe('saveProductTag');
  });

  it('is not found by a mutation of its request that a directive left out', async () => {
    const { data } = await server.query(
      ctx,
      'mutation { saveProductTag(input: { name: "Only" }) { id } saveProductBrand(input: { name: "No" }) @skip(if: true) { id } }',
    );
    const { id } = (data as { saveProductTag: { id: string } }).saveProductTag;
    expect((await changesOf(id))[0]!.changeSet.operation).toBe('saveProductTag');
  });

  it('names the app, the operation, the request, its key and its person', async () => {
    const { id } = await saveBrand(
      { name: 'Sent' },
      { 'idempotency-key': 'key-1', 'x-actor': encodeURIComponent('Zoë Müller') },
    );
    const [{ changeSet }] = (await changesOf(id)) as [Change];
    expect(changeSet).toMatchObject({
      operation: 'saveProductBrand',
      idempotencyKey: 'key-1',
      actor: 'Zoë Müller',
      app: { id: ctx.session.authorizedAppId, name: 'Test' },
      databaseRole: null,
      applicationName: null,
      bulkOperationId: null,
      revertsChangeSetId: null,
    });
    expect(changeSet.requestId).toMatch(/./);
  });

  it('names no app for a token without the scope read_apps', async () => {
    const { id } = await saveBrand({ name: 'Sent by itself' });
    const session = { ...ctx.session, scopes: new Set(['read_products'] as const) };
    const selection = { data: { changeSet: { app: { id: {} } } } };
    const { data } = await listChange({ ...ctx, session }, { recordId: { eq: id } }, selection);
    expect(data).toEqual([{ changeSet: { app: null } }]);
  });

  it.each(['', '%', '%FF', '%20', 'a%0Ab', 'x'.repeat(256), 'ü'])('refuses the person %j', async (actor) => {
    const answer = (await server.call(ctx, 'saveProductTag', { input: { name: 'x' } }, { 'x-actor': actor })) as any;
    expect(answer.errors[0].extensions).toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      issues: [{ path: ['X-Actor'] }],
    });
  });

  it('names the request that removes a webhook', async () => {
    await register(ctx, ['store/product/created']);
    await call('deleteWebhook', { scopes: ['store/product/created'] });
    const { data } = await call<{ data: Change[] }>('listChange', { recordType: 'WEBHOOK' });
    expect(data[0]).toMatchObject({ kind: 'DELETED', changeSet: { operation: 'deleteWebhook', databaseRole: null } });
  });

  it('is not written by a save that changes nothing, nor by a dry run', async () => {
    const { id } = await saveBrand({ name: 'Same' });
    await saveBrand({ id, name: 'Same' });
    await saveBrand({ id, name: 'Other' }, { 'x-dry-run': 'true' });
    expect(await changesOf(id)).toHaveLength(1);
    const { count } = await call<{ count: number }>('listChange', {});
    expect(count).toBe(2); // The app of the context, and the brand.
  });

  it('has the member `deleted` alone when a record is deleted and restored', async () => {
    const { id } = await saveBrand({ name: 'Gone' });
    await call('deleteProductBrandList', { idList: [id] });
    expect(await lastMembers(id)).toEqual({ deleted: [false, true] });
    await saveBrand({ id, deleted: false, name: 'Gone' });
    expect(await lastMembers(id)).toEqual({ deleted: [true, false] });
    expect((await changesOf(id)).map(({ kind }) => kind)).toEqual(['CREATED', 'DELETED', 'RESTORED']);
  });

  it('shows prices by variant and price list', async () => {
    const list = await call<{ id: string }>('savePriceList', { input: { name: 'B2B', currency: 'EUR' } });
    const price = (sellPrice: number, priceListId: string | null) => ({ sellPrice, priceListId });
    const saved = await call<{ id: string; variants: { id: string }[] }>('saveProduct', {
      input: {
        name: 'Shirt',
        type: 'PHYSICAL',
        variants: [
          { sku: 'S', prices: [price(10, null), price(8.5, list.id)] },
          { sku: 'M', prices: [price(1, null)] },
        ],
      },
    });
    const [first] = saved.variants;
    await call('saveVariantPrices', {
      input: {
        priceListId: list.id,
        variantPriceInputs: [
          { productId: saved.id, variantId: first!.id, price: { sellPrice: 7.25, currency: 'EUR' } },
        ],
      },
    });
    expect(await lastMembers(saved.id)).toMatchObject({
      [`variants.${first!.id}.prices.${list.id}.sellPrice`]: [8.5, 7.25],
    });
    expect((await changesOf(saved.id)).map(({ kind }) => kind)).toEqual(['CREATED', 'UPDATED']);
  });
});

describe('a change by plain SQL', () => {
  it('names the role and the application', async () => {
    const { id } = await saveBrand({ name: 'SQL' });
    await database.owner.execute(
      sql`update product_brand set name = 'by SQL' where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
    const { changeSet } = (await changesOf(id)).at(-1)!;
    expect(changeSet).toMatchObject({ operation: null, app: null, requestId: null });
    expect(changeSet.databaseRole).toMatch(/./);
    expect(await lastMembers(id)).toEqual({ name: ['SQL', 'by SQL'] });
  });

  it('is one change for each record of a transaction, and none for what is equal at its end', async () => {
    const [a, b] = [await saveBrand({ name: 'A' }), await saveBrand({ name: 'B' })];
    const rename = (id: string, name: string) =>
      sql`update product_brand set name = ${name}, updated_at = now() where merchant_id = ${ctx.merchantId} and id = ${id}`;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(rename(a.id, 'A2'));
      await transaction.execute(rename(b.id, 'B2'));
      await transaction.execute(rename(a.id, 'A3'));
      await transaction.execute(rename(b.id, 'B'));
    });
    expect(await lastMembers(a.id)).toEqual({ name: ['A', 'A3'] });
    expect(await changesOf(a.id)).toHaveLength(2);
    expect(await changesOf(b.id)).toHaveLength(1);
  });

  it('is none if only the time of the save differs', async () => {
    const { id } = await saveBrand({ name: 'Touched' });
    await database.owner.transaction(async (transaction) => {
      const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
      await transaction.execute(sql`update product_brand set updated_at = now() where ${own}`);
      await transaction.execute(sql`update product_brand set updated_at = now() + interval '1 day' where ${own}`);
    });
    expect(await changesOf(id)).toHaveLength(1);
    const parts = await database.owner.execute(
      sql`select from change_part where merchant_id = ${ctx.merchantId} and record_id = ${id} and row_change = 'STAMPED'`,
    );
    expect(parts).toHaveLength(0);
  });

  it('leaves nothing after a rollback, nor of a record that was created and removed', async () => {
    const { id } = await saveBrand({ name: 'Stays' });
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    await database.owner
      .transaction(async (transaction) => {
        await transaction.execute(sql`update product_brand set name = 'undone' where ${own}`);
        throw new Error('rolled back');
      })
      .catch(() => {});
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`insert into product_tag (merchant_id, name) values (${ctx.merchantId}, 'short')`);
      await transaction.execute(sql`update product_tag set name = 'shorter' where merchant_id = ${ctx.merchantId}`);
      await transaction.execute(sql`delete from product_tag where merchant_id = ${ctx.merchantId}`);
    });
    expect(await changesOf(id)).toHaveLength(1);
    const { count } = await call<{ count: number }>('listChange', { recordType: 'PRODUCT_TAG' });
    expect(count).toBe(0);
    const open = await database.owner.execute(sql`select from change_transaction`);
    expect(open).toHaveLength(0);
  });

  it('is recorded too in a transaction with immediate constraints', async () => {
    const { id } = await saveBrand({ name: 'A' });
    await database.owner.transaction(async (transaction) => {
      const rename = (name: string) =>
        sql`update product_brand set name = ${name} where merchant_id = ${ctx.merchantId}`;
      await transaction.execute(sql`set constraints all immediate`);
      await transaction.execute(rename('B'));
      await transaction.execute(rename('C'));
    });
    expect(await lastMembers(id)).toEqual({ name: ['A', 'C'] });
  });

  it('shows all members of a removed record, and of the parts that were removed with it', async () => {
    const saved = await call<{ id: string; variants: { id: string }[] }>('saveProduct', {
      input: { name: 'Removed', type: 'PHYSICAL', variants: [{ sku: 'R-1', prices: [{ sellPrice: 1 }] }] },
    });
    await database.owner.execute(sql`delete from product where merchant_id = ${ctx.merchantId} and id = ${saved.id}`);
    const members = await lastMembers(saved.id);
    expect(members).toMatchObject({
      name: ['Removed', null],
      [`variants.${saved.variants[0]!.id}.sku`]: ['R-1', null],
    });
    expect((await changesOf(saved.id)).at(-1)).toMatchObject({ kind: 'DELETED' });
  });

  it('is recorded for each merchant of a statement', async () => {
    const mine = await saveBrand({ name: 'mine' });
    const own = ctx;
    ctx = await createContext(database.db);
    const theirs = await saveBrand({ name: 'theirs' });
    await database.owner.execute(
      sql`update product_brand set description = 'both' where merchant_id in (${own.merchantId}, ${ctx.merchantId})`,
    );
    expect(await lastMembers(theirs.id)).toEqual({ description: [null, 'both'] });
    expect(await changesOf(mine.id)).toEqual([]);
    ctx = own;
    expect(await lastMembers(mine.id)).toEqual({ description: [null, 'both'] });
  });

  it('shows the first and the last time that can be stored', async () => {
    const variants = [{ prices: [{ sellPrice: 1 }] }];
    const { id } = await call<{ id: string }>('saveProduct', { input: { name: 'Shirt', type: 'PHYSICAL', variants } });
    const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    await database.db.execute(sql`update product set release_date = ${first} where ${own}`);
    await database.db.execute(sql`update product set release_date = ${last} where ${own}`);
    expect(await lastMembers(id)).toEqual({ releaseDate: [Date.parse(first), Date.parse(last)] });
    const asOf = (await changesOf(id)).at(1)!.createdAt;
    const earlier = `{ listProduct(id: { eq: "${id}" }, asOf: ${asOf}) { data { releaseDate } } }`;
    expect(await server.query(ctx, earlier)).toEqual({
      data: { listProduct: { data: [{ releaseDate: Date.parse(first) }] } },
    });
    const { id: changeId } = (await changesOf(id)).at(-1)!;
    await call('revertChanges', { input: { changeIds: [changeId] } });
    expect(await lastMembers(id)).toEqual({ releaseDate: [Date.parse(last), Date.parse(first)] });
  });

  it('leaves out values of a record of which one has more than 256 KiB', async () => {
    const { id } = await saveBrand({ name: 'Large' });
    const text = 'x'.repeat(300_000);
    await database.owner.execute(
      sql`update product_brand set description = ${text} where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
    expect((await changesOf(id)).at(-1)).toMatchObject({ kind: 'UPDATED', truncated: true, members: [] });
  });
});

describe('a merchant without a history', () => {
  beforeEach(async () => {
    await database.owner.execute(sql`update merchant set history_since = null where merchant_id = ${ctx.merchantId}`);
  });

  it('has no changes', async () => {
    const { id } = await saveBrand({ name: 'unrecorded' });
    await saveBrand({ id, name: 'unrecorded 2' });
    expect(await changesOf(id)).toEqual([]);
  });

  it('has no change of a transaction of plain SQL during which its history begins', async () => {
    const { id } = await saveBrand({ name: 'first' });
    const rename = (name: string) =>
      sql`update product_brand set name = ${name} where merchant_id = ${ctx.merchantId} and id = ${id}`;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(rename('second'));
      await keepHistory(ctx, true);
      await transaction.execute(rename('third'));
    });
    expect(await changesOf(id)).toEqual([]);
    await database.owner.execute(rename('fourth'));
    expect(await lastMembers(id)).toEqual({ name: ['third', 'fourth'] });
  });

  it('has no row of its transactions of plain SQL', async () => {
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(
        sql`insert into product_brand (merchant_id, name) values (${ctx.merchantId}, 'unrecorded')`,
      );
      expect(
        await transaction.execute(sql`select from change_transaction where merchant_id = ${ctx.merchantId}`),
      ).toHaveLength(0);
    });
  });
});

describe('changes of one record by several clients', () => {
  it('have gapless numbers and times that increase', async () => {
    const { id } = await saveBrand({ name: 'Shared' });
    await Promise.all(Array.from({ length: 30 }, async (_, index) => await saveBrand({ id, name: `Shared ${index}` })));
    const changes = await changesOf(id);
    expect(changes.map(({ number }) => number)).toEqual(changes.map((_, index) => index + 1));
    const times = changes.map(({ createdAt }) => createdAt);
    expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true);
    expect(changes).toHaveLength(31);
  });
});

describe('JSON that PostgreSQL stores and does not read', () => {
  it.each(['\\ud800', '\\u0000'])('is not refused, and its change has no values: %s', async (escape) => {
    const { id } = await call<{ id: string }>('saveSalesChannel', { input: { name: escape, type: 'POS' } });
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    const gateways = `[{"id":"${escape}","order":1}]`;
    await database.owner.transaction(async (transaction) => {
      await transaction.execute(sql`update sales_channel set payment_gateways = ${gateways} where ${own}`);
      await transaction.execute(sql`update sales_channel set name = 'second' where ${own}`);
    });
    expect((await changesOf(id)).at(-1)).toMatchObject({ kind: 'UPDATED', truncated: true, members: [] });
  });
});
