import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteProductAttributeList } from '../../src/attribute/deleteProductAttributeList.ts';
import { listProductAttribute } from '../../src/attribute/listProductAttribute.ts';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import type { ProductAttribute, ProductAttributeInput } from '../../src/graphql/generated/types.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = {
  id: {},
  name: {},
  type: {},
  description: {},
  tableTemplate: {},
  translations: {},
  createdAt: {},
  updatedAt: {},
  deleted: {},
  options: { id: {}, name: {}, colorCode: {}, thumbnailImageId: {}, createdAt: {}, updatedAt: {}, deleted: {} },
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

function save(input: Partial<ProductAttributeInput>, by = ctx): Promise<ProductAttribute> {
  return saveProductAttribute(by, { input: { name: `Attribute ${++lastNumber}`, type: 'CHOICE', ...input } }, all);
}

describe('saveProductAttribute', () => {
  it('creates an attribute with its options in the order they were sent in', async () => {
    const attribute = await save({
      name: ' Material ',
      description: 'of it',
      options: [{ name: 'Wool' }, { name: ' Silk ', colorCode: '#fff' }, { name: 'Wool' }],
    });
    expect(attribute).toMatchObject({
      name: 'Material',
      type: 'CHOICE',
      description: 'of it',
      tableTemplate: null,
      translations: null,
      deleted: false,
    });
    expect(attribute.options).toMatchObject([
      { name: 'Wool', colorCode: null },
      { name: 'Silk', colorCode: '#fff' },
      { name: 'Wool' },
    ]);
    expect((await save({ type: 'TEXT' })).options).toEqual([]);
  });

  it('matches options by id, keeps them when no list is sent and clears them with null', async () => {
    const before = await save({ options: [{ name: 'A', colorCode: '#1' }, { name: 'B' }, { name: 'C' }] });
    const [a, b] = before.options!.map(({ id }) => id);
    const replaced = await save({
      id: before.id,
      options: [{ id: b, name: 'A' }, { name: 'D' }, { id: a, name: 'B' }],
    });
    expect(replaced.options).toMatchObject([
      { id: b, name: 'A' },
      { name: 'D' },
      { id: a, name: 'B', colorCode: '#1' },
    ]);
    expect((await save({ id: before.id })).options).toEqual(replaced.options);
    expect((await save({ id: before.id, options: null })).options).toEqual([]);
    expect((await save({ id: before.id, options: [{ id: a, name: 'Back', deleted: false }] })).options).toMatchObject([
      { id: a, name: 'Back', colorCode: '#1' },
    ]);
    expect((await save({ id: before.id, options: [{ id: a, name: 'Back', deleted: true }] })).options).toEqual([]);
  });

  it('keeps, clears and replaces the whole table template', async () => {
    const tableTemplate = {
      columns: [{ id: 'c1', name: 'Size' }],
      rows: [
        { id: 'r1', name: '' },
        { id: 'r2', name: 'Waist' },
      ],
    };
    const { id } = await save({ type: 'TABLE', tableTemplate });
    expect((await save({ id, type: 'TABLE' })).tableTemplate).toEqual(tableTemplate);
    expect((await save({ id, type: 'TABLE', tableTemplate: { columns: [], rows: [] } })).tableTemplate).toEqual({
      columns: [],
      rows: [],
    });
    expect((await save({ id, type: 'TABLE', tableTemplate: null })).tableTemplate).toBeNull();
  });

  it('changes nothing when an attribute is sent back as it was read', async () => {
    const { id, options } = await save({ options: [{ name: 'A' }, { name: 'B' }] });
    const translations = [
      { locale: 'de', name: null, description: 'Text', options: [{ id: options![0]!.id, name: 'Ah' }] },
    ];
    const before = await save({ id, description: 'a', translations, tableTemplate: { columns: [], rows: [] } });
    expect(await save(before as ProductAttributeInput)).toEqual(before);
  });

  it('keeps the order of options with one name that are sent again without ids', async () => {
    const options = [
      { name: 'A', colorCode: '#1' },
      { name: 'A', colorCode: '#2' },
    ];
    const before = await save({ options });
    expect(await save({ id: before.id, name: before.name, options })).toMatchObject({
      options: before.options!,
      updatedAt: before.updatedAt,
    });
  });

  it('moves updatedAt with its options', async () => {
    const before = await save({ options: [{ name: 'A' }, { name: 'B' }] });
    const added = await save({ ...(before as ProductAttributeInput), options: [...before.options!, { name: 'C' }] });
    expect(added.updatedAt).toBeGreaterThan(before.updatedAt!);
    const removed = await save({ ...(added as ProductAttributeInput), options: null });
    expect(removed.updatedAt).toBeGreaterThan(added.updatedAt!);
  });

  it('translates options that the attribute has', async () => {
    const { id, options } = await save({ options: [{ name: 'A' }] });
    const other = await save({ options: [{ name: 'A' }] });
    await expect(
      save({ id, translations: [{ locale: 'de', options: [{ id: options![0]!.id, name: 'Ah' }] }] }),
    ).resolves.toMatchObject({
      translations: [{ locale: 'de', options: [{ id: options![0]!.id, name: 'Ah' }] }],
    });
    await expect(
      save({ id, translations: [{ locale: 'de' }, { locale: 'tr', options: [{ id: other.options![0]!.id }] }] }),
    ).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'ProductAttributeOption', path: ['input', 'translations', 1, 'options', 0, 'id'] },
    });
  });

  it('answers NOT_FOUND for an option of another attribute and for an unknown attribute', async () => {
    const attribute = await save({});
    const other = await save({ options: [{ name: 'Of another' }] });
    const foreign = await save({ options: [{ name: 'Foreign' }] }, stranger);
    for (const id of [other.options![0]!.id, foreign.options![0]!.id, newId(), 'x']) {
      await expect(save({ id: attribute.id, options: [{ id, name: 'Stolen' }] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductAttributeOption', ids: [id], path: ['input', 'options', 0, 'id'] },
      });
    }
    for (const id of [foreign.id, newId(), 'x']) {
      await expect(save({ id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductAttribute', ids: [id] },
      });
    }
    expect(await listProductAttribute(stranger, {}, all)).toEqual([foreign]);
  });

  it('names every invalid member', async () => {
    const input: Partial<ProductAttributeInput> = {
      name: 'x'.repeat(256),
      options: [{ name: ' ' }, { name: 'A', colorCode: '12345678' }],
      tableTemplate: { columns: [{ id: 'x'.repeat(256), name: '' }], rows: [{ id: '', name: 'a\0' }] },
      translations: [{ locale: ' ' }],
    };
    await expect(save(input)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'options', 0, 'name'] },
          { path: ['input', 'options', 1, 'colorCode'] },
          { path: ['input', 'tableTemplate', 'columns', 0, 'id'] },
          { path: ['input', 'tableTemplate', 'rows', 0, 'name'] },
          { path: ['input', 'translations', 0, 'locale'] },
        ],
      },
    });
  });

  it('refuses the name of another attribute', async () => {
    await save({ name: 'Taken' });
    await expect(save({ name: 'Taken' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Another product attribute already has this name.',
    });
  });
});

