import { sql } from 'drizzle-orm';
import type { Database } from './connect.ts';

/** Citus does not: it finds a statement's shard by the values of its parameters. */
export async function allowsGenericPlans(db: Database): Promise<boolean> {
  return (await db.execute(sql`select from pg_extension where extname = 'citus'`)).length === 0;
}
