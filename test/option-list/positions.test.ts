import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { sentBack } from '../support/sent-back.ts';

type Entry = { id: string; name: string };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function call<Answer>(name: string, variables: object): Promise<Answer> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data![name] as Answer;
}

const KINDS = [
  ['saveVariantType', 'listVariantType', 'values', 'variant_value', { name: 'Size', selectionType: 'choice' }],
  [
    'saveProductAttribute',
    'listProductAttribute',
    'options',
    'product_attribute_option',
    { name: 'Size', type: 'CHOICE' },
  ],
] as const;

describe.each(KINDS)('%s', (save, list, member, table, members) => {
  /** Saves the list; entries that it has already keep their ids. */
  async function saveNamed(names: string[], id?: string): Promise<string> {
    const known = id === undefined ? [] : (await read())[member]!;
    const entries = names.map((name) => ({ id: known.find((one) => one.name === name)?.id, name }));
    return (await call<{ id: string }>(save, { input: { ...members, id, [member]: entries } })).id;
  }
  async function read(): Promise<Record<string, Entry[]>> {
    const [record] = await call<[Record<string, Entry[]>]>(list, {});
    return record;
  }
  const shown = async () => (await read())[member]!.map(({ name }) => name);

  async function lastSet(recordId: string): Promise<string> {
    const variables = { recordId: { eq: recordId }, pagination: { limit: 1 } };
    return (await call<{ data: { changeSet: { id: string } }[] }>('listChange', variables)).data[0]!.changeSet.id;
  }

  async function expectNothingChangedBySendingBack(): Promise<void> {
    const before = await read();
    await call(save, { input: sentBack(save, before) });
    expect(await read()).toEqual(before);
  }

  it('changes nothing when a list is sent back from which a revert has taken an entry in the middle', async () => {
    const id = await saveNamed(['S']);
    await saveNamed(['S', 'M'], id);
    const changeSetId = await lastSet(id);
    await saveNamed(['S', 'M', 'L'], id);
    await call('revertChanges', { input: { changeSetId } });
    expect(await shown()).toEqual(['S', 'L']);
    await expectNothingChangedBySendingBack();
  });

  it('changes nothing when a list is sent back to which a revert has returned an entry', async () => {
    const id = await saveNamed(['A', 'B', 'C']);
    await saveNamed(['A', 'C'], id);
    const changeSetId = await lastSet(id);
    await saveNamed(['A', 'C', 'D'], id);
    await call('revertChanges', { input: { changeSetId } });
    expect(await shown()).toEqual(['A', 'B', 'C', 'D']);
    await expectNothingChangedBySendingBack();
  });

  it('shows entries with equal positions by their ids, and changes nothing when they are sent back', async () => {
    await saveNamed(['A', 'B', 'C', 'D']);
    const moved = ['D', 'C', 'A', 'B'];
    for (const name of moved)
      await database.db.execute(sql`
        update ${sql.identifier(table)} set position = 2147483647 where merchant_id = ${ctx.merchantId} and name = ${name}`);
    expect(await shown()).toEqual(['A', 'B', 'C', 'D']);
    await expectNothingChangedBySendingBack();
  });

  it('gives entries with equal positions the order in which they are sent', async () => {
    const id = await saveNamed(['A', 'B', 'C']);
    await database.db.execute(sql`
      update ${sql.identifier(table)} set position = 2147483647 where merchant_id = ${ctx.merchantId}`);
    await saveNamed(['C', 'A', 'D', 'B'], id);
    expect(await shown()).toEqual(['C', 'A', 'D', 'B']);
  });

  it('keeps the stored positions when an entry was removed and another one is added', async () => {
    const id = await saveNamed(['S', 'M', 'L']);
    const positions = async () =>
      await database.db.execute<{ name: string; position: number }>(sql`
        select name, position from ${sql.identifier(table)}
        where merchant_id = ${ctx.merchantId} and not deleted order by position`);
    const [, ...kept] = [...(await positions())];
    await saveNamed(['M', 'L'], id);
    await saveNamed(['M', 'L', 'XL'], id);
    expect([...(await positions())]).toEqual([...kept, { name: 'XL', position: 3 }]);
  });
});
