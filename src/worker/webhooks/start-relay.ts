import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { Connection } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { RELAY_CHANNEL } from '../../db/connection/placement.ts';
import { isId } from '../../db/sql/id.ts';
import { relayDeliveries, relayDeliveriesOf } from '../../webhook/ledger/relay-deliveries.ts';
import { startInterval } from '../interval.ts';
import type { FailureReports } from '../log-failure.ts';

/** How often the relay looks for deliveries of changes by plain SQL. Changes by the service notify it. */
const RELAY_INTERVAL_MS = 250;
/** Merchants whose new deliveries are read at the same time. */
const MERCHANTS_AT_ONCE = 4;

/**
 * Makes the jobs of new deliveries until it is stopped. Used on a cluster, where triggers cannot reach the queue. A
 * notification names the merchants that have changed something, so that only their shards are read. All shards are read
 * in each interval: with 32 of them that takes 7 ms, and one shard takes 0.5.
 */
export async function startRelay(
  { db, across, listen }: AcrossContext & Pick<Connection, 'listen'>,
  { log, background }: FailureReports,
): Promise<{ stop(): Promise<void> }> {
  const notified = new Set<string>();
  const ofNotified = startInterval(
    async (signal) => {
      while (!signal.aborted && notified.size > 0) await relayNotified(db, notified);
    },
    { name: 'relayDeliveriesOf', intervalMs: RELAY_INTERVAL_MS, log, background },
  );
  const ofAll = startInterval(
    async (signal) => {
      while (!signal.aborted && (await relayDeliveries({ db, across })) > 0);
    },
    { name: 'relayDeliveries', intervalMs: RELAY_INTERVAL_MS, log, background },
  );
  const unlisten = await listen(
    RELAY_CHANNEL,
    (payload) => {
      for (const merchantId of payload.split(',')) if (isId(merchantId)) notified.add(merchantId);
      ofNotified.wake();
    },
    () => ofAll.wake(),
  );
  return {
    stop: async () => {
      await Promise.all([ofNotified.stop(), ofAll.stop()]);
      await unlisten();
    },
  };
}

/**
 * Makes jobs for the first merchants. One that may have more deliveries is added again behind the others, because
 * `relayDeliveries` fails while a node of a cluster is away, and then nothing else makes their jobs. A merchant that fails
 * here delays no others, and is left to `relayDeliveries`.
 */
async function relayNotified(db: Database, notified: Set<string>): Promise<void> {
  const merchantIds = [...notified].slice(0, MERCHANTS_AT_ONCE);
  const relayed = await Promise.allSettled(
    merchantIds.map(async (merchantId) => {
      notified.delete(merchantId);
      if (await relayDeliveriesOf({ db, merchantId })) notified.add(merchantId);
    }),
  );
  for (const result of relayed) if (result.status === 'rejected') throw result.reason;
}
