import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { Change } from '../../src/graphql/generated/types.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { post } from '../support/post.ts';
import { rebuilt, type Row, shownRow } from './rebuilt.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;

beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  ctx = await createContext(database.db);
});

async function call(name: string, variables: object): Promise<any> {
  const { data, errors } = (await server.call(ctx, name, variables)) as { data: any; errors?: unknown };
  expect(errors).toBeUndefined();
  return data[name];
}
const own = () => sql`merchant_id = ${ctx.merchantId}`;

/** `text`: a column with a text. */
type Kind = { table: string; owner: string; part: string; text: string; create: () => Promise<string> };

const product = async (): Promise<string> => {
  const name = crypto.randomUUID();
  const variants = ['a', 'b'].map((sku) => ({ sku: `${name} ${sku}`, weight: 1.5, prices: [{ sellPrice: 10 }] }));
  return (await call('saveProduct', { input: { name, type: 'PHYSICAL', variants } })).id;
};
const KINDS: readonly Kind[] = [
  { table: 'variant', owner: 'product_id', part: 'variants', text: 'sku', create: product },
  {
    table: 'product_attribute_option',
    owner: 'attribute_id',
    part: 'options',
    text: 'name',
    create: async () => {
      const name = crypto.randomUUID();
      return (
        await call('saveProductAttribute', { input: { name, type: 'CHOICE', options: [{ name: 'x' }, { name: 'y' }] } })
      ).id;
    },
  },
  {
    table: 'variant_value',
    owner: 'variant_type_id',
    part: 'values',
    text: 'name',
    create: async () => {
      const name = crypto.randomUUID();
      const values = [{ name: `${name} x` }, { name: `${name} y` }];
      return (await call('saveVariantType', { input: { name, selectionType: 'choice', values } })).id;
    },
  },
];

/** The rows that a record has now, by their ids. */
async function storedRows(
  { table, owner }: Pick<Kind, 'table' | 'owner'>,
  recordId: string,
): Promise<Map<string, Row>> {
  const rows = await database.owner.execute<{ row: Row & { id: string } }>(sql`
    select row_to_json(t) as row from ${sql.identifier(table)} t
    where ${own()} and ${sql.identifier(owner)} = ${recordId}`);
  return new Map(rows.map(({ row }) => [row.id, shownRow(row, [owner])]));
}

async function move(
  { db = database.owner, ...kind }: Kind & { db?: Pick<typeof database.owner, 'execute'> },
  from: string,
  to: string,
  set = sql``,
): Promise<string> {
  const ids = [...(await storedRows(kind, from)).keys()].sort();
  await db.execute(sql`
    update ${sql.identifier(kind.table)} set ${sql.identifier(kind.owner)} = ${to}${set}
    where ${own()} and id = ${ids[0]}`);
  return ids[0]!;
}

async function newestChange(recordId: string): Promise<Change> {
  return (await call('listChange', { recordId: { eq: recordId } })).data[0];
}

describe.each(KINDS)('a row of $table that plain SQL moves to another record', (kind) => {
  it('is removed from the one and created in the other, and both can be rebuilt from their differences', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    const id = await move(kind, from, to);
    for (const [record, side, other] of [
      [from, 'before', 'after'],
      [to, 'after', 'before'],
    ] as const) {
      const { kind: changeKind, members } = await newestChange(record);
      expect(changeKind).toBe('UPDATED');
      expect(members.length).toBeGreaterThan(1);
      for (const member of members) {
        expect(member.path).toMatch(`${kind.part}.${id}.`);
        expect(member[side]).not.toBeNull();
        expect(member[other]).toBeNull();
      }
      expect(await rebuilt(database.owner, ctx.merchantId, record, kind.part)).toEqual(await storedRows(kind, record));
    }
    expect((await storedRows(kind, from)).size).toBe(1);
    expect((await storedRows(kind, to)).size).toBe(3);
  });

  it('may be changed by the same statement and others of the transaction, and be moved back', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    await database.owner.transaction(async (transaction) => {
      const send = async (statement: SQL): Promise<unknown> => await transaction.execute(statement);
      const table = sql.identifier(kind.table);
      const [owner, text] = [sql.identifier(kind.owner), sql.identifier(kind.text)];
      const [first, second] = [...(await storedRows(kind, from)).keys()];
      await send(sql`update ${table} set ${text} = 'before' where ${own()} and id = ${first}`);
      await send(sql`
        update ${table} set ${owner} = case when id = ${first} then ${to}::uuid else ${owner} end, ${text} = id
        where ${own()} and ${owner} = ${from}`);
      await send(sql`update ${table} set ${text} = ${`after ${first}`} where ${own()} and id = ${first}`);
      await send(sql`update ${table} set ${owner} = ${to} where ${own()} and id = ${second}`);
      await send(sql`update ${table} set ${owner} = ${from} where ${own()} and id = ${second}`);
    });
    for (const record of [from, to])
      expect(await rebuilt(database.owner, ctx.merchantId, record, kind.part)).toEqual(await storedRows(kind, record));
    const { members } = await newestChange(to);
    expect(members.every(({ before }) => before === null)).toBe(true);
  });

  it('goes back when the change set is taken back', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    const [former, other] = [await storedRows(kind, from), await storedRows(kind, to)];
    await move(kind, from, to);
    const { changeSet } = await newestChange(to);
    expect((await call('revertChanges', { input: { changeSetId: changeSet.id } })).recordCount).toBe(2);
    expect(await storedRows(kind, from)).toEqual(former);
    expect(await storedRows(kind, to)).toEqual(other);
  });

  it('goes back with the members that the same statement and later ones of the transaction set', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    const [former, other] = [await storedRows(kind, from), await storedRows(kind, to)];
    const text = sql.identifier(kind.text);
    await database.owner.transaction(async (transaction) => {
      const id = await move({ ...kind, db: transaction }, from, to, sql`, ${text} = 'moved'`);
      const table = sql.identifier(kind.table);
      await transaction.execute(sql`update ${table} set ${text} = 'later' where ${own()} and id = ${id}`);
    });
    const input = { changeSetId: (await newestChange(to)).changeSet.id };
    expect((await call('revertChanges', { input })).recordCount).toBe(2);
    expect(await storedRows(kind, from)).toEqual(former);
    expect(await storedRows(kind, to)).toEqual(other);
    expect((await call('revertChanges', { input })).recordCount).toBe(0);
  });

  it('stays when the change set is taken back, but a member that it set has changed since', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    const text = sql.identifier(kind.text);
    const id = await move(kind, from, to, sql`, ${text} = 'moved'`);
    const input = { changeSetId: (await newestChange(to)).changeSet.id };
    await database.owner.execute(
      sql`update ${sql.identifier(kind.table)} set ${text} = 'changed' where ${own()} and id = ${id}`,
    );
    const { errors } = (await server.call(ctx, 'revertChanges', { input })) as any;
    const conflict = { path: `${kind.part}.${id}.${kind.text}`, expected: '"moved"', found: '"changed"' };
    expect(errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      conflicts: [to, from].map((recordId) => ({ recordId, ...conflict })),
    });
    expect((await storedRows(kind, to)).has(id)).toBe(true);
  });

  it('goes back when only its removal is taken back, unless it has changed since', async () => {
    const [from, to] = [await kind.create(), await kind.create()];
    const id = await move(kind, from, to);
    const { id: changeId } = await newestChange(from);
    const former = (await storedRows(kind, to)).get(id)![kind.text];
    const set = (value: unknown) =>
      database.owner.execute(sql`
        update ${sql.identifier(kind.table)} set ${sql.identifier(kind.text)} = ${value} where ${own()} and id = ${id}`);
    const revert = async () => await server.call(ctx, 'revertChanges', { input: { changeIds: [changeId] } });
    await set('changed');
    const { errors } = (await revert()) as any;
    const path = `${kind.part}.${id}.${kind.text}`;
    expect(errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      conflicts: [{ recordId: from, path, expected: JSON.stringify(former), found: '"changed"' }],
    });
    await set(former);
    expect(((await revert()) as any).errors).toBeUndefined();
    expect((await storedRows(kind, from)).has(id)).toBe(true);
    expect((await storedRows(kind, to)).has(id)).toBe(false);
  });
});

