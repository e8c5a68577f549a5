import type { Logger } from '../../context.ts';
import type { AcrossContext } from '../../db/connection/across-merchants.ts';
import type { Connection } from '../../db/connection/connect.ts';
import { RELAY_CHANNEL } from '../../db/connection/placement.ts';
import { relayDeliveries } from '../../webhook/ledger/relay-deliveries.ts';
import { startInterval } from '../interval.ts';

/** How often the relay looks for deliveries of changes by plain SQL. Changes by the service notify it. */
const RELAY_INTERVAL_MS = 250;

/** Makes the jobs of new deliveries until it is stopped. Used on a cluster, where triggers cannot reach the queue. */
export async function startRelay(
  { db, across, listen }: AcrossContext & Pick<Connection, 'listen'>,
  log: Logger,
): Promise<{ stop(): Promise<void> }> {
  const relay = startInterval(
    async (signal) => {
      while (!signal.aborted && (await relayDeliveries({ db, across })) > 0);
    },
    { name: 'relayDeliveries', intervalMs: RELAY_INTERVAL_MS, log },
  );
  const unlisten = await listen(
    RELAY_CHANNEL,
    () => relay.wake(),
    () => relay.wake(),
  );
  return {
    stop: async () => {
      await relay.stop();
      await unlisten();
    },
  };
}
