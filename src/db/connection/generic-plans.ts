import { sql } from 'drizzle-orm';
import type { Database } from './connect.ts';

/** False with Citus, which needs parameter values to find the shard of a statement. */
export async function allowsGenericPlans(db: Database): Promise<boolean> {
  const [row] = await db.execute<{ hasCitus: boolean }>(sql`select has_citus() as "hasCitus"`);
  return !row!.hasCitus;
}
