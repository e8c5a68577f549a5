import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** A cluster moves shards by logical replication. `node bench/cluster.ts moves` moves them while changes are made. */
it('every table is logged and has a replica identity, so that its shards can be moved while they are written', async () => {
  const rows = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relpersistence <> 'p'
      or not exists (
        select from pg_index i
        where i.indrelid = c.oid and case c.relreplident when 'd' then i.indisprimary else i.indisreplident end)`);
  expect(rows.map(({ name }) => name)).toEqual([]);
});
