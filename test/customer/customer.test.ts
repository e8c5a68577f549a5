import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { deleteCustomerList } from '../../src/customer/deleteCustomerList.ts';
import { listCustomer } from '../../src/customer/listCustomer.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { allFields } from '../support/selection.ts';

const all = allFields('Customer');
const page: Selection = { count: {}, data: all, hasNext: {}, endCursor: {}, limit: {}, page: {} };

const address = {
  title: 'Home',
  firstName: 'Ada',
  lastName: 'Lovelace',
  addressLine1: 'St. James Square 12',
  city: { name: 'London' },
  country: { name: 'United Kingdom', iso2: 'GB' },
};

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('saveCustomer', () => {
  it('creates a customer with the members the service computes', async () => {
    const own = await createContext(database.db);
    const first = await saveCustomer(
      own,
      { input: { firstName: ' Ada ', lastName: 'Lovelace', isEmailVerified: true } },
      all,
    );
    expect(first).toMatchObject({
      firstName: 'Ada',
      fullName: 'Ada Lovelace',
      customerSequence: 1,
      orderCount: 0,
      totalOrderPrice: 0,
      deleted: false,
    });
    expect(Math.abs(first.emailVerifiedDate! - Date.now())).toBeLessThan(60_000);
    expect(first.phoneVerifiedDate).toBeNull();
    const second = await saveCustomer(own, { input: { firstName: 'Grace' } }, all);
    expect(second).toMatchObject({ fullName: 'Grace', customerSequence: 2, lastName: null });
  });

  it('makes the full name without a space at its end if the last name is empty', async () => {
    const saved = await saveCustomer(ctx, { input: { firstName: 'Prince', lastName: '' } }, all);
    expect(saved).toMatchObject({ lastName: '', fullName: 'Prince' });
    const [row] = await database.db.execute<{ text: string }>(
      sql`select search_text as text from customer where merchant_id = ${ctx.merchantId} and id = ${saved.id}`,
    );
    expect(row!.text).toBe('prince');
  });

  it('numbers the customers of a merchant without gaps, for concurrent saves too', async () => {
    const own = await createContext(database.db);
    const refused = Array.from({ length: 5 }, () =>
      saveCustomer(own, { input: { firstName: 'x', priceListId: newId() } }, all).catch(
        (error: { code: string }) => error.code,
      ),
    );
    const saved = Array.from({ length: 10 }, () => saveCustomer(own, { input: { firstName: 'x' } }, all));
    expect(await Promise.all(refused)).toEqual(Array(5).fill('NOT_FOUND'));
    const numbers = (await Promise.all(saved)).map(({ customerSequence }) => customerSequence!);
    expect(numbers.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('numbers a customer written by plain SQL when it is saved', async () => {
    const own = await createContext(database.db);
    const id = newId();
    await database.db.execute(
      sql`insert into customer (merchant_id, id, first_name, last_name) values (${own.merchantId}, ${id}, 'Plain', 'SQL')`,
    );
    expect((await listCustomer(own, {}, page)).data).toMatchObject([
      { id, fullName: 'Plain SQL', customerSequence: null },
    ]);
    expect(await saveCustomer(own, { input: { id, firstName: 'Plain' } }, all)).toMatchObject({
      id,
      fullName: 'Plain SQL',
      customerSequence: 1,
    });
  });

  it('keeps what is left out and clears what is null', async () => {
    const input = {
      firstName: 'Keep',
      lastName: 'Me',
      email: 'keep@example.com',
      tagIds: ['a'],
      addresses: [address],
      gender: 'OTHER' as const,
    };
    const { id, addresses } = await saveCustomer(ctx, { input }, all);
    const kept = await saveCustomer(ctx, { input: { id, firstName: 'Keep' } }, all);
    expect(kept).toMatchObject({
      lastName: 'Me',
      email: 'keep@example.com',
      tagIds: ['a'],
      gender: 'OTHER',
      addresses,
    });
    const cleared = await saveCustomer(
      ctx,
      { input: { id, firstName: 'Keep', lastName: null, email: null, tagIds: null, addresses: null, gender: null } },
      all,
    );
    expect(cleared).toMatchObject({ fullName: 'Keep', email: null, tagIds: null, gender: null, addresses: null });
  });

  it('returns addresses with all members and keeps their ids', async () => {
    const region = { name: 'Europe' };
    const attributes = [{ customerAttributeId: 'floor', value: '3' }];
    const { id, addresses } = await saveCustomer(
      ctx,
      {
        input: {
          firstName: 'A',
          addresses: [
            { ...address, region, attributes },
            { ...address, title: 'Work' },
          ],
        },
      },
      all,
    );
    const [home, work] = addresses!;
    expect(home).toMatchObject({
      ...address,
      city: { id: null, code: null, name: 'London' },
      country: { id: null, code: null, iso2: 'GB', iso3: null, name: 'United Kingdom' },
      attributes: [{ customerAttributeId: 'floor', customerAttributeOptionId: null, value: '3' }],
      region: { name: 'Europe', deleted: false },
      addressLine2: null,
      company: null,
      isDefault: null,
      state: null,
      deleted: false,
    });
    const changed = await saveCustomer(
      ctx,
      {
        input: {
          id,
          firstName: 'A',
          addresses: [
            { ...address, id: work!.id, title: 'Office' },
            { ...address, title: 'New' },
          ],
        },
      },
      all,
    );
    expect(changed.addresses).toMatchObject([
      { id: work!.id, title: 'Office', createdAt: work!.createdAt },
      { title: 'New' },
    ]);
    const emptied = await saveCustomer(
      ctx,
      { input: { id, firstName: 'A', addresses: [{ ...address, id: work!.id, deleted: true }] } },
      all,
    );
    expect(emptied.addresses).toEqual([]);
  });

  it('changes nothing when a customer is sent back as it was read', async () => {
    const input = {
      firstName: 'Round',
      lastName: 'Trip',
      birthDate: Date.UTC(1815, 11, 10),
      isPhoneVerified: true,
      addresses: [{ ...address, region: { name: 'EU' }, isDefault: true }],
      attributes: [{ value: 'x' }],
      priceListRules: [
        {
          value: 10.25,
          valueType: 'DISCOUNT_RATE' as const,
          filters: [{ type: 'PRODUCT' as const, valueList: ['p'] }],
        },
      ],
    };
    const before = await saveCustomer(ctx, { input }, all);
    const {
      fullName: _f,
      customerSequence: _s,
      orderCount: _o,
      totalOrderPrice: _t,
      firstOrderDate: _fo,
      lastOrderDate: _l,
      emailVerifiedDate: _e,
      phoneVerifiedDate: _p,
      ...sentBack
    } = before;
    expect(await saveCustomer(ctx, { input: sentBack as never }, all)).toEqual(before);
  });

  it('restores and deletes by the member deleted', async () => {
    const { id } = await saveCustomer(ctx, { input: { firstName: 'Gone', deleted: true } }, all);
    expect((await listCustomer(ctx, { id: { eq: id } }, page)).count).toBe(0);
    expect(await saveCustomer(ctx, { input: { id, firstName: 'Gone', deleted: false } }, all)).toMatchObject({
      deleted: false,
    });
  });

  it.each([newId(), 'no id at all', ''])('answers NOT_FOUND for the unknown id %j', async (id) => {
    await expect(saveCustomer(ctx, { input: { id, firstName: 'x' } }, all)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Customer', ids: [id] },
    });
  });

  it("treats another merchant's customer like one that does not exist", async () => {
    const foreign = await saveCustomer(stranger, { input: { firstName: 'Foreign', addresses: [address] } }, all);
    await expect(saveCustomer(ctx, { input: { id: foreign.id, firstName: 'Mine' } }, all)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const stolen = { firstName: 'x', addresses: [{ ...address, id: foreign.addresses![0]!.id }] };
    await expect(saveCustomer(ctx, { input: stolen }, all)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'CustomerAddress' },
    });
    expect((await listCustomer(stranger, { id: { eq: foreign.id } }, page)).data).toMatchObject([
      { firstName: 'Foreign' },
    ]);
  });

  it('names the invalid member', async () => {
    const input = {
      firstName: ' ',
      email: 'x'.repeat(256),
      note: 'nul \0',
      lastName: 'half \ud800',
      tagIds: Array(1001).fill('t') as string[],
      birthDate: 9e15,
      priceListRules: [{ value: -1, valueType: 'FIXED_PRICE' as const }],
      addresses: [{ ...address, title: 'x'.repeat(256) }],
    };
    const paths = await saveCustomer(ctx, { input }, all).catch(
      (error: { extensions: { issues: { path: unknown[] }[] } }) =>
        error.extensions.issues.map(({ path }) => path.join('.')),
    );
    expect((paths as string[]).sort()).toEqual([
      'input.addresses.0.title',
      'input.birthDate',
      'input.email',
      'input.firstName',
      'input.lastName',
      'input.note',
      'input.priceListRules.0.value',
      'input.tagIds',
    ]);
    const twice = [
      { ...address, id: 'a' },
      { ...address, id: 'a' },
    ];
    await expect(saveCustomer(ctx, { input: { firstName: 'x', addresses: twice } }, all)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'addresses', 1, 'id'] }] },
    });
  });

  it('names the price list that does not exist', async () => {
    const unknown = newId();
    for (const [input, path] of [
      [{ priceListId: unknown }, ['input', 'priceListId']],
      [{ lastPriceListId: unknown }, ['input', 'lastPriceListId']],
      [
        { priceListRules: [{ value: 1, valueType: 'FIXED_PRICE' as const, priceListId: unknown }] },
        ['input', 'priceListRules', 0, 'priceListId'],
      ],
    ] as const) {
      await expect(saveCustomer(ctx, { input: { firstName: 'x', ...input } as never }, all)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'PriceList', ids: [unknown], path },
      });
    }
  });
});

