import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { saveCustomer } from '../../src/customer/saveCustomer.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { eventsOf, register } from '../webhook/ledger.ts';

const SCOPES = ['store/customer/created', 'store/customer/updated'];

let database: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
});
afterAll(() => database.drop());

/** The SQL of docs/running.md, which the owner of the tables runs after a restore. */
async function afterRestore(): Promise<void> {
  const [, block] = /```sql\n(update webhook_record [^]*?)```/.exec(await readFile('docs/running.md', 'utf8'))!;
  for (const statement of block!.split(';').filter((text) => text.trim() !== ''))
    await database.owner.execute(sql.raw(statement));
}

const save = async (input: { id?: string; firstName: string }): Promise<string> =>
  (await saveCustomer(ctx, { input }, { id: {} })).id;

it('the numbers of pushes continue above those of all records before, and tokens and sign-in codes end', async () => {
  const unpushed = await save({ firstName: 'Without a push' });
  await register(ctx, SCOPES);
  const pushed = await save({ firstName: 'With a push' });
  const { merchantId, session } = ctx;
  await database.db.execute(sql`
    insert into access_token (merchant_id, hash, id, authorized_app_id, scopes, created_at, expires_at)
    values (${merchantId}, 'x', gen_random_uuid(), ${session.authorizedAppId}, '{}', now(), now() + interval '1 hour')`);
  await database.db.execute(sql`
    insert into sign_in_code (merchant_id, hash, authorized_app_id, scopes, expires_at)
    values (${merchantId}, 'x', ${session.authorizedAppId}, '{}', now() + interval '1 hour')`);
  await afterRestore();
  for (const id of [pushed, unpushed]) await save({ id, firstName: 'Changed' });
  const created = await save({ firstName: 'Created after the restore' });
  expect((await eventsOf(ctx)).map(({ recordId, sequence }) => [recordId, sequence])).toEqual([
    [pushed, 1],
    [pushed, 1_000_002],
    [unpushed, 1_000_001],
    [created, 1],
  ]);
  for (const table of ['access_token', 'sign_in_code'])
    expect(await database.owner.execute(sql`select from ${sql.identifier(table)}`)).toHaveLength(0);
});
