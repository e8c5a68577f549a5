import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { variantType } from '../../../drizzle/variant-type.ts';
import type { Context } from '../../../src/context.ts';
import { pipeline } from '../../../src/db/connection/pipeline.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { lockedRows } from '../../../src/db/write/stored-rows.ts';
import { bulkUpdateProducts } from '../../../src/product/bulkUpdateProducts.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { listVariantType } from '../../../src/variant-type/listVariantType.ts';
import { saveVariantType } from '../../../src/variant-type/saveVariantType.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

const MAX_VALUES = 1_000;
const TOO_MANY = 'must leave the variant type "Size" with at most 1,000 values';

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

const values = (count: number, from = 1) => Array.from({ length: count }, (_, n) => ({ name: `S${from + n}` }));
const size = (variantValues: { name: string }[]) => ({
  productVariantTypes: [{ order: 0, variantTypeName: 'Size', variantValues }],
});
const ofVariant = (name: string) => ({
  variants: [{ prices: [{ sellPrice: 1 }], variantValues: [{ variantTypeName: 'Size', variantValueName: name }] }],
});
const bulk = async (...products: object[]) => {
  const members = { type: 'PHYSICAL', categories: [], productVariantTypes: [] };
  const variants = [{ prices: [{ sellPrice: 1 }] }];
  const entries = products.map((product, n) => ({
    ...members,
    variants,
    sourceId: `p${n}`,
    name: `p${n}`,
    ...product,
  }));
  await bulkUpdateProducts(ctx, { input: entries as never });
};
const refusalAt = (...paths: (string | number)[][]) => ({
  code: 'ARGUMENT_VALIDATION_ERROR',
  extensions: { issues: paths.map((path) => ({ path: ['input', ...path], message: TOO_MANY })) },
});
const selection = { id: {}, name: {}, updatedAt: {}, values: { id: {}, name: {} } };
const stored = async () => (await listVariantType(ctx, {}, selection))[0];

describe('the values of a variant type', () => {
  it('are at most 1,000 after a bulk request, as saveVariantType takes them', async () => {
    await bulk(size(values(MAX_VALUES - 1)));
    await bulk({}, size(values(3)), ofVariant(`S${MAX_VALUES}`));
    const { id, values: all } = (await stored())!;
    expect(all.map(({ name }) => name)).toEqual(values(MAX_VALUES).map(({ name }) => name));
    await saveVariantType(ctx, { input: { id, name: 'Size', selectionType: 'choice', values: all } }, selection);
    const before = await stored();
    await expect(bulk(size(values(2, MAX_VALUES)))).rejects.toMatchObject(
      refusalAt([0, 'productVariantTypes', 0, 'variantValues']),
    );
    expect(await stored()).toEqual(before);
  });

  it('are refused where they exceed the limit: an entry before them may add its own', async () => {
    await bulk(size(values(MAX_VALUES - 1)));
    const sent = bulk(
      ofVariant('new'),
      ofVariant('S1'),
      ofVariant('newer'),
      size([{ name: 'new' }, { name: 'newer' }]),
    );
    await expect(sent).rejects.toMatchObject(
      refusalAt([2, 'variants', 0, 'variantValues'], [3, 'productVariantTypes', 0, 'variantValues']),
    );
    await expect(bulk(size(values(600)), size(values(600, 601)))).rejects.toMatchObject(
      refusalAt([1, 'productVariantTypes', 0, 'variantValues']),
    );
  });

  it('may be used if there are more, and removed ones may not come back', async () => {
    await bulk(size(values(MAX_VALUES)));
    const { id } = (await stored())!;
    await database.db.execute(sql`
      insert into variant_value (merchant_id, id, variant_type_id, position, name, deleted)
      select ${ctx.merchantId}, uuid_v7(), ${id}::uuid, ${MAX_VALUES}::int + n, 'S' || ${MAX_VALUES}::int + n, n = 3
      from generate_series(1, 3) as n`);
    const before = await stored();
    await bulk(size(values(2, MAX_VALUES + 1)), ofVariant('S1'));
    expect(await stored()).toEqual(before);
    await expect(bulk(ofVariant('S1003'))).rejects.toMatchObject(refusalAt([0, 'variants', 0, 'variantValues']));
  });

  it('are added without reading the translations of their type', async () => {
    await bulk(size(values(1)));
    const before = database.statements.length;
    await bulk(size(values(2)));
    const read = database.statements.slice(before).filter((statement) => statement.includes('"variant_type"'));
    expect(read).not.toEqual([]);
    expect(read.filter((statement) => statement.includes('translations'))).toEqual([]);
  });

  it('come back at the end if they are removed while the request waits for another type', async () => {
    const both = (sizeName: string) => ({
      productVariantTypes: [
        { order: 0, variantTypeName: 'Size', variantValues: [{ name: sizeName }] },
        { order: 1, variantTypeName: 'Colour', variantValues: [{ name: 'Red' }, { name: 'Blue' }] },
      ],
    });
    await bulk(both('S1'));
    const types = await listVariantType(ctx, {}, selection);
    const [colour, other] = ['Colour', 'Size'].map((name) => types.find((type) => type.name === name)!);
    const blue = colour!.values.filter(({ name }) => name === 'Blue');
    let sent: Promise<void> | undefined;
    await inTransaction(ctx, async (holding) => {
      await pipeline(holding, [lockedRows(holding, variantType, { member: 'id', ids: [other!.id] })]);
      sent = bulk(both('S2'));
      await waitForLocks(database.db, 1);
      const input = { id: colour!.id, name: 'Colour', selectionType: 'choice' as const, values: blue };
      await saveVariantType(ctx, { input }, selection);
    });
    await sent;
    const positions = await database.db.execute(sql`
      select name, position from variant_value
      where merchant_id = ${ctx.merchantId} and variant_type_id = ${colour!.id} and not deleted order by position`);
    expect(positions).toEqual([
      { name: 'Blue', position: 1 },
      { name: 'Red', position: 2 },
    ]);
  });
});

