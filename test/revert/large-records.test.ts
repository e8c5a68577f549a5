import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';

const CUSTOMERS = 34;
const MIB = 1024 * 1024;

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

type Answer = { data: any; errors?: { message: string; extensions: Record<string, any> }[] };
const send = async (name: string, variables: object): Promise<Answer> =>
  (await server.call(ctx, name, variables)) as Answer;

/** The ids of the last changes of the records. */
async function lastChanges(ids: readonly string[]): Promise<string[]> {
  const rows = await database.db.execute<{ id: string }>(sql`
    select distinct on (record_id) id from change
    where merchant_id = ${ctx.merchantId} and record_id = any(${`{${ids.join(',')}}`}::uuid[])
    order by record_id, id desc`);
  return rows.map(({ id }) => id);
}

it('refuses to read more than 32 MiB of customers at once, and takes fewer of them back', async () => {
  const customers = await database.owner.execute<{ id: string }>(sql`
    insert into customer (merchant_id, first_name, attributes)
    select ${ctx.merchantId}, 'Ada', json_build_array(json_build_object('value', repeat('x', ${MIB}::int)))
    from generate_series(1, ${CUSTOMERS}::int) returning id`);
  const ids = customers.map(({ id }) => id);
  await database.db.execute(
    sql`update customer set first_name = 'Eve' where merchant_id = ${ctx.merchantId} and id = any(${`{${ids.join(',')}}`}::uuid[])`,
  );
  const changeIds = await lastChanges(ids);
  const { errors } = await send('revertChanges', { input: { changeIds } });
  expect(errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'changeIds'] }] } },
  ]);
  expect(errors![0]!.message).toMatch(/at most 33554432 bytes of stored records are changed at once/);
  const { data } = await send('revertChanges', { input: { changeIds: changeIds.slice(0, CUSTOMERS / 2) } });
  expect(data.revertChanges.recordCount).toBe(CUSTOMERS / 2);
});

it('refuses to read more than 48 MiB of records of several types at once', async () => {
  const [customers, brands] = await Promise.all([
    database.owner.execute<{ id: string }>(sql`
      insert into customer (merchant_id, first_name, attributes)
      select ${ctx.merchantId}, 'Ada', json_build_array(json_build_object('value', repeat('x', ${MIB}::int)))
      from generate_series(1, 25) returning id`),
    database.owner.execute<{ id: string }>(sql`
      insert into product_brand (merchant_id, name, description)
      select ${ctx.merchantId}, 'Large ' || n, repeat('x', ${MIB}::int) from generate_series(1, 25) as n returning id`),
  ]);
  const ids = [...customers, ...brands].map(({ id }) => id);
  const named = sql`merchant_id = ${ctx.merchantId} and id = any(${`{${ids.join(',')}}`}::uuid[])`;
  await database.db.execute(sql`update customer set first_name = 'Eve' where ${named}`);
  await database.db.execute(sql`update product_brand set order_type = 'NEWEST' where ${named}`);
  const changeIds = await lastChanges(ids);
  const { errors } = await send('revertChanges', { input: { changeIds } });
  expect(errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'changeIds'] }] } },
  ]);
  expect(errors![0]!.message).toMatch(
    /of several types .* at most 50331648 bytes of stored records are changed at once/,
  );
});

it('takes back a change set with 130,000 parts of few records', async () => {
  const [setId, transactionId] = [newId(), newId()];
  await database.owner.transaction(async (transaction) => {
    const execute = async (statement: SQL) => await transaction.execute(statement);
    await execute(sql`
      create temp table brand on commit drop as select uuid_v7() as id, n from generate_series(1, 1000) as n`);
    await execute(sql`
      insert into product_brand (merchant_id, id, name, description)
      select ${ctx.merchantId}, id, 'Brand ' || n, '130' from brand`);
    await execute(sql`
      insert into change_set (merchant_id, id, created_at) values (${ctx.merchantId}, ${setId}, now())`);
    await execute(sql`
      insert into change
        (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, created_at)
      select ${ctx.merchantId}, uuid_v7(), 'PRODUCT_BRAND', id, 2, 'UPDATED', ${transactionId}::uuid, ${setId}, now()
      from brand`);
    await execute(sql`
      insert into change_part
        (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after)
      select ${ctx.merchantId}, ${transactionId}::uuid, id, 'PRODUCT_BRAND', part, '', 'UPDATED',
        json_build_object('description', (part - 1)::text), json_build_object('description', part::text)
      from brand, generate_series(1, 130) as part`);
  });
  const { data, errors } = await send('revertChanges', { input: { changeSetId: setId } });
  expect(errors).toBeUndefined();
  expect(data.revertChanges.recordCount).toBe(1000);
});

it('refuses to read more than 64 MiB of changes at once, of all types together', async () => {
  const [setId, transactionId] = [newId(), newId()];
  const parts = 34;
  const changeIds: string[] = [];
  for (const table of ['product_brand', 'product_tag']) {
    const [record] = await database.owner.execute<{ id: string }>(
      sql`insert into ${sql.identifier(table)} (merchant_id, name) values (${ctx.merchantId}, 'Large') returning id`,
    );
    const changeId = newId();
    changeIds.push(changeId);
    await database.owner.execute(sql`
      insert into change
        (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, created_at)
      values (${ctx.merchantId}, ${changeId}, ${table.toUpperCase()}, ${record!.id}, 2, 'UPDATED', ${transactionId},
        ${setId}, now())`);
    await database.owner.execute(sql`
      insert into change_part
        (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after)
      select ${ctx.merchantId}, ${transactionId}::uuid, ${record!.id}::uuid, ${table.toUpperCase()}, part, '', 'UPDATED',
        json_build_object('name', 'Small', 'unknown', repeat('x', ${MIB}::int)), json_build_object('name', 'Large')
      from generate_series(1, ${parts}::int) as part`);
  }
  const { errors } = await send('revertChanges', { input: { changeIds } });
  expect(errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'changeIds'] }] } },
  ]);
  expect(errors![0]!.message).toMatch(/must not have changed so much/);
});

it('lists the conflicts whose values have 1 MiB together, and counts all', async () => {
  const products = await database.owner.execute<{ id: string }>(sql`
    insert into product (merchant_id, name, type, description)
    select ${ctx.merchantId}, 'Tee', 'PHYSICAL', repeat('a', 100000) from generate_series(1, 12) returning id`);
  const ids = products.map(({ id }) => id);
  const describe = async (letter: string): Promise<unknown> =>
    await database.db.execute(
      sql`update product set description = repeat(${letter}, 100000) where merchant_id = ${ctx.merchantId} and id = any(${`{${ids.join(',')}}`}::uuid[])`,
    );
  await describe('b');
  const changeIds = await lastChanges(ids);
  await describe('c');
  const { errors } = await send('revertChanges', { input: { changeIds } });
  const { code, conflictCount, conflicts } = errors![0]!.extensions;
  expect({ code, conflictCount }).toEqual({ code: 'CONFLICT', conflictCount: ids.length });
  expect(conflicts.map(({ path, expected, found }: Record<string, string>) => [path, expected![1], found![1]])).toEqual(
    Array(5).fill(['description', 'b', 'c']),
  );
});
