import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import { BULK_SIZE } from './stock-workloads.ts';
import type { Subject } from './subject.ts';
import { waitUntilIdle } from './usage.ts';

const MS_PER_SECOND = 1_000;

/** Columns that need a new value each time the same row is inserted again. */
const NEW_VALUES: Readonly<Record<string, string>> = {
  id: 'uuid_v7_at(clock_timestamp())',
  sequence: 'sequence + $1::integer',
};

export type StockFloor = { databaseUrl: string; merchantId: string; postgresMs: () => Promise<number | null> };

/**
 * The least that a ledger needs: an upsert of 1,000 counts, and an insert of 1,000 movements as the service has written
 * them, into copies of the tables that have the same indexes and no triggers. The service must have written them before.
 */
export async function openStockFloor({ databaseUrl, merchantId, postgresMs }: StockFloor): Promise<Subject> {
  const client = connectOnce(databaseUrl);
  let written = 0;
  return {
    name: 'floor',
    does: ({ name }) => name === 'S3',
    sample: async (_, { seconds }) => {
      if (written === 0) await copyTables(client, merchantId);
      const write = await writes(client);
      const [before, beganMs] = [await postgresMs(), performance.now()];
      let requests = 0;
      for (; performance.now() - beganMs < seconds * MS_PER_SECOND; requests++) await write(++written);
      const perSecond = (requests * MS_PER_SECOND) / (performance.now() - beganMs);
      const after = await postgresMs();
      await waitUntilIdle(databaseUrl);
      const postgresCpuMs = before === null || after === null ? null : (after - before) / requests;
      const unknown = { p50Ms: null, p99Ms: null, nodeCpuMs: null, residentMiB: null, bytes: null };
      return { perSecond, postgresCpuMs, ...unknown, failed: 0, failure: null };
    },
    stop: async () => await client.end(),
  };
}

async function copyTables(client: postgres.Sql, merchantId: string): Promise<void> {
  await client.unsafe(`
    create table bare_count (like product_stock_location including all);
    create table bare_movement (like stock_movement including all);
    insert into bare_count
    select * from product_stock_location where merchant_id = '${merchantId}' order by id limit ${BULK_SIZE};
    create table bare_template as
    select m.* from bare_count c join stock_movement m
      on m.merchant_id = c.merchant_id and m.product_stock_location_id = c.id and m.sequence = c.last_movement_number;
    analyze bare_count, bare_movement, bare_template`);
  const [row] = await client<{ count: number }[]>`select count(*)::int as count from bare_template`;
  if (row!.count !== BULK_SIZE) throw new Error(`${row!.count} counts have a movement, and not ${BULK_SIZE}.`);
}

/** Returns a function that writes all counts and movements for the nth time. */
async function writes(client: postgres.Sql): Promise<(n: number) => Promise<void>> {
  const columns = await client<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = 'bare_movement'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => NEW_VALUES[name] ?? name);
  const insertion = `insert into bare_movement (${names.join()}) select ${values.join()} from bare_template`;
  const rows = await client`
    select merchant_id, id, product_id, variant_id, stock_location_id from bare_count order by id`;
  return async (n) => {
    const text = JSON.stringify(rows.map((row, index) => ({ ...row, stock_count: n + index })));
    await client.begin(async (transaction) => {
      await transaction`
        insert into bare_count as c (merchant_id, id, product_id, variant_id, stock_location_id, stock_count)
        select merchant_id, id, product_id, variant_id, stock_location_id, stock_count
        from json_to_recordset(${text}::text::json) as e(merchant_id uuid, id uuid, product_id uuid, variant_id uuid,
          stock_location_id uuid, stock_count numeric)
        on conflict (merchant_id, product_id, variant_id, stock_location_id) do update set
          stock_count = excluded.stock_count, last_movement_number = c.last_movement_number + 1, updated_at = now()`;
      await transaction.unsafe(insertion, [n], { prepare: true });
    });
  };
}
