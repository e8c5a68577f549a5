import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('the functions of the database', () => {
  it('that run with the rights of their owner look names up in schemas that no other role can write before', async () => {
    const definers = await database.db.execute<{ name: string; settings: string[] | null }>(sql`
      select proname as name, proconfig as settings from pg_proc
      where prosecdef and pronamespace = 'public'::regnamespace order by proname`);
    expect(definers.length).toBeGreaterThan(5);
    expect(definers.filter(({ settings }) => !settings?.includes('search_path=pg_catalog, public, pg_temp'))).toEqual([]);
  });

  it('are the only detour to tables: there is no view', async () => {
    const views = await database.db.execute(sql`select from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace`);
    expect(views).toHaveLength(0);
  });
});
