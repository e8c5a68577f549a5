import { PostgresServer } from '../../support/postgres-server.ts';

/** Disturbs a database during a run, for example by a kill. Resolves when the database answers again. */
export type Disturbance = (merchantId: string) => Promise<unknown>;

/**
 * Settings of a connection that works on plain PostgreSQL and on a cluster. A cluster routes a statement by the values of
 * its parameters, which a generic plan does not have.
 */
export const ROUTABLE = { planCacheMode: 'force_custom_plan' } as const;

/** A migrated database for a ledger run, and its disturbances, which take turns. */
export type LedgerPlace = {
  /** The URL for the owner. */
  url: string;
  servingUrl: string;
  disturbances: readonly Disturbance[];
  remove(): Promise<void>;
};

/** A PostgreSQL of its own, which is killed and started again. */
export async function ownPostgres(): Promise<LedgerPlace> {
  const postgres = await PostgresServer.startMigrated();
  const killAndStart: Disturbance = async () => {
    await postgres.kill();
    await postgres.start();
  };
  const { url, servingUrl } = postgres;
  return { url, servingUrl, disturbances: [killAndStart], remove: async () => await postgres.remove() };
}
