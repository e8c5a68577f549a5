import { sql } from 'drizzle-orm';
import type { Database, PlanCacheMode } from './connect.ts';

/** Notified after transactions of the service, where a relay makes the jobs of deliveries. */
export const RELAY_CHANNEL = 'webhook_relay';

/**
 * What differs between a cluster and plain PostgreSQL outside of the database; inside of it, what asks `has_citus()`.
 * `requests` and `work`: the plans of statements of requests, and of the worker and of commands. `needsRelay`: no
 * trigger makes the jobs of deliveries.
 */
export type Placement = { requests: PlanCacheMode; work: PlanCacheMode; needsRelay: boolean };

/**
 * Requests have one plan for all parameter values. With the default, Postgres plans the first five executions, and
 * later ones too if a custom plan looks cheaper. Measured: planning takes 1 ms for a page that executes in 0.5 ms.
 */
const PLAIN: Placement = { requests: 'force_generic_plan', work: 'auto', needsRelay: false };
/**
 * Citus finds the shard of a statement from its parameter values. The generic plan that Postgres tries at the sixth
 * execution has none, and writes to all shards.
 */
const CLUSTER: Placement = { requests: 'force_custom_plan', work: 'force_custom_plan', needsRelay: true };

export async function placementOf(db: Database): Promise<Placement> {
  return (await db.execute(sql`select from pg_extension where extname = 'citus'`)).length === 0 ? PLAIN : CLUSTER;
}