describe('page metadata that plain SQL moves', () => {
  const kind = { table: 'html_meta_data', owner: 'target_id' };

  it.each([
    ['a product', 'PRODUCT', product],
    ['a category', 'CATEGORY', async () => (await call('saveCategory', { input: { name: crypto.randomUUID() } })).id],
    ['a page, which has no history', 'PAGE', async () => crypto.randomUUID()],
  ] as const)('to %s is removed from the one record and created in the other', async (_, targetType, create) => {
    const [from, to] = [await product(), await create()];
    await database.owner.execute(sql`delete from html_meta_data where ${own()} and target_id = ${to}`);
    const former = await storedRows(kind, from);
    await database.owner.execute(sql`
      update html_meta_data set target_id = ${to}, target_type = ${targetType} where ${own()} and target_id = ${from}`);
    const { members } = await newestChange(from);
    expect(members.find(({ path }) => path === 'metaData.slug')).toMatchObject({ after: null });
    const recorded = targetType === 'PAGE' ? [from] : [from, to];
    for (const record of recorded) {
      const left = await rebuilt(database.owner, ctx.merchantId, record, 'metaData');
      expect(left.size).toBe(record === from ? 0 : 1);
      const target = record === from ? [] : [...former.values()];
      expect([...left.values()]).toEqual(target.map((row) => ({ ...row, target_type: undefined })));
    }
  });

  it('is inserted again when its removal is taken back', async () => {
    const id = await product();
    const former = await storedRows(kind, id);
    await database.owner.execute(sql`delete from html_meta_data where ${own()} and target_id = ${id}`);
    const { changeSet } = await newestChange(id);
    expect((await call('revertChanges', { input: { changeSetId: changeSet.id } })).recordCount).toBe(1);
    expect(await storedRows(kind, id)).toEqual(former);
  });
});

describe('asOf', () => {
  it('answers both products of a variant that was moved, together and each by itself', async () => {
    const [from, to] = [await product(), await product()];
    const listed = async (ids: string[], asOf?: number): Promise<unknown[]> => {
      const query = `query ($ids: [String!], $asOf: Timestamp) {
        listProduct(id: {in: $ids}, asOf: $asOf) { data { id variants { sku } } }
      }`;
      const variables = { ids, ...(asOf !== undefined && { asOf }) };
      await call('listProductTag', {});
      const token = { token: ctx.merchantId };
      const { body } = await post(`${server.url}/api/v1/admin/graphql`, { query, variables }, token);
      return (body.data as any).listProduct.data.map(({ id, variants }: any) => [
        id,
        variants.map((variant: any) => variant.sku),
      ]);
    };
    const former = await listed([from, to]);
    const [row] = await database.owner.execute<{ at: number }>(
      sql`select ceil(extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
    );
    await new Promise((resolve) => setTimeout(resolve, 3));
    const id = await move(KINDS[0]!, from, to, sql`, position = 5`);
    expect(id).toBeTruthy();
    expect(await listed([from, to])).not.toEqual(former);
    expect(await listed([from, to], row!.at)).toEqual(former);
    for (const one of [from, to]) {
      const expected = former.filter((entry) => (entry as [string])[0] === one);
      expect(await listed([one], row!.at)).toEqual(expected);
    }
  });
});
