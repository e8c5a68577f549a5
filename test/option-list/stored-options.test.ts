import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase, withoutTriggers } from '../support/database.ts';
import { ON_NODES, rowsRead } from '../support/rows-read.ts';
import { startOperations } from '../support/operation.ts';

const REMOVED = 50_000;
/** Numbers of rows that a save with two entries may read. */
const FEW = Array.from({ length: 100 }, (_, index) => index + 1);

type Entry = { id: string; name: string; deleted: boolean };
type Saved = { id: string; values: Entry[]; options: Entry[] };

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function answer<Result>(operation: string, variables: object): Promise<Result> {
  const { data, errors } = await server.call(ctx, operation, variables);
  expect(errors).toBeUndefined();
  return data![operation] as Result;
}

/** Ids in the order of `number`, and before those of new records. */
const oldId = (number: number): string => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`;

describe.each([
  ['values', 'saveVariantType', 'variant_value', 'variant_type_id', { selectionType: 'choice' }],
  ['options', 'saveProductAttribute', 'product_attribute_option', 'attribute_id', { type: 'CHOICE' }],
] as const)('%s that were removed', (member, save, table, owner, members) => {
  let full: Saved;
  /** The first number, so that the ids of the two tables differ. */
  const first = member === 'values' ? 0 : REMOVED * 2;

  const saveList = async (entries: object[], stored?: Saved): Promise<Saved> =>
    await answer(save, { input: { ...members, name: newId(), ...(stored && { id: stored.id }), [member]: entries } });

  beforeAll(async () => {
    full = await saveList([{ name: 'Live' }]);
    await withoutTriggers(
      database.owner,
      async (db) =>
        await db.execute(sql`
          insert into ${sql.identifier(table)} (merchant_id, id, ${sql.identifier(owner)}, position, name, deleted)
          select ${ctx.merchantId}, ('01900000-0000-7000-8000-' || lpad((${first}::int + n)::text, 12, '0'))::uuid, ${full.id}, n,
            'Name ' || n / 2, true
          from generate_series(1, ${REMOVED}::int) as n`),
    );
    await database.owner.execute(sql.raw(`analyze ${table}`));
  });

  it('are not read by a save', async ({ skip }) => {
    skip(database.placement.needsRelay, ON_NODES);
    const save = async (): Promise<unknown> => await saveList([{ name: 'Live' }, { name: newId() }], full);
    expect(await rowsRead(database, table, save)).toBeOneOf(FEW);
  });

  it('are restored by name, the last added one first, and by id', async () => {
    const byName = await saveList([{ name: 'Live' }, { name: 'Name 50' }], full);
    expect(byName[member].map(({ id }) => id)).toEqual([full[member][0]!.id, oldId(first + 101)]);
    const byBoth = await saveList([{ id: oldId(first + 201), name: 'Other' }, { name: 'Name 100' }], full);
    expect(byBoth[member].map(({ id }) => id)).toEqual([oldId(first + 201), oldId(first + 200)]);
  });

  // Bulk requests name no options of attributes.
  if (member === 'options') return;
  it('are restored by a bulk request, and not read by one', async ({ skip }) => {
    const { name } = (await answer<{ name: string }[]>('listVariantType', { id: { eq: full.id } }))[0]!;
    const valuesOf = async (): Promise<Entry[]> =>
      (await answer<Saved[]>('listVariantType', { id: { eq: full.id } }))[0]!.values;
    const send = async (typeName: string, value: string): Promise<unknown> =>
      await answer('bulkUpdateProducts', {
        input: [
          {
            name: newId(),
            type: 'PHYSICAL',
            categories: [],
            variants: [
              {
                isActive: true,
                prices: [{ sellPrice: 5 }],
                variantValues: [{ variantTypeName: typeName, variantValueName: value }],
              },
            ],
            productVariantTypes: [{ order: 0, variantTypeName: typeName, variantValues: [{ name: value }] }],
          },
        ],
      });
    await send(name, 'Name 150');
    expect((await valuesOf()).at(-1)).toMatchObject({ id: oldId(first + 301), name: 'Name 150' });
    skip(database.placement.needsRelay, ON_NODES);
    expect(await rowsRead(database, table, async () => await send(name, newId()))).toBeOneOf(FEW);
  });
});
