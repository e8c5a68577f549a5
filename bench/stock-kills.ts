import { EXACT_RUN, type MovementPlay, MovementRun } from '../test/stock/kills/movement-run.ts';
import type { LedgerPlace } from '../test/worker/webhooks/ledger-place.ts';
import { printFindings } from './print-findings.ts';

const SERVICE_KILLS = 10;
const DATABASE_KILLS = 3;
/** More entries than that are sent up to 50 a request: a million of them would otherwise take an hour. */
const MAX_USUAL = 100_000;

/** Exits with code 1 if anything was wrong. */
export async function kills(entries: number): Promise<void> {
  const kills = { serviceKills: SERVICE_KILLS, databaseKills: DATABASE_KILLS };
  await play(await MovementRun.start(), { entries, ...kills, isLong: entries > MAX_USUAL });
}

/** The same on a cluster: each disturbance of `place` kills a node and starts it again. */
export async function killsOnCluster(place: LedgerPlace, entries: number): Promise<void> {
  const databaseKills = place.disturbances.length;
  await play(await MovementRun.start(place), { entries, serviceKills: SERVICE_KILLS, databaseKills });
}

async function play(run: MovementRun, what: MovementPlay): Promise<void> {
  try {
    printFindings(await run.play(what), EXACT_RUN);
  } finally {
    await run.stop();
  }
}
