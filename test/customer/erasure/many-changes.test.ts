import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseCustomerList } from '../../../src/customer/eraseCustomerList.ts';
import { saveCustomer } from '../../../src/customer/saveCustomer.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

/** A statement that compares all changes of a customer with each other takes longer than a statement may. */
const CHANGES = 10_000;
const CHANGES_OF_OTHERS = 50_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('erases a customer with 10,000 changes among those of others', async () => {
  const ctx = await createContext(database.db);
  const { id } = (await saveCustomer(ctx, { input: { firstName: 'Ada' } }, { id: {} })) as { id: string };
  await database.owner.transaction(async (transaction) => {
    await transaction.execute(sql`
      create temp table made on commit drop as
      select uuid_v7() as id, uuid_v7() as transaction_id, n, case when n <= ${CHANGES}::int then ${id}::uuid else uuid_v7() end as record_id
      from generate_series(1, ${CHANGES + CHANGES_OF_OTHERS}::int) as n`);
    await transaction.execute(sql`
      insert into change
        (merchant_id, id, record_type, record_id, number, kind, change_transaction_id, change_set_id, created_at)
      select ${ctx.merchantId}, id, 'CUSTOMER', record_id, n + 1, 'UPDATED', transaction_id, transaction_id, now() from made`);
    await transaction.execute(sql`
      insert into change_part
        (merchant_id, change_transaction_id, record_id, record_type, statement, part, row_change, before, after)
      select ${ctx.merchantId}, transaction_id, record_id, 'CUSTOMER', 1, '', 'UPDATED',
        json_build_object('firstName', 'Ada ' || n), json_build_object('firstName', 'Ada ' || n + 1)
      from made`);
  });
  await database.owner.execute(sql`analyze change, change_part`);
  await eraseCustomerList(ctx, { idList: [id] }, { items: { place: {}, count: {} } });
  const kept = await database.owner.execute(sql`
    select from change_part where record_id = ${id} and concat(before, after) like '%Ada%'`);
  expect(kept).toHaveLength(0);
});
