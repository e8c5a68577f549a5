import type postgres from 'postgres';
import { connectOnce } from '../src/db/connection/connect.ts';
import type { BenchCopy } from './database.ts';

const TABLES = ['change_set', 'change', 'change_part', 'changed_record'] as const;

/** Columns that need a new value each time the same rows are inserted again: ids of a request, and ids of rows. */
const NEW_VALUES: Readonly<Record<string, string>> = {
  'change_set.id': '$1::uuid',
  'change.id': 'uuid_v7()',
  'change.change_set_id': '$1::uuid',
  'change.change_transaction_id': '$1::uuid',
  'change_part.change_transaction_id': '$1::uuid',
};

/** `copy` reads the rows of the merchant's last change set. `write` inserts them once for each of some requests. */
export type HistoryFloor = { pid: number; copy: () => Promise<void>; write: (requests: number) => Promise<void> };

/**
 * The least work that a history needs. For each request it inserts the rows that the service has written for such a request,
 * and updates the numbers of the records, in copies of the tables that have the same indexes and no triggers. All requests
 * are one transaction: the transaction of a request is no cost of the history, since it exists without one too.
 */
export async function openHistoryFloor({ url, merchantId }: BenchCopy): Promise<HistoryFloor & Closable> {
  const client = connectOnce(url);
  const [row] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
  let statements: readonly string[] = [];
  return {
    pid: row!.pid,
    copy: async () => {
      await copyRows(client, merchantId);
      statements = await Promise.all(TABLES.map((table) => insertion(client, table)));
    },
    write: async (requests) => {
      await client.begin(async (transaction) => {
        const ids = Array.from({ length: requests }, () => crypto.randomUUID());
        await Promise.all(ids.flatMap((id) => statements.map((text) => insert(transaction, text, id))));
      });
    },
    close: async () => await client.end(),
  };
}

type Closable = { close: () => Promise<void> };

async function insert(transaction: postgres.TransactionSql, text: string, id: string): Promise<void> {
  await transaction.unsafe(text, text.includes('$1') ? [id] : [], { prepare: true });
}

async function copyRows(client: postgres.Sql, merchantId: string): Promise<void> {
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
    select r.* from changed_record r join template_change c
      on c.merchant_id = r.merchant_id and c.record_id = r.record_id;
    analyze ${TABLES.map((table) => `template_${table}`).join()}`);
  const [row] = await client<{ count: number }[]>`select count(*)::int as count from template_change_part`;
  if (row!.count === 0) throw new Error('The service has not recorded a change.');
}

async function insertion(client: postgres.Sql, table: (typeof TABLES)[number]): Promise<string> {
  const columns = await client<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => NEW_VALUES[`${table}.${name}`] ?? name);
  const text = `insert into bare_${table} as b (${names.join()}) select ${values.join()} from template_${table}`;
  if (table !== 'changed_record') return text;
  return `${text} on conflict (merchant_id, record_id, record_type) do update set
    number = b.number + 1, changed_at_ms = excluded.changed_at_ms`;
}
