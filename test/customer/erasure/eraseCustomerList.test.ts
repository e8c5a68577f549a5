import { getTableColumns, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { customer } from '../../../drizzle/customer.ts';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { person, REFUSED_BY_DATABASE } from './person.ts';

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

type Answer = { data: any; errors?: { extensions: Record<string, any> }[] };

async function answerTo(name: string, variables: object, headers = {}): Promise<Answer> {
  return (await server.call(ctx, name, variables, headers)) as Answer;
}

async function call(name: string, variables: object, headers = {}): Promise<any> {
  const { data, errors } = await answerTo(name, variables, headers);
  expect(errors).toBeUndefined();
  return data[name];
}

async function refusal(name: string, variables: object): Promise<Record<string, any>> {
  const { errors } = await answerTo(name, variables);
  expect(errors).toHaveLength(1);
  return errors![0]!.extensions;
}

const save = async (input: object) => await call('saveCustomer', { input });
const erase = async (...idList: string[]) => await call('eraseCustomerList', { idList });
const find = async (id: string) => (await call('listCustomer', { id: { eq: id }, includeDeleted: true })).data[0];

describe('an erased customer', () => {
  it('keeps its id and times, and has no other value', async () => {
    const { id: priceListId } = await call('savePriceList', { input: { name: 'List', currency: 'EUR' } });
    const before = await save({ ...person('zxq1', priceListId), erasureBlockedUntil: Date.now() - 1 });
    await erase(before.id);
    const after = await find(before.id);
    const { id, createdAt, updatedAt, deleted, firstName, fullName, ...others } = after;
    expect({ id, createdAt, deleted, firstName, fullName }).toEqual({
      id: before.id,
      createdAt: before.createdAt,
      deleted: true,
      firstName: '',
      fullName: '',
    });
    expect(updatedAt).toBeGreaterThan(before.updatedAt);
    const lists = ['tagIds', 'customerGroupIds', 'customerSegmentIds', 'addresses', 'attributes', 'priceListRules'];
    for (const [name, value] of Object.entries(others))
      expect([name, value]).toEqual([name, lists.includes(name) ? [] : null]);
    expect((await call('listCustomer', {})).data).toEqual([]);
  });

  it('cannot be saved, restored, deleted anew or given values by plain SQL', async () => {
    const { id } = await save(person('zxq2'));
    await erase(id);
    const { updatedAt } = await find(id);
    for (const input of [
      { id, firstName: 'Eve' },
      { id, firstName: 'Eve', deleted: false },
    ])
      expect(await refusal('saveCustomer', { input })).toMatchObject({ code: 'NOT_FOUND', ids: [id] });
    await call('deleteCustomerList', { idList: [id] });
    expect((await find(id)).updatedAt).toBe(updatedAt);
    const own = sql`merchant_id = ${ctx.merchantId} and id = ${id}`;
    const values: Record<string, string> = { PgText: `'x'`, PgBoolean: 'true', PgInteger: '1', PgNumericNumber: '1' };
    Object.assign(values, {
      PgTimestampString: 'now()',
      PgArray: `'{x}'`,
      PgCustomColumn: `'[1]'`,
      PgUUID: `'${newId()}'`,
    });
    const kept = ['merchantId', 'id', 'createdAt', 'updatedAt', 'deleted', 'erasureId'];
    for (const [name, column] of Object.entries(getTableColumns(customer))) {
      if (kept.includes(name) || column.generated) continue;
      const refused = database.db.execute(
        sql`update customer set ${sql.identifier(column.name)} = ${sql.raw(enumValue(column) ?? values[column.columnType]!)} where ${own}`,
      );
      await expect(refused, name).rejects.toMatchObject(REFUSED_BY_DATABASE);
    }
    await expect(database.db.execute(sql`update customer set deleted = false where ${own}`)).rejects.toMatchObject(
      REFUSED_BY_DATABASE,
    );
  });

  it('is found by its id or that of its receipt, and among all receipts', async () => {
    const [one, other] = [await save({ firstName: 'One' }), await save({ firstName: 'Other' })];
    const receipt = await erase(other.id, one.id, one.id);
    expect(receipt).toMatchObject({ customerIds: [one.id, other.id] });
    expect(receipt.items.map(({ place, count }: any) => [place, count])).toEqual([
      ['CUSTOMER', 2],
      ['WEBHOOK_DELIVERY', 0],
      ['CHANGE', 2],
      ['CHANGE_SET', 0],
      ['IDEMPOTENCY_KEY', 0],
      ['BULK_OPERATION', 0],
    ]);
    for (const id of [receipt.id, one.id, other.id]) expect(await call('getErasure', { id })).toEqual(receipt);
    for (const id of [newId(), 'no id']) expect(await call('getErasure', { id })).toBeNull();
    const { createdAt } = receipt;
    expect((await call('listErasure', { createdAt: { gte: createdAt, lte: createdAt } })).data).toEqual([receipt]);
    expect((await call('listErasure', { createdAt: { gt: createdAt } })).data).toEqual([]);
  });

  it('is found by its id also after plain SQL has removed its row', async () => {
    const [one, other] = [await save({ firstName: 'One' }), await save({ firstName: 'Other' })];
    const receipt = await erase(one.id, other.id);
    await database.db.execute(sql`delete from customer where merchant_id = ${ctx.merchantId} and id = ${one.id}`);
    expect(await call('getErasure', { id: one.id })).toEqual(receipt);
    const later = newId();
    await database.db.execute(sql`
      insert into erasure (merchant_id, id, customer_ids, items, created_at)
      select merchant_id, ${later}::uuid, customer_ids, items, now() + interval '1 hour' from erasure
      where merchant_id = ${ctx.merchantId} and id = ${receipt.id}`);
    expect((await call('getErasure', { id: one.id })).id).toBe(later);
    expect(await call('getErasure', { id: other.id })).toEqual(receipt);
    ctx = await createContext(database.db);
    expect(await call('getErasure', { id: one.id })).toBeNull();
  });
});

describe('erasing customers', () => {
  it('again changes nothing, and returns the latest receipt', async () => {
    const [one, other] = [await save({ firstName: 'One' }), await save({ firstName: 'Other' })];
    const first = await erase(one.id);
    const before = await find(one.id);
    expect(await erase(one.id)).toEqual(first);
    const second = await erase(one.id, other.id);
    expect(second.customerIds).toEqual([other.id]);
    expect(await erase(one.id, other.id)).toEqual(second);
    expect(await find(one.id)).toEqual(before);
    expect(await call('getErasure', { id: one.id })).toEqual(first);
  });

  it('erases none if one is unknown, of another merchant, or must not be erased', async () => {
    const { id } = await save({ firstName: 'Ada' });
    const held = await save({ firstName: 'Held', erasureBlockedUntil: Date.now() + 60_000 });
    const own = ctx;
    ctx = await createContext(database.db);
    const foreign = await save({ firstName: 'Foreign' });
    ctx = own;
    const unknown = newId();
    for (const missing of [unknown, foreign.id, 'no id'])
      expect(await refusal('eraseCustomerList', { idList: [id, missing] })).toMatchObject({
        code: 'NOT_FOUND',
        type: 'Customer',
        ids: [missing],
        path: ['idList'],
      });
    expect(await refusal('eraseCustomerList', { idList: [id, held.id] })).toMatchObject({
      code: 'CONFLICT',
      ids: [held.id],
    });
    for (const idList of [[], Array.from({ length: 101 }, newId)])
      expect(await refusal('eraseCustomerList', { idList })).toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
    expect((await find(id)).firstName).toBe('Ada');
    await save({ id: held.id, firstName: 'Held', erasureBlockedUntil: null });
    await erase(held.id);
  });

  it('in a dry run answers the receipt and changes nothing', async () => {
    const { id } = await save(person('zxq3'));
    const before = await find(id);
    const shown = await call('eraseCustomerList', { idList: [id] }, { 'x-dry-run': 'true' });
    expect(await find(id)).toEqual(before);
    expect(await call('getErasure', { id })).toBeNull();
    const { id: _, createdAt: __, ...receipt } = await erase(id);
    expect(shown).toMatchObject(receipt);
  });
});

/** A value of the column if it has a fixed set. */
function enumValue({ enumValues }: { enumValues?: readonly string[] }): string | null {
  return enumValues?.length ? `'${enumValues[0]}'` : null;
}
