import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

type Address = { id: string; updatedAt: number };
type Customer = { id: string; email: string | null; updatedAt: number; addresses: [Address] };

/** One code point that has two in Unicode form NFC. */
const LENGTHENED_BY_NFC = '\u0958';

const address = {
  title: 'Home',
  firstName: 'Ada',
  lastName: 'Lovelace',
  addressLine1: 'A',
  city: { name: 'B' },
  country: { name: 'C' },
};

async function save(input: object): Promise<Customer> {
  const { data, errors } = await api.call(ctx, 'saveCustomer', { input: { firstName: 'Ada', ...input } });
  expect(errors).toBeUndefined();
  return data!.saveCustomer as Customer;
}

describe('the e-mail address of a customer', () => {
  it.each([
    'ada@example.com',
    'Ada.Lovelace+shop@mail.example.co.uk',
    "o'brien_{x}=!#$%&*/?^`|~-1@example.com",
    'ada@localhost',
    'ada@xn--rnek-5qa.example',
    'şule@örnek.example',
    '用户@例子.广告',
    'a..b.@docomo.example',
    '"ada lovelace"@example.com',
    'ada@[192.0.2.1]',
    `${'a'.repeat(64)}@${'b'.repeat(180)}.com`,
  ])('may be %s', async (email) => {
    expect((await save({ email })).email).toBe(email);
  });

  it('is stored without spaces around it, and in Unicode form NFC', async () => {
    expect((await save({ email: ' ada@example.com\n' })).email).toBe('ada@example.com');
    expect((await save({ email: 'jose\u0301@example.com' })).email).toBe('jos\u00e9@example.com');
  });

  it('has at most 255 code points as it is stored, and may then be sent back', async () => {
    const padded = `${' '.repeat(10)}${'a'.repeat(238)}@example.com`;
    expect((await save({ email: padded })).email).toBe(padded.trim());
    const email = `${LENGTHENED_BY_NFC.repeat(124)}@x.org`;
    const saved = await save({ email });
    expect(saved.email).toBe(email.normalize());
    expect(await save({ id: saved.id, email: saved.email })).toEqual(saved);
  });

  it('is refused if its stored form is too long', async () => {
    const sent = { firstName: 'Ada', email: `${LENGTHENED_BY_NFC.repeat(125)}@x.org` };
    const { errors } = await api.call(ctx, 'saveCustomer', { input: sent });
    const issues = [{ path: ['input', 'email'], message: 'must have at most 255 characters' }];
    expect(errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues } }]);
  });

  it('is null if it is sent empty, as forms do', async () => {
    expect((await save({ email: '' })).email).toBeNull();
    const { id } = await save({ email: 'ada@example.com' });
    expect((await save({ id, email: '  ' })).email).toBeNull();
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example@com',
    'ada lovelace@example.com',
    'ada@exam ple.com',
    'ada@.example.com',
    'ada@example..com',
    'ada@example.com.',
    'Ada <ada@example.com>',
    'ada@example.com, grace@example.com',
    'ada@example.com;grace@example.com',
    'mailto:ada@example.com',
    'https://example.com/ada',
    'ada@example.com\nBcc: grace@example.com',
  ])('is refused if it is %o', async (email) => {
    const { data, errors } = await api.call(ctx, 'saveCustomer', { input: { firstName: 'Refused', email } });
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        extensions: {
          code: 'ARGUMENT_VALIDATION_ERROR',
          issues: [{ path: ['input', 'email'], message: 'must be an e-mail address' }],
        },
      },
    ]);
    const found = await api.call(ctx, 'listCustomer', { search: 'Refused' });
    expect(found.data).toMatchObject({ listCustomer: { count: 0 } });
  });

  it.each(['unknown', ' ada@example.com ', ''])('stays %o if it is stored and sent back', async (email) => {
    const { id } = await save({});
    await database.db.execute(
      sql`update customer set email = ${email} where merchant_id = ${ctx.merchantId} and id = ${id}`,
    );
    expect((await save({ id, email })).email).toBe(email);
    expect((await save({ id, note: 'n' })).email).toBe(email);
  });
});

describe('what plain SQL stored as addresses', () => {
  it.each(['{}', '[null]', '"x"', '5', 'null'])('is replaced by a save with addresses: %s', async (stored) => {
    const { id } = await save({});
    for (const addresses of [[], [address]]) {
      await database.db.execute(sql`
        update customer set addresses = ${stored}::json where merchant_id = ${ctx.merchantId} and id = ${id}`);
      const { data, errors } = await api.call(ctx, 'saveCustomer', { input: { id, firstName: 'Ada', addresses } });
      expect(errors).toBeUndefined();
      expect(data).toMatchObject({ saveCustomer: { addresses } });
    }
  });

  it('keeps `updatedAt` if an address is sent back whose members are in another order', async () => {
    const saved = await save({ addresses: [{ ...address, country: { name: 'Germany', iso2: 'DE' } }] });
    await database.db.execute(sql`
      update customer set addresses = json_build_array((
        select json_object_agg(key, case key when 'country' then '{"name": "Germany", "iso2": "DE"}'::json else value end)
        from json_each(addresses -> 0)))
      where merchant_id = ${ctx.merchantId} and id = ${saved.id}`);
    const [{ id, updatedAt }] = saved.addresses;
    const sent = { ...address, id, country: { name: 'Germany', iso2: 'DE' } };
    expect((await save({ id: saved.id, addresses: [sent] })).addresses[0].updatedAt).toBe(updatedAt);
  });
});
