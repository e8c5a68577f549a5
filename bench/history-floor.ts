import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import type { Subject } from './subject.ts';
import { waitUntilIdle } from './usage.ts';

const MS_PER_SECOND = 1_000;
/** Of small requests many are written before each commit: the request that they belong to commits anyway. */
const ROWS_OF_COMMIT = 200;
const TABLES = ['change_set', 'change', 'change_part', 'changed_record'] as const;

/** Columns that need a new value each time the same rows are inserted again: ids of a request, and ids of rows. */
const NEW_VALUES: Readonly<Record<string, string>> = {
  'change_set.id': '$1::uuid',
  'change.id': 'uuid_v7()',
  'change.change_set_id': '$1::uuid',
  'change.change_transaction_id': '$1::uuid',
  'change_part.change_transaction_id': '$1::uuid',
};

export type HistoryFloor = { databaseUrl: string; merchantId: string; postgresMs: () => Promise<number | null> };

/**
 * The least that a history needs: an insert of the rows that the service has written for the last request into copies of
 * the tables, with the same indexes and no triggers, and an upsert of the numbers of the records. The service must have
 * executed the workload before.
 */
export function openHistoryFloor({ databaseUrl, merchantId, postgresMs }: HistoryFloor): Subject {
  const client = connectOnce(databaseUrl);
  return {
    name: 'rows',
    does: () => true,
    sample: async (_, { seconds }) => {
      const { statements, rows } = await copyTables(client, merchantId);
      const atOnce = Math.max(1, Math.floor(ROWS_OF_COMMIT / rows));
      const [before, beganMs] = [await postgresMs(), performance.now()];
      let requests = 0;
      for (; performance.now() - beganMs < seconds * MS_PER_SECOND; requests += atOnce)
        await client.begin(async (transaction) => {
          const ids = Array.from({ length: atOnce }, () => crypto.randomUUID());
          await Promise.all(ids.flatMap((id) => statements.map((text) => write(transaction, text, id))));
        });
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

async function write(transaction: postgres.TransactionSql, text: string, id: string): Promise<void> {
  await transaction.unsafe(text, text.includes('$1') ? [id] : [], { prepare: true });
}

/** Returns the statements that write the rows of the merchant's last change set again, and how many rows they write. */
export async function copyTables(client: postgres.Sql, merchantId: string): Promise<{ statements: string[]; rows: number }> {
  await client.unsafe(`
    drop table if exists ${TABLES.flatMap((table) => [`bare_${table}`, `template_${table}`]).join()};
    ${TABLES.map((table) => `create table bare_${table} (like ${table} including all);`).join('\n')}
    create table template_change_set as
    select * from change_set where merchant_id = '${merchantId}' order by created_at desc limit 1;
    create table template_change as
    select c.* from change c join template_change_set s on s.merchant_id = c.merchant_id and s.id = c.change_set_id;
    create table template_change_part as
    select p.* from change_part p join template_change c
      on c.merchant_id = p.merchant_id and c.change_transaction_id = p.change_transaction_id
        and c.record_id = p.record_id;
    create table template_changed_record as
    select r.* from changed_record r join template_change c on c.merchant_id = r.merchant_id and c.record_id = r.record_id;
    analyze ${TABLES.map((table) => `template_${table}`).join()}`);
  const [{ rows } = { rows: 0 }] = await client<{ rows: number }[]>`select count(*)::int as rows from template_change_part`;
  if (rows === 0) throw new Error('The service has not recorded a change.');
  return { statements: await Promise.all(TABLES.map((table) => insertion(client, table))), rows };
}

async function insertion(client: postgres.Sql, table: (typeof TABLES)[number]): Promise<string> {
  const columns = await client<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => NEW_VALUES[`${table}.${name}`] ?? name);
  const text = `insert into bare_${table} as b (${names.join()}) select ${values.join()} from template_${table}`;
  if (table !== 'changed_record') return text;
  return `${text} on conflict (merchant_id, record_id, record_type) do update set number = b.number + 1,
    changed_at_ms = excluded.changed_at_ms`;
}
