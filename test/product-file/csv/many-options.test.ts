import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { importFile } from '../files.ts';
import { catalogue, exportText, importText } from './sheets.ts';

const TYPES = 1_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const optionsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({
    variantTypeName: `Type ${from + index}`,
    variantValueName: `${from + index}`,
  }));

/** Creates a shop with a product whose variants have these options. */
async function shopWith(...variantValues: ReturnType<typeof optionsOf>[]): Promise<Context> {
  const ctx = await createContext(database.db);
  const variants = variantValues.map((values, n) => ({
    sku: `s-${n}`,
    prices: [{ sellPrice: 1 }],
    variantValues: values,
  }));
  const line = { handle: 'machine', name: 'Machine', type: 'PHYSICAL', variants };
  expect(await importFile(ctx, 'jsonl', JSON.stringify(line))).toMatchObject({ created: 1, skipped: [] });
  return ctx;
}

it.each([
  ['a variant has', [optionsOf(0, TYPES)]],
  ['two variants have together', [optionsOf(0, TYPES / 2), optionsOf(TYPES / 2, TYPES)]],
])('a sheet has 1,000 options, which %s, and is imported into another shop', async (_, variantValues) => {
  const ctx = await shopWith(...variantValues);
  const sheet = await exportText(ctx);
  expect(sheet).toContain(`Option${TYPES} Value`);
  expect(await importText(ctx, sheet)).toMatchObject({ unchanged: 1, skipped: [], ignoredColumns: [] });
  const other = await createContext(database.db);
  expect(await importText(other, sheet)).toMatchObject({ created: 1, skipped: [] });
  expect(await catalogue(other)).toEqual(await catalogue(ctx));
});
