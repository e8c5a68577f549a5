import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { CommerceError } from '../../src/errors.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { deleteProductTagList } from '../../src/tag/deleteProductTagList.ts';
import { listProductTag } from '../../src/tag/listProductTag.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const all: Selection = { id: {}, name: {}, translations: {}, createdAt: {}, updatedAt: {}, deleted: {} };

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('saveProductTag', () => {
  it('creates a tag and stores its name trimmed and in Unicode form NFC', async () => {
    const tag = await saveProductTag(ctx, { input: { name: '  Cafe\u0301\n' } }, all);
    expect(tag).toMatchObject({ name: 'Caf\u00e9', translations: null, deleted: false });
    expect(tag.createdAt).toBeGreaterThan(Date.now() - 60_000);
    expect(tag.updatedAt).toBe(tag.createdAt);
  });

  it('keeps what is left out, clears what is null and replaces the list that is sent', async () => {
    const { id } = await saveProductTag(
      ctx,
      { input: { name: 'Keep', translations: [{ locale: 'de', name: 'Behalten' }, { locale: 'tr' }] } },
      all,
    );
    const kept = await saveProductTag(ctx, { input: { id, name: 'Kept' } }, all);
    expect(kept).toMatchObject({
      id,
      name: 'Kept',
      translations: [{ locale: 'de', name: 'Behalten' }, { locale: 'tr' }],
    });
    const replaced = await saveProductTag(ctx, { input: { id, name: 'Kept', translations: [{ locale: 'fr' }] } }, all);
    expect(replaced.translations).toEqual([{ locale: 'fr' }]);
    const cleared = await saveProductTag(ctx, { input: { id, name: 'Kept', translations: null } }, all);
    expect(cleared.translations).toBeNull();
  });

  it('refuses the name of another tag, but accepts another case and the name of a deleted one', async () => {
    const { id } = await saveProductTag(ctx, { input: { name: 'Taken' } }, all);
    await expect(saveProductTag(ctx, { input: { name: ' Taken' } }, all)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(saveProductTag(ctx, { input: { name: 'TAKEN' } }, all)).resolves.toMatchObject({ name: 'TAKEN' });
    await expect(saveProductTag(stranger, { input: { name: 'Taken' } }, all)).resolves.toMatchObject({ name: 'Taken' });
    await saveProductTag(ctx, { input: { id, name: 'Taken', deleted: true } }, all);
    await expect(saveProductTag(ctx, { input: { name: 'Taken' } }, all)).resolves.toMatchObject({ name: 'Taken' });
    await expect(saveProductTag(ctx, { input: { id, name: 'Taken', deleted: false } }, all)).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('accepts a name from only one of several concurrent saves', async () => {
    const saves = Array.from({ length: 8 }, () => saveProductTag(ctx, { input: { name: 'Race' } }, all));
    const results = await Promise.allSettled(saves);
    const codes = results
      .map((result) => (result.status === 'rejected' ? (result.reason as CommerceError).code : 'saved'))
      .sort();
    expect(codes).toEqual([...Array.from({ length: 7 }, () => 'CONFLICT'), 'saved']);
  });

  it("answers NOT_FOUND for an id that is unknown, no id, or another merchant's", async () => {
    const foreign = await saveProductTag(stranger, { input: { name: 'Foreign' } }, all);
    for (const id of [newId(), 'no id at all', '', foreign.id]) {
      await expect(saveProductTag(ctx, { input: { id, name: 'x' } }, all)).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductTag', ids: [id], path: ['input', 'id'] },
      });
    }
    expect(await listProductTag(stranger, { id: { eq: foreign.id } }, all)).toEqual([foreign]);
  });

  // docs/reliability-tests.md: 55
  it('accepts names up to the limit in code points and names the member beyond it', async () => {
    await expect(saveProductTag(ctx, { input: { name: '😀'.repeat(255) } }, all)).resolves.toMatchObject({
      name: '😀'.repeat(255),
    });
    const input = {
      name: '😀'.repeat(256),
      translations: [{ locale: 'de', name: 'a\0b' }, { locale: 'en', description: '\ud800' }, { locale: 'en' }],
    };
    await expect(saveProductTag(ctx, { input }, all)).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: {
        issues: [
          { path: ['input', 'name'] },
          { path: ['input', 'translations', 0, 'name'] },
          { path: ['input', 'translations', 1, 'description'] },
        ],
      },
    });
  });

  it('changes nothing when a tag is sent back as it was read', async () => {
    const before = await saveProductTag(
      ctx,
      { input: { name: 'Round', translations: [{ locale: 'de', name: null, description: 'd' }] } },
      all,
    );
    expect(await saveProductTag(ctx, { input: before }, all)).toEqual(before);
  });
});