describe('an entry that deletes a variant', () => {
  const sized = (sku: string, name: string, more: object = {}) => ({
    sku,
    prices: [{ sellPrice: 1 }],
    variantValues: [{ variantTypeName: 'Size', variantValueName: name }],
    ...more,
  });
  const variants = async () => {
    const { data } = await listProduct(ctx, {}, { data: { variants: { sku: {} } } });
    return data.flatMap((product) => product.variants.map(({ sku }) => sku));
  };

  it('creates no variant type and no value', async () => {
    await bulk({ variants: [sized('s', 'S'), sized('m', 'M')] });
    const before = await listVariantType(ctx, {}, selection);
    const values = ['Size', 'Colour'].map((variantTypeName) => ({ variantTypeName, variantValueName: 'New' }));
    await bulk({ variants: [sized('m', 'M', { variantValues: values, deleted: true })] });
    expect(await variants()).toEqual(['s']);
    expect(await listVariantType(ctx, {}, selection)).toEqual(before);
  });

  it('finds it by a value that has been removed, which stays removed', async () => {
    await bulk({ variants: [sized('s', 'S'), sized('m', 'M')] });
    const { id, values: all } = (await stored())!;
    const kept = all.filter(({ name }) => name === 'S');
    await saveVariantType(ctx, { input: { id, name: 'Size', selectionType: 'choice', values: kept } }, selection);
    await bulk({ variants: [sized('other', 'M', { deleted: true })] });
    expect(await variants()).toEqual(['s']);
    expect((await stored())!.values).toEqual(kept);
  });

  it.each(['Size', 'Colour'])('deletes no other one if its value is unknown: %s', async (variantTypeName) => {
    await bulk({ variants: [sized('s', 'S')] });
    const variantValues = [{ variantTypeName, variantValueName: 'New' }];
    await bulk({ variants: [{ prices: [], variantValues, deleted: true }] });
    expect(await variants()).toEqual(['s']);
  });
});

it('refuses all entries of which two variants have the same values', async () => {
  const variant = (sourceId: string) => ({ ...ofVariant('S').variants[0]!, sourceId });
  const repeated = { variants: [variant('a'), variant('b')] };
  await expect(bulk(repeated, ofVariant('S'), repeated)).rejects.toMatchObject({
    code: 'ARGUMENT_VALIDATION_ERROR',
    extensions: {
      issues: [0, 2].map((entry) => ({ path: ['input', entry, 'variants', 1, 'variantValues'] })),
    },
  });
});
