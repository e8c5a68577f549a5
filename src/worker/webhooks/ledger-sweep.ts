import type { Database } from '../../db/connection/connect.ts';
import { type LedgerPlace, queueOverdueDeliveries } from '../../webhook/overdue-deliveries.ts';

/** Steps of one walk; a longer backlog is walked through over several. */
const STEPS_MAX = 20;

/** Walks through the ledger for what the queue does not know of. Each call goes on where the last one stopped. */
export function openSweep(db: Database): () => Promise<void> {
  let place: LedgerPlace | null = null;
  return async () => {
    for (let step = 0; step < STEPS_MAX; step++) {
      const { next } = await queueOverdueDeliveries(db, place);
      place = next;
      if (next === null) return;
    }
  };
}
