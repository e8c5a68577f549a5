import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import type { ProductVariantType, VariantTypeInput } from '../../src/graphql/generated/types.ts';
import { deleteVariantTypeList } from '../../src/variant-type/deleteVariantTypeList.ts';
import { listVariantType } from '../../src/variant-type/listVariantType.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  selectionType: {},
  translations: {},
  order: {},
  variantTypeId: {},
  variantValueIds: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
  values: { id: {}, name: {}, colorCode: {}, thumbnailImageId: {}, createdAt: {}, updatedAt: {}, deleted: {} },
};

let database: TestDatabase;
let ctx: Context;
let stranger: Context;
let lastNumber = 0;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

function save(input: Partial<VariantTypeInput>, by = ctx): Promise<ProductVariantType> {
  return saveVariantType(
    by,
    { input: { name: `Type ${++lastNumber}`, selectionType: 'choice', values: [{ name: 'One' }], ...input } },
    all,
  );
}

const namesOf = (type: ProductVariantType) => type.values.map(({ name }) => name);

describe('saveVariantType', () => {
  it('creates a variant type with its values in the order they were sent in', async () => {
    const type = await save({
      name: ' Size ',
      values: [{ name: ' S ' }, { name: 'M', colorCode: '#112233' }, { name: 'L', thumbnailImageId: 'picture' }],
    });
    expect(type).toMatchObject({
      name: 'Size',
      selectionType: 'choice',
      order: null,
      variantTypeId: type.id,
      translations: null,
      deleted: false,
    });
    expect(type.values).toMatchObject([
      { name: 'S', colorCode: null, thumbnailImageId: null, deleted: false },
      { name: 'M', colorCode: '#112233' },
      { name: 'L', thumbnailImageId: 'picture' },
    ]);
    expect(type.variantValueIds).toEqual(type.values.map(({ id }) => id));
  });

  it('keeps values matched by id, creates new ones, and no longer lists those that are left out', async () => {
    const before = await save({ values: [{ name: 'S' }, { name: 'M', colorCode: '#000' }, { name: 'L' }] });
    const [s, m] = before.values;
    const after = await save({
      id: before.id,
      name: before.name,
      values: [{ name: 'XL' }, { id: m!.id, name: 'Medium' }, { id: s!.id, name: 'S', colorCode: null }],
    });
    expect(namesOf(after)).toEqual(['XL', 'Medium', 'S']);
    expect(after.values.slice(1)).toMatchObject([{ id: m!.id, colorCode: '#000' }, { id: s!.id }]);
    expect(before.values.map(({ id }) => id)).not.toContain(after.values[0]!.id);
  });

  it('accepts that values exchange their names in one save', async () => {
    const before = await save({ values: [{ name: 'Red' }, { name: 'Green' }, { name: 'Blue' }] });
    const [red, green, blue] = before.values.map(({ id }) => id);
    const after = await save({
      id: before.id,
      values: [
        { id: red, name: 'Green' },
        { id: green, name: 'Blue' },
        { id: blue, name: 'Red' },
      ],
    });
    expect(after.values.map(({ id, name }) => [id, name])).toEqual([
      [red, 'Green'],
      [green, 'Blue'],
      [blue, 'Red'],
    ]);
  });

  it('accepts the former name of a value for a new one', async () => {
    const before = await save({ values: [{ name: 'Old' }, { name: 'Other' }] });
    const [old, other] = before.values.map(({ id }) => id);
    const renamed = await save({ id: before.id, values: [{ id: old, name: 'Older' }, { name: 'Old' }] });
    expect(namesOf(renamed)).toEqual(['Older', 'Old']);
    expect(renamed.variantValueIds).not.toContain(other);
  });

  it('restores a deleted value by its id, and deletes one marked as deleted', async () => {
    const before = await save({ values: [{ name: 'A' }, { name: 'B' }] });
    const [a, b] = before.values.map(({ id }) => id);
    const without = await save({
      id: before.id,
      values: [
        { id: a, name: 'A' },
        { id: b, name: 'B', deleted: true },
      ],
    });
    expect(without.variantValueIds).toEqual([a]);
    const restored = await save({
      id: before.id,
      values: [
        { id: b, name: 'B', deleted: false },
        { id: a, name: 'A' },
      ],
    });
    expect(restored.variantValueIds).toEqual([b, a]);
    await save({ id: before.id, values: [{ id: a, name: 'A' }] });
    expect(
      (
        await save({
          id: before.id,
          values: [
            { id: a, name: 'A' },
            { id: b, name: 'B' },
          ],
        })
      ).variantValueIds,
    ).toEqual([a, b]);
  });

  it('does not write unchanged rows of values', async () => {
    const before = await save({ values: [{ name: 'A' }, { name: 'B' }] });
    const after = await save({ ...(before as VariantTypeInput), values: [...before.values, { name: 'C' }] });
    expect(after.values.slice(0, 2)).toEqual(before.values);
  });

  it('changes nothing when a variant type is sent back as it was read', async () => {
    const { id, values } = await save({ values: [{ name: 'A', colorCode: '#fff' }, { name: 'B' }] });
    const translations = [{ locale: 'de', name: 'Art', values: [{ id: values[1]!.id, name: 'Be' }] }];
    const before = await save({ id, values: [values[1]!, values[0]!], translations });
    expect(await save(before as VariantTypeInput)).toEqual(before);
  });

  it.each<[string, (values: VariantTypeInput['values']) => VariantTypeInput['values']]>([
    ['a new value', (values) => [...values, { name: 'C' }]],
    ['one value less', (values) => values.slice(1)],
    ['another name', ([first, ...others]) => [{ ...first!, name: 'Other' }, ...others]],
    ['another colour', ([first, ...others]) => [{ ...first!, colorCode: '#000' }, ...others]],
    ['another order', (values) => values.toReversed()],
  ])('changes updatedAt with %s', async (_, changed) => {
    const before = await save({ values: [{ name: 'A' }, { name: 'B' }] });
    const after = await save({ ...(before as VariantTypeInput), values: changed(before.values) });
    expect(after.updatedAt).toBeGreaterThan(before.updatedAt!);
  });

  it('does not change updatedAt with deleted entries that were deleted before', async () => {
    const { id, name, values } = await save({ values: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] });
    const entries = values.map((value, index) => ({ ...value, deleted: index === 1 }));
    const before = await save({ id, name, values: entries });
    for (const again of [entries, [entries[0]!, entries[2]!]])
      expect(await save({ id, name, values: again })).toEqual(before);
  });

  it('translates only values of the type, and keeps translations of values deleted since', async () => {
    const { id, values } = await save({ values: [{ name: 'A' }, { name: 'B' }] });
    const other = await save({});
    const translations = values.map((value) => ({ id: value.id, name: 'translated' }));
    const kept = await save({ id, values: [values[0]!], translations: [{ locale: 'de', values: [translations[0]!] }] });
    expect(kept.translations).toEqual([{ locale: 'de', name: null, values: [translations[0]] }]);
    for (const unknown of [translations[1]!.id, other.values[0]!.id, newId(), 'x']) {
      const input = {
        id,
        values: [values[0]!],
        translations: [{ locale: 'de', values: [translations[0]!, { id: unknown }] }],
      };
      await expect(save(input)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'VariantValue', ids: [unknown], path: ['input', 'translations', 0, 'values', 1, 'id'] },
      });
    }
    await save({ id, values: [{ name: 'Only' }] });
    await expect(save({ id, values: [{ name: 'Other' }], translations: kept.translations })).resolves.toMatchObject({
      translations: kept.translations,
    });
  });

  it('answers NOT_FOUND for a value of another type, and changes nothing', async () => {
    const type = await save({ values: [{ name: 'Own' }] });
    const other = await save({ values: [{ name: 'Of another' }] });
    const foreign = await save({ values: [{ name: 'Foreign' }] }, stranger);
    for (const unknown of [other.values[0]!.id, foreign.values[0]!.id, newId(), 'x', '']) {
      for (const id of [type.id, undefined]) {
        const rejected = save({ id, name: 'Must not be', values: [{ name: 'New' }, { id: unknown, name: 'Stolen' }] });
        await expect(rejected).rejects.toMatchObject({
          code: 'NOT_FOUND',
          extensions: { type: 'VariantValue', ids: [unknown], path: ['input', 'values', 1, 'id'] },
        });
      }
    }
    expect(await listVariantType(ctx, { name: { eq: 'Must not be' } }, all)).toEqual([]);
    for (const { id, ...rest } of [type, other])
      expect(await listVariantType(ctx, { id: { eq: id } }, all)).toEqual([{ id, ...rest }]);
    expect(await listVariantType(stranger, {}, all)).toEqual([foreign]);
  });

  it.each<[string, VariantTypeInput['values'], (string | number)[]]>([
    ['no value', [], ['input', 'values']],
    ['only deleted values', [{ name: 'A', deleted: true }], ['input', 'values']],
    ['two values with one name', [{ name: 'Caf\u00e9' }, { name: ' Cafe\u0301 ' }], ['input', 'values', 1, 'name']],
    ['a name that is too long', [{ name: 'x'.repeat(101) }], ['input', 'values', 0, 'name']],
    ['an empty name', [{ name: '\t' }], ['input', 'values', 0, 'name']],
    ['a color code that is too long', [{ name: 'A', colorCode: '#1234567' }], ['input', 'values', 0, 'colorCode']],
    [
      'one id twice',
      [
        { id: 'x', name: 'A' },
        { id: 'x', name: 'B' },
      ],
      ['input', 'values', 1, 'id'],
    ],
  ])('refuses %s', async (_, values, path) => {
    await expect(save({ values })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path }] },
    });
  });

  it('accepts names of 100 and color codes of 7 code points, and one name in two cases', async () => {
    const name = '😀'.repeat(100);
    const type = await save({
      name,
      values: [{ name, colorCode: '#aabbcc' }, { name: 'a' }, { name: 'A' }, { name: 'a', deleted: true }],
    });
    expect(type.name).toBe(name);
    expect(namesOf(type)).toEqual([name, 'a', 'A']);
    await expect(save({ name: `${name}x` })).rejects.toMatchObject({
      extensions: { issues: [{ path: ['input', 'name'] }] },
    });
  });

  it('refuses the name of another variant type, but accepts that of a deleted one', async () => {
    const { id } = await save({ name: 'Taken' });
    await expect(save({ name: 'Taken' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Another variant type already has this name.',
    });
    await deleteVariantTypeList(ctx, { idList: [id] });
    await expect(save({ name: 'Taken' })).resolves.toMatchObject({ name: 'Taken' });
    await expect(save({ id, name: 'Taken', deleted: false })).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('serializes concurrent saves', async () => {
    const type = await save({});
    const saves = Array.from({ length: 10 }, (_, index) =>
      save({ id: type.id, name: type.name, values: [{ name: `v${index}` }, { name: 'One' }] }),
    );
    for (const saved of await Promise.all(saves)) expect(namesOf(saved)).toHaveLength(2);
    const [listed] = await listVariantType(ctx, { id: { eq: type.id } }, all);
    expect(namesOf(listed!)).toEqual([expect.stringMatching(/^v\d$/), 'One']);
  });

  it("answers NOT_FOUND for an id that is unknown, no id, or another merchant's", async () => {
    const foreign = await save({}, stranger);
    for (const id of [newId(), 'x', foreign.id]) {
      await expect(save({ id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductVariantType', ids: [id] },
      });
    }
  });
});

describe('listVariantType', () => {
  it("filters the merchant's own variant types", async () => {
    const own = await createContext(database.db);
    const size = await save({ name: 'Größe' }, own);
    const color = await save({ name: 'Color', selectionType: 'color' }, own);
    const names = async (args: object) => (await listVariantType(own, args, all)).map(({ name }) => name).sort();
    expect(await names({})).toEqual(['Color', 'Größe']);
    expect(await names({ name: { like: 'GRO' } })).toEqual(['Größe']);
    expect(await names({ id: { eq: color.id } })).toEqual(['Color']);
    expect(await names({ id: { nin: [color.id] } })).toEqual(['Größe']);
    expect(await names({ updatedAt: { gte: size.updatedAt } })).toEqual(['Color', 'Größe']);
    expect(await names({ updatedAt: { lt: 0 } })).toEqual([]);
    expect(await names({ pagination: { limit: 1, page: 3 } })).toEqual([]);
  });
});

describe('deleteVariantTypeList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await save({});
    const foreign = await save({}, stranger);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteVariantTypeList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductVariantType', ids: [unknown] },
      });
    }
    expect(await listVariantType(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteVariantTypeList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listVariantType(ctx, { id: { eq: id } }, all)).toEqual([]);
    const [deleted] = await listVariantType(ctx, { id: { eq: id }, includeDeleted: true }, all);
    expect(deleted).toMatchObject({ deleted: true, values: [{ name: 'One', deleted: false }] });
  });
});
