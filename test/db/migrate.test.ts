import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

it('changes nothing when run again, ten times at once', async () => {
  const before = await schemaChecksum();
  await Promise.all(Array.from({ length: 10 }, () => migrate(database.ownerUrl, database.url)));
  expect(await schemaChecksum()).toBe(before);
});

it('folds accents and case, in Turkish and German too', async () => {
  const [row] = await database.db.execute<Record<string, string>>(sql`
    select fold('İSTANBUL') as i, fold('Iğdır') as g, fold('Straße') as s, fold('Ä') as a, fold(${'CAFE\u0301'}) as e`);
  expect(row).toEqual({ i: 'istanbul', g: 'igdir', s: 'strasse', a: 'a', e: 'cafe' });
});

it('makes UUIDs of version 7 for rows of plain SQL', async () => {
  const [row] = await database.db.execute<{ id: string }>(sql`select uuid_v7()::text as id`);
  expect(row!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Math.abs(Number.parseInt(row!.id.slice(0, 8) + row!.id.slice(9, 13), 16) - Date.now())).toBeLessThan(60_000);
});

it('keeps amounts that the columns hold, and rounds others into them', async () => {
  const migration = readFileSync(new URL('../../migrations/0018_exact_amounts.sql', import.meta.url), 'utf8');
  const statement = migration.split('--> statement-breakpoint').find((text) => text.includes('"product_stock_location"'))!;
  await database.owner.execute(sql`create table amounts (n serial, stock_count numeric)`);
  await database.owner.execute(sql`
    insert into amounts (stock_count) values (null), (19.9), (0.30000000000000004), (-12), (1e300), (-1e20), (9999999999999), (9999999999999.9999999), ('Infinity')`);
  await database.owner.execute(sql.raw(statement.replace('"product_stock_location"', '"amounts"')));
  const rows = await database.owner.execute<{ text: string | null }>(sql`select trim_scale(stock_count)::text as text from amounts order by n`);
  const largest = '9999999999999';
  expect(rows.map(({ text }) => text)).toEqual([null, '19.9', '0.3', '-12', largest, `-${largest}`, largest, largest, largest]);
});

async function schemaChecksum(): Promise<string> {
  const [row] = await database.db.execute<{ sum: string }>(sql`
    select md5(string_agg(table_name || column_name || data_type, ',' order by table_name, ordinal_position)) as sum
    from information_schema.columns where table_schema = 'public'`);
  return row!.sum;
}
