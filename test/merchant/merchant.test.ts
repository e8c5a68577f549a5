import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import { getMerchant } from '../../src/merchant/getMerchant.ts';
import { listMerchants } from '../../src/merchant/list-merchants.ts';
import type { MerchantInput } from '../../src/merchant/merchant-input.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const owner = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
const address = {
  addressLine1: 'Hauptstraße 1',
  city: { name: 'Köln' },
  country: { code: 'DEU', iso2: 'DE', iso3: 'DEU', name: 'Deutschland' },
  type: 'CORPORATE',
  verified: true,
  verifiedAt: 1_700_000_000_000,
} as const;
const everything: Selection = Object.fromEntries(
  [
    'id',
    'email',
    'firstName',
    'lastName',
    'address',
    'billingAddress',
    'merchantName',
    'merchantSequence',
    'phoneNumber',
    'region',
    'language',
    'storeName',
  ].map((field) => [field, {}]),
);

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

describe('getMerchant', () => {
  it('returns the merchant of the token with its addresses', async () => {
    const input: MerchantInput = {
      ...owner,
      merchantName: 'Ada GmbH',
      phoneNumber: '+49 1',
      storeName: 'Ada',
      region: 'EU',
      currencyCode: 'EUR',
      address,
    };
    const { merchantId, merchantSequence } = await createMerchant(ctx, { input });
    await createMerchant(ctx, { input: { ...owner, merchantName: 'Another' } });
    expect(await getMerchant({ ...ctx, merchantId }, everything)).toEqual({
      ...owner,
      id: merchantId,
      merchantName: 'Ada GmbH',
      phoneNumber: '+49 1',
      storeName: 'Ada',
      region: 'EU',
      language: 'en',
      merchantSequence,
      address,
      billingAddress: null,
    });
  });
});

describe('createMerchant', () => {
  it('numbers merchants in order, for concurrent creations too', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => createMerchant(ctx, { input: owner })));
    expect(new Set(made.map(({ merchantSequence }) => merchantSequence)).size).toBe(10);
    const next = await createMerchant(ctx, { input: owner });
    expect(next.merchantSequence).toBeGreaterThan(Math.max(...made.map(({ merchantSequence }) => merchantSequence)));
  });

  it('names every invalid member', async () => {
    const input = {
      email: 'nobody',
      firstName: '',
      lastName: 'a\0b',
      region: 'XX' as never,
      currencyCode: 'euro',
      address: { city: { name: '\ud800' } },
    };
    await expect(createMerchant(ctx, { input })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: ['email', 'firstName', 'lastName', 'region', 'currencyCode']
          .map((member) => ({ path: ['input', member] }))
          .concat([{ path: ['input', 'address', 'city', 'name'] }]),
      },
    });
  });

  it.each(['no language', 'x', ''])('refuses the language "%s"', async (language) => {
    await expect(createMerchant(ctx, { input: { ...owner, merchantName: 'Ada', language } })).rejects.toMatchObject({
      extensions: { issues: [{ path: ['input', 'language'] }] },
    });
  });
});

describe('listMerchants', () => {
  it('lists all merchants in order', async () => {
    const { merchantId } = await createMerchant(ctx, { input: { ...owner, merchantName: 'Last' } });
    const listed = await listMerchants(database);
    expect(listed.at(-1)).toEqual({
      merchantId,
      merchantSequence: expect.any(Number),
      merchantName: 'Last',
      email: owner.email,
      createdAt: expect.any(Number),
      historySince: expect.any(Number),
      isHistoryFull: false,
    });
    const sequences = listed.map(({ merchantSequence }) => merchantSequence);
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });
});
