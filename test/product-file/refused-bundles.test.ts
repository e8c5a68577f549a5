import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { sheetOf } from './csv/sheets.ts';
import { exportFile, importFile, tryFile } from './files.ts';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  ctx = await createContext(database.db);
});

const PRICED = { prices: [{ sellPrice: 1 }] };
const ENTRY = { id: 'k', product: 'part', variants: [] as string[], quantity: 1, order: 1 };
const UNKNOWN = { ...ENTRY, product: 'nope' };
const NO_PRODUCT = 'there is no product with the handle "nope"; the rest of the product is imported';

/** A product in bundles, and a product with a bundle. */
function setOf(bundle: object, ...variantsBefore: object[]): string {
  const plain = { name: 'A', type: 'PHYSICAL', variants: [PRICED] };
  const variants = [...variantsBefore, { ...PRICED, sku: 'set', bundle }];
  return [
    { ...plain, handle: 'part' },
    { ...plain, handle: 'set', type: 'BUNDLE', variants },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

it.each([
  ['a negative number', { maxBundleQuantity: -5 }, 'maxBundleQuantity: must not be negative'],
  ['an id twice', { products: [ENTRY, ENTRY] }, 'products.1.id: must not occur twice'],
])('a product whose bundle has %s is skipped as a whole', async (_name, settings, mistake) => {
  const reason = `variants.0.bundle.${mistake}`;
  const skipped = [{ handle: 'set', mistakes: [{ line: 2, reason }] }];
  const file = setOf({ products: [ENTRY], ...settings });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 1, skipped });
});

it('a bundle may leave out its limits', async () => {
  const file = setOf({ products: [ENTRY] });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 2, skipped: [] });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ unchanged: 2, skipped: [] });
});

it('limits that a bundle leaves out stay as they are', async () => {
  await importFile(ctx, 'jsonl', setOf({ products: [ENTRY], minBundleQuantity: 2, maxBundleQuantity: 5 }));
  expect(await importFile(ctx, 'jsonl', setOf({ products: [ENTRY] }))).toMatchObject({ unchanged: 2 });
  const file = setOf({ products: [{ ...ENTRY, quantity: 3 }], maxBundleQuantity: null });
  expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ updated: 1, skipped: [] });
  const { text } = await exportFile(ctx, 'jsonl');
  expect(text).toContain('"minBundleQuantity":2');
  expect(text).toContain('"maxBundleQuantity":null');
});

describe('a bundle that cannot be written', () => {
  it('names the variant that its product does not have', async () => {
    const file = setOf({ products: [{ ...ENTRY, variants: ['gone'] }] });
    const reason = 'variants.0.bundle: the product "part" has no variant "gone"; the rest of the product is imported';
    const skipped = [{ line: 2, handle: 'set', reason, mistakes: [{ line: 2, reason }] }];
    expect(await importFile(ctx, 'jsonl', file)).toMatchObject({ created: 2, skipped });
    expect((await exportFile(ctx, 'jsonl')).text).not.toContain('"product":"part"');
  });

  it('is named by the number of its variant in the line', async () => {
    const file = setOf({ products: [UNKNOWN] }, { ...PRICED, sku: 'a' }, { ...PRICED, sku: 'b' });
    const { skipped } = await importFile(ctx, 'jsonl', file);
    expect(skipped).toMatchObject([{ mistakes: [{ line: 2, reason: `variants.2.bundle: ${NO_PRODUCT}` }] }]);
  });

  it('is named by its cell in a sheet', async () => {
    const rows = { Handle: 'set', Title: 'Set', 'Variant Price': '1' };
    const sheet = sheetOf({ ...rows, 'Commerce / Variant Bundle': JSON.stringify({ products: [UNKNOWN] }) });
    const { skipped } = await importFile(ctx, 'csv', sheet);
    const reason = `Commerce / Variant Bundle: ${NO_PRODUCT}`;
    expect(skipped).toMatchObject([{ handle: 'set', mistakes: [{ line: 2, row: 2, column: 'D', reason }] }]);
  });

  it('is named without the path of the API', async () => {
    const file = setOf({ products: [{ ...ENTRY, product: 'set' }] });
    const { skipped } = await importFile(ctx, 'jsonl', file);
    const reason = expect.stringMatching(/^variants\.0\.bundle: must not make a bundle hold itself/);
    expect(skipped).toMatchObject([{ mistakes: [{ line: 2, reason }] }]);
  });

  it.each([
    ['a dry run', tryFile],
    ['an import', importFile],
  ])('is no update in %s if nothing else has changed', async (_name, read) => {
    const file = setOf({ products: [UNKNOWN] });
    await importFile(ctx, 'jsonl', file);
    const skipped = [{ handle: 'set' }];
    expect(await read(ctx, 'jsonl', file)).toMatchObject({ created: 0, updated: 0, unchanged: 1, skipped });
  });

  it('is no update either in an import that is interrupted', async () => {
    const file = setOf({ products: [UNKNOWN] });
    await importFile(ctx, 'jsonl', file);
    const interruption = new AbortController();
    const options = { signal: interruption.signal, onBatch: () => interruption.abort() };
    const expected = { updated: 0, unchanged: 1, skipped: [], interrupted: true };
    expect(await importFile(ctx, 'jsonl', file, options)).toMatchObject(expected);
  });
});