describe('listProductTag', () => {
  it("lists the merchant's own tags, newest first", async () => {
    const own = await createContext(database.db);
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) ids.unshift((await saveProductTag(own, { input: { name } }, all)).id);
    await saveProductTag(stranger, { input: { name: 'not of own' } }, all);
    const listed = await listProductTag(own, {}, all);
    expect(listed.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    const times = listed.map(({ createdAt }) => createdAt!);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const paged = [1, 2, 3, 4].map((page) => listProductTag(own, { pagination: { page, limit: 2 } }, all));
    expect((await Promise.all(paged)).flat()).toEqual(listed);
  });

  it('filters by every argument, all together', async () => {
    const own = await createContext(database.db);
    const saved: Record<string, string> = {};
    for (const name of ['50%', 'Café', 'under_score', 'back\\slash', 'plain']) {
      saved[name] = (await saveProductTag(own, { input: { name } }, all)).id;
    }
    const names = async (args: object) => (await listProductTag(own, args, all)).map(({ name }) => name).sort();
    expect(await names({ search: '%' })).toEqual(['50%']);
    expect(await names({ search: '_' })).toEqual(['under_score']);
    expect(await names({ search: 'K\\S' })).toEqual(['back\\slash']);
    expect(await names({ search: 'cafe' })).toEqual(['Café']);
    expect(await names({ search: 'a', name: { nin: ['plain'] } })).toEqual(['Café', 'back\\slash']);
    expect(await names({ name: { like: 'AFÉ' } })).toEqual(['Café']);
    expect(await names({ name: { eq: 'cafe' } })).toEqual([]);
    expect(await names({ id: { in: [saved.plain!, saved['50%']!, 'nonsense'] } })).toEqual(['50%', 'plain']);
    expect(await names({ id: { ne: saved.plain }, name: { like: 'l' } })).toEqual(['back\\slash']);
    expect(await names({ updatedAt: { gt: Date.now() + 60_000 } })).toEqual([]);
    expect(await names({ updatedAt: { gt: 0, lt: Date.now() + 60_000 } })).toHaveLength(5);
  });
});

describe('deleteProductTagList', () => {
  it("deletes all or nothing, and never another merchant's", async () => {
    const { id } = await saveProductTag(ctx, { input: { name: 'Mine' } }, all);
    const foreign = await saveProductTag(stranger, { input: { name: 'Theirs' } }, all);
    for (const unknown of [foreign.id, newId(), 'x']) {
      await expect(deleteProductTagList(ctx, { idList: [id, unknown] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'ProductTag', ids: [unknown] },
      });
    }
    expect(await listProductTag(ctx, { id: { eq: id } }, all)).toHaveLength(1);
    await expect(deleteProductTagList(ctx, { idList: [id] })).resolves.toBe(true);
    await expect(deleteProductTagList(ctx, { idList: [id] })).resolves.toBe(true);
    expect(await listProductTag(ctx, { id: { eq: id } }, all)).toEqual([]);
    expect(await listProductTag(ctx, { id: { eq: id }, includeDeleted: true }, all)).toMatchObject([
      { id, deleted: true },
    ]);
    expect(await listProductTag(stranger, { id: { eq: foreign.id } }, all)).toEqual([foreign]);
  });

  it('restores a deleted tag when it is saved with deleted false', async () => {
    const { id } = await saveProductTag(ctx, { input: { name: 'Back' } }, all);
    await deleteProductTagList(ctx, { idList: [id] });
    await saveProductTag(ctx, { input: { id, name: 'Back' } }, all);
    expect(await listProductTag(ctx, { id: { eq: id } }, all)).toEqual([]);
    await saveProductTag(ctx, { input: { id, name: 'Back', deleted: false } }, all);
    expect(await listProductTag(ctx, { id: { eq: id } }, all)).toHaveLength(1);
  });
});