describe('listCustomer', () => {
  it("lists only the merchant's own customers, filters and searches", async () => {
    const own = await createContext(database.db);
    await saveCustomer(stranger, { input: { firstName: 'Foreign', email: 'ada@example.com' } }, all);
    await saveCustomer(
      own,
      { input: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+44 20 1' } },
      all,
    );
    await saveCustomer(
      own,
      { input: { firstName: 'Şule', lastName: 'Öz', email: 'sule@example.org', phone: '+90 5%' } },
      all,
    );
    const { id: goneId } = await saveCustomer(own, { input: { firstName: 'Gone', email: 'gone@example.org' } }, all);
    await deleteCustomerList(own, { idList: [goneId] });
    const names = async (args: object) =>
      (await listCustomer(own, args, page)).data.map(({ firstName }) => firstName).sort();
    expect(await names({})).toEqual(['Ada', 'Şule']);
    expect(await names({ includeDeleted: true })).toEqual(['Ada', 'Gone', 'Şule']);
    expect(await names({ email: { eq: 'ada@example.com' } })).toEqual(['Ada']);
    expect(await names({ email: { like: 'EXAMPLE.ORG' } })).toEqual(['Şule']);
    expect(await names({ phone: { like: '%' } })).toEqual(['Şule']);
    expect(await names({ search: 'sule oz' })).toEqual(['Şule']);
    expect(await names({ search: 'Lovelace' })).toEqual(['Ada']);
    expect(await names({ search: '%' })).toEqual(['Şule']);
    expect(await names({ search: 'lovelaceada@' })).toEqual([]);
    expect(await names({ merchantId: { eq: own.merchantId } })).toEqual(['Ada', 'Şule']);
    expect(await names({ merchantId: { eq: stranger.merchantId } })).toEqual([]);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
  });

  it('sorts, and pages by number and by cursor', async () => {
    const own = await createContext(database.db);
    for (const firstName of ['b', 'Ç', 'a', 'd', 'c']) await saveCustomer(own, { input: { firstName } }, all);
    const read = (args: object) => listCustomer(own, args, page);
    expect((await read({ sort: 'firstName' })).data.map(({ firstName }) => firstName)).toEqual([
      'a',
      'b',
      'c',
      'Ç',
      'd',
    ]);
    expect((await read({})).data.map(({ firstName }) => firstName)).toEqual(['c', 'd', 'a', 'Ç', 'b']);
    const first = await read({ sort: '-firstName', pagination: { limit: 2 } });
    expect(first).toMatchObject({
      count: 5,
      hasNext: true,
      limit: 2,
      page: 1,
      data: [{ firstName: 'd' }, { firstName: 'Ç' }],
    });
    const second = await read({ sort: '-firstName', pagination: { limit: 2, after: first.endCursor } });
    expect(second.data.map(({ firstName }) => firstName)).toEqual(['c', 'b']);
    expect((await read({ sort: '-firstName', pagination: { limit: 2, page: 3 } })).data).toMatchObject([
      { firstName: 'a' },
    ]);
    await expect(read({ sort: 'email' })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['sort'] }] },
    });
    await expect(read({ pagination: { limit: 201 } })).rejects.toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
  });
});

describe('deleteCustomerList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await saveCustomer(ctx, { input: { firstName: 'Mine' } }, all);
    const foreign = await saveCustomer(stranger, { input: { firstName: 'Foreign' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteCustomerList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'Customer', ids: [unknown] },
      });
    }
    expect((await listCustomer(ctx, { id: { eq: id } }, page)).count).toBe(1);
    expect(await deleteCustomerList(ctx, { idList: [id, id] })).toBe(true);
    expect(await deleteCustomerList(ctx, { idList: [id] })).toBe(true);
    expect((await listCustomer(ctx, { id: { eq: id }, includeDeleted: true }, page)).data).toMatchObject([
      { deleted: true },
    ]);
    expect((await listCustomer(stranger, { id: { eq: foreign.id } }, page)).count).toBe(1);
  });
});
