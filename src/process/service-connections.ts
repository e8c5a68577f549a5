import type { Logger } from '../context.ts';
import { connect, type Connection } from '../db/connection/connect.ts';
import type { Database } from '../db/connection/database.ts';
import { connectAcross } from '../db/connection/connect-for-work.ts';
import { type Placement, placementOf } from '../db/connection/placement.ts';
import { RelayNotifier } from '../db/connection/relay-notifier.ts';
import { testWrites } from '../db/connection/test-writes.ts';
import { outdatedCollations } from '../db/schema/outdated-collations.ts';
import { excessiveRights } from '../db/schema/privileges.ts';
import { OutageLog } from './outage-log.ts';

/**
 * The readiness checks have a connection of their own, so that they do not wait behind the statements of requests. It is
 * not closed because of its age: `commerce status` counts processes by it, and an idle process would not open it again.
 */
const READINESS_CONNECTION = {
  poolSize: 1,
  statementTimeoutMs: 2_000,
  applicationName: 'commerce-readiness',
  maxLifetimeS: null,
};

export type Connections = Record<'standard' | 'longWrites' | 'readiness', Connection> & {
  acrossMerchants: ReturnType<typeof connectAcross>;
  outage: OutageLog;
};

type ConnectionConfig = {
  databaseUrl: string;
  acrossUrl: string;
  database: { poolSize: number; longWritesPoolSize: number; statementTimeoutMs: number };
};

/** Opens the pools of requests, and asks the database how it is set up. Throws if it cannot be reached. */
export async function openConnections(
  { databaseUrl, acrossUrl, database }: ConnectionConfig,
  log: Logger,
): Promise<{ connections: Connections; placement: Placement }> {
  const readiness = connect(databaseUrl, READINESS_CONNECTION);
  const placement = await askPlacement(readiness, log);
  const outage = new OutageLog(log, {
    reach: async () => await readiness.db.execute('select 1'),
    write: async () => await testWrites(readiness.db),
  });
  const options = {
    ...database,
    ...placement.requests,
    onError: outage.report,
    ...(placement.needsRelay && { onCommit: new RelayNotifier(readiness.db).notify }),
  };
  const connections = {
    standard: connect(databaseUrl, options),
    longWrites: connect(databaseUrl, { ...options, poolSize: options.longWritesPoolSize }),
    acrossMerchants: connectAcross(acrossUrl, placement, { onError: outage.report }),
    readiness,
    outage,
  };
  return { connections, placement };
}

/** The first statements. The connection is closed if they fail. */
async function askPlacement(readiness: Connection, log: Logger): Promise<Placement> {
  try {
    await warnOfRights(readiness.db, log);
    await warnOfCollations(readiness.db, log);
    return await placementOf(readiness.db);
  } catch (error) {
    await readiness.close();
    throw error;
  }
}

/** A serving role with few rights limits what a fault in the service can reach. */
async function warnOfRights(db: Database, log: Logger): Promise<void> {
  const rights = await excessiveRights(db);
  if (rights.length > 0)
    log.warn(
      { rights },
      'the role of DATABASE_URL may do more than the service needs: see "Database roles" in docs/running.md',
    );
}

/** The driver does not show PostgreSQL's own warning, and queries with a damaged index fail silently. */
async function warnOfCollations(db: Database, log: Logger): Promise<void> {
  const outdated = await outdatedCollations(db);
  if (outdated.length > 0)
    log.warn(
      { collations: outdated.map(({ name, stored, current }) => ({ name, stored, current })) },
      'the collation of indexes has another version than they were built with, so they may miss rows: `doctor` prints how to rebuild them',
    );
}

/** Waits until the statements that are executing have ended, for a few seconds at most. */
export async function closeConnections({ outage, ...pools }: Connections): Promise<void> {
  outage.close();
  await Promise.all(Object.values(pools).map(async (pool) => await pool.close()));
}

export async function isDatabaseReachable({ readiness }: Connections): Promise<boolean> {
  return (await readiness.db.execute('select 1')).length === 1;
}

/** Apart from `isDatabaseReachable`: a database that refuses all changes, as with a full disk, still answers queries. */
export async function takesWrites(connections: Connections): Promise<boolean> {
  const { readiness, outage } = connections;
  if (outage.isLackingResources) await testWrites(readiness.db);
  return await isDatabaseReachable(connections);
}
