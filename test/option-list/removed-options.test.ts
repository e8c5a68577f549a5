import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { sentBack } from '../support/sent-back.ts';

const MAX_LIVE = 1_000;
const MAX_ENTRIES = 2_000;

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

const KINDS = [
  ['saveVariantType', 'listVariantType', 'values', { name: 'Size', selectionType: 'choice' }],
  ['saveProductAttribute', 'listProductAttribute', 'options', { name: 'Size', type: 'CHOICE' }],
] as const;

const named = (prefix: string, count: number, members: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ name: `${prefix} ${index}`, ...members }));

describe.each(KINDS)('%s', (save, list, member, input) => {
  it('changes nothing when more than 1,000 entries are sent back as they were read, removed ones too', async () => {
    const { data } = await api.call(ctx, save, { input: { ...input, [member]: named('Removed', 500) } });
    const { id } = data![save] as { id: string };
    await api.call(ctx, save, { input: { ...input, id, [member]: named('Live', 600) } });
    const read = async () => await api.call(ctx, list, { id: { eq: id }, includeDeleted: true });
    const before = await read();
    const [record] = before.data![list] as [Record<string, unknown[]>];
    expect(record[member]).toHaveLength(1_100);
    expect((await api.call(ctx, save, { input: sentBack(save, record) })).errors).toBeUndefined();
    expect(await read()).toEqual(before);
  });

  it('takes 1,000 entries that are not deleted, and 2,000 in all', async () => {
    const sent = async (live: number, removed: number) => {
      const entries = [...named('Live', live), ...named('Removed', removed, { deleted: true })];
      return (await api.call(ctx, save, { input: { ...input, name: 'Limits', [member]: entries } })).errors;
    };
    const refused = (message: string) => [
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', member], message }] } },
    ];
    expect(await sent(MAX_LIVE + 1, 0)).toMatchObject(
      refused('must have at most 1000 entries that are not deleted and has 1001'),
    );
    expect(await sent(MAX_LIVE, MAX_ENTRIES - MAX_LIVE + 1)).toMatchObject(
      refused('must have at most 2000 entries and has 2001'),
    );
    expect(await sent(MAX_LIVE, MAX_ENTRIES - MAX_LIVE)).toBeUndefined();
  });
});
