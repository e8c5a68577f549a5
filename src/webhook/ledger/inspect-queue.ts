import { sql } from 'drizzle-orm';
import type { Database } from '../../db/connection/database.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { CLAIM_LAPSE_S } from './claim-lapse.ts';

/** The lane of an endpoint with due jobs, and the owner of the first one. */
export type Lane = { lane: number; merchantId: string; endpointKey: string };

/** Lanes that one inspection answers. They take Postgres one index look-up each. */
export const MAX_INSPECTED_LANES = 1_000;

/**
 * Frees the jobs of dead workers, and returns the lanes of endpoints below `below` that have due jobs, in descending
 * order. Freeing is safe: the ledger decides whether another request may be made.
 */
export async function inspectQueue(db: Database, below = 0): Promise<Lane[]> {
  const [row] = await readRows(
    { db },
    { lanes: column.nullable(column.json<Lane[]>) },
    sql`
    select release_lapsed_webhook_jobs(make_interval(secs => ${CLAIM_LAPSE_S}::int)) as "released",
      (
        select json_agg(json_build_object(
          'lane', due.lane, 'merchantId', due.merchant, 'endpointKey', due.endpoint_key))
        from due_webhook_lanes(${below}::int, ${sql.raw(String(MAX_INSPECTED_LANES))}) due
      ) as "lanes"`,
  );
  return row!.lanes ?? [];
}
