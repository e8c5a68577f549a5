import { sql } from 'drizzle-orm';
import type { Database } from './connect.ts';

/** False with Citus, which needs parameter values to find the shard of a statement. */
export async function allowsGenericPlans(db: Database): Promise<boolean> {
  return (await db.execute(sql`select from pg_extension where extname = 'citus'`)).length === 0;
}
