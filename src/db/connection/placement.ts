import { sql } from 'drizzle-orm';
import type { ConnectOptions } from './connect.ts';
import type { Database } from './database.ts';

/** Notified after transactions of the service, where a relay makes the jobs of deliveries. */
export const RELAY_CHANNEL = 'webhook_relay';

/**
 * How the service differs on a cluster and on plain PostgreSQL. (SQL functions call `has_citus()` instead.) Connections
 * have the settings of `requests` in the API, of `work` in the worker and in commands, for statements of one merchant,
 * and of `across` for CROSS_MERCHANT_STATEMENTS. With `needsRelay` a relay makes the jobs of deliveries, as no trigger
 * can.
 */
export type Placement = Record<'requests' | 'work' | 'across', ConnectionSettings> & { needsRelay: boolean };

export type ConnectionSettings = Pick<ConnectOptions, 'planCacheMode' | 'fanOut'>;

/**
 * Requests have one plan for all parameter values. With the default, Postgres plans the first five executions, and
 * later ones too if a custom plan looks cheaper. Measured: planning takes 1 ms for a page that executes in 0.5 ms.
 */
export const PLAIN: Placement = {
  requests: { planCacheMode: 'force_generic_plan' },
  work: {},
  across: {},
  needsRelay: false,
};

/**
 * Citus finds the shard of a statement from its parameter values. The generic plan that Postgres tries at the sixth
 * execution has none, and writes to all shards.
 */
const GUARDED: ConnectionSettings = { planCacheMode: 'force_custom_plan', fanOut: 'fails' };

export const CLUSTER: Placement = {
  requests: GUARDED,
  work: GUARDED,
  across: { ...GUARDED, fanOut: 'runs' },
  needsRelay: true,
};

export async function placementOf(db: Database): Promise<Placement> {
  return (await db.execute(sql`select from pg_extension where extname = 'citus'`)).length === 0 ? PLAIN : CLUSTER;
}
