import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { skipOnCluster } from '../../support/cluster.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';

const PRODUCTS = 100;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;

beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  // Sequences, because what they count is not rolled back.
  await database.owner.execute(sql.raw('create sequence beside_changes; create sequence by_itself'));
  await database.owner.execute(sql`
    create or replace function analyze_products() returns void language plpgsql security definer as $$
    declare
      own bigint := pg_current_xact_id()::xid::text::bigint;
    begin
      perform nextval(case
        when exists (select from bulk_operation where xmin::text::bigint >= own) then 'beside_changes' else 'by_itself' end);
    end $$`);
});
beforeEach(async () => {
  for (const name of ['beside_changes', 'by_itself'])
    await database.owner.execute(sql.raw(`alter sequence ${name} restart`));
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

it.for([
  ['a request', {}, 1],
  ['a request with a key', { 'idempotency-key': 'a' }, 1],
  ['no dry run', { 'x-dry-run': 'true' }, 0],
  ['no dry run with a key', { 'x-dry-run': 'true', 'idempotency-key': 'b' }, 0],
] as const)('the tables are analyzed after %s, in a transaction of its own', async ([, headers, count], test) => {
  skipOnCluster(test, 'on a cluster the tables are not analyzed');
  const input = Array.from({ length: PRODUCTS }, (_, n) => ({
    name: `Bowl ${n}`,
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 5 }] }],
  }));
  const { errors } = await api.call(await createContext(database.db), 'bulkUpdateProducts', { input }, headers);
  expect(errors).toBeUndefined();
  expect(await called('by_itself')).toBe(count);
  expect(await called('beside_changes')).toBe(0);
});

async function called(sequence: string): Promise<number> {
  const [row] = await database.owner.execute<{ count: number }>(
    sql.raw(`select case when is_called then last_value else 0 end::int as count from ${sequence}`),
  );
  return row!.count;
}