describe('listProductAttribute', () => {
  it("filters the merchant's own attributes", async () => {
    const own = await createContext(database.db);
    const care = await save({ name: 'Care', options: [{ name: 'Wash' }] }, own);
    const origin = await save({ name: 'Origin', type: 'TEXT' }, own);
    const names = async (args: object) => (await listProductAttribute(own, args, all)).map(({ name }) => name).sort();
    expect(await listProductAttribute(own, { id: { eq: care.id } }, all)).toEqual([care]);
    expect(await names({})).toEqual(['Care', 'Origin']);
    expect(await names({ name: { ne: 'Care' } })).toEqual(['Origin']);
    expect(await names({ name: { like: 'ARE' } })).toEqual(['Care']);
    expect(await names({ updatedAt: { gte: origin.updatedAt } })).toContain('Origin');
    expect(await names({ pagination: { page: 2, limit: 1 } })).toHaveLength(1);
  });
});

describe('deleteProductAttributeList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await save({});
    const foreign = await save({}, stranger);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteProductAttributeList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductAttribute', ids: [unknown] },
      });
    }
    expect(await listProductAttribute(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteProductAttributeList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listProductAttribute(ctx, { id: { eq: id } }, all)).toEqual([]);
    expect(await listProductAttribute(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([
      { deleted: true },
    ]);
  });
});
