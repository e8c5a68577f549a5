import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { connect } from '../../../src/db/connection/connect.ts';
import { ofMerchant } from '../../../src/db/connection/database.ts';
import {
  CONNECTION_LIFETIME_S,
  MAX_PREPARED_CHARACTERS,
  preparedStatements,
  unprepared,
} from '../../../src/db/connection/prepared-statements.ts';
import { createDatabase } from '../../support/database.ts';

/** Of one merchant. */
const oneMerchant = (now?: () => number): ((text: string) => boolean) => {
  const mayPrepare = preparedStatements(now);
  return (text) => mayPrepare(text, 'a');
};
const text = (name: string | number, length = 30_000) => String(name).padEnd(length, ' x');

it('prepares a statement when it is sent a second time', () => {
  const mayPrepare = oneMerchant();
  expect([mayPrepare('a'), mayPrepare('b'), mayPrepare('a'), mayPrepare('a')]).toEqual([false, false, true, true]);
});

it('never prepares a text that contains values', () => {
  const mayPrepare = oneMerchant();
  expect([1, 2, 3].map(() => mayPrepare(unprepared('a')))).toEqual([false, false, false]);
});

it('keeps statements that are repeated, however many new texts are sent', () => {
  const mayPrepare = oneMerchant();
  for (let index = 0; index < 100_000; index++) mayPrepare(`once ${index}`);
  mayPrepare('mine');
  expect(mayPrepare('mine')).toBe(true);
});

it('forgets long texts that were sent once after fewer of them', () => {
  const mayPrepare = oneMerchant();
  for (let index = 0; index < 400; index++) mayPrepare(text(index, 100_000));
  expect([mayPrepare(text(0, 100_000)), mayPrepare(text(399, 100_000))]).toEqual([false, true]);
});

it('prepares long texts of a merchant up to a number of characters, and starts again when connections are replaced', () => {
  let now = 0;
  const mayPrepare = oneMerchant(() => now);
  const twice = (text: string) => [mayPrepare(text), mayPrepare(text)][1];
  const prepared = Array.from({ length: 1_000 }, (_, index) => text(index)).filter(twice);
  expect(prepared.join('').length).toBeGreaterThan(MAX_PREPARED_CHARACTERS / 2 - 30_000);
  expect(prepared.join('').length).toBeLessThanOrEqual(MAX_PREPARED_CHARACTERS / 2);
  expect([twice(text('late')), twice(prepared[0]!)]).toEqual([false, true]);
  now += CONNECTION_LIFETIME_S * 1_000 + 1;
  expect(twice(text('late'))).toBe(true);
});

it('prepares statements of other merchants after one has sent as many as it may', () => {
  const mayPrepare = preparedStatements();
  const twice = (text: string, merchantId: string) => [mayPrepare(text, merchantId), mayPrepare(text, merchantId)][1];
  for (let index = 0; index < 1_000; index++) twice(text(`a ${index}`), 'a');
  expect(['b', 'c', 'd'].map((merchantId) => twice(text(merchantId), merchantId))).toEqual([true, true, true]);
});

it('prepares at most a number of characters, however many merchants send statements', () => {
  const mayPrepare = preparedStatements();
  const twice = (text: string, merchantId: string) => [mayPrepare(text, merchantId), mayPrepare(text, merchantId)][1];
  const texts = Array.from({ length: 1_000 }, (_, index) => text(index));
  const prepared = texts.filter((text, index) => twice(text, `merchant ${index}`));
  expect(prepared.join('').length).toBeLessThanOrEqual(MAX_PREPARED_CHARACTERS);
});

it('counts the statements that a connection gets, also in transactions, for the merchant that it serves', async () => {
  const database = await createDatabase();
  const { db, close } = connect(database.url, { poolSize: 1, statementTimeoutMs: 10_000 });
  try {
    const padded = (name: string | number) => sql`select ${'x'}::text ${sql.raw(`/* ${text(name)} */`)}`;
    const [a, b] = ['a', 'b'].map((merchantId) => ofMerchant(db, merchantId)) as [typeof db, typeof db];
    for (let index = 0; index < 100; index++) {
      await a.execute(padded(index));
      await a.transaction(async (transaction) => await transaction.execute(padded(index)));
    }
    const prepared = async () => (await b.execute(sql`select from pg_prepared_statements`)).length;
    const ofA = await prepared();
    expect(ofA).toBeGreaterThan(30);
    expect(ofA).toBeLessThan(40);
    for (let time = 0; time < 2; time++)
      await b.transaction(async (transaction) => await transaction.execute(padded('b')));
    expect(await prepared()).toBe(ofA + 1);
  } finally {
    await close();
    await database.drop();
  }
});
