import { connect } from '../src/db/connection/connect.ts';
import { EXACT, HistoryRun } from '../test/change/history-run.ts';
import { type LedgerPlace, ownPostgres, ROUTABLE } from '../test/worker/webhooks/ledger-place.ts';
import { printFindings } from './print-findings.ts';

const KILLS = 10;
/** More than the writers of a run, which change records by plain SQL. */
const CONNECTIONS = 6;
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Changes products, brands and customers by requests and by plain SQL, while the two processes of the service are killed
 * ten times, and reads the shop at several moments. Afterwards it prints the faults of the history, and the moments for
 * which `asOf` answers something else than was read then. Exits with code 1 if there is any of them.
 */
export async function kills(changes: number, moments: number): Promise<void> {
  const place = await ownPostgres();
  try {
    await killsAt(place, changes, moments);
  } finally {
    await place.remove();
  }
}

/** The same on a database that exists already. */
export async function killsAt(place: LedgerPlace, changes: number, moments = KILLS): Promise<void> {
  const settings = { poolSize: CONNECTIONS, statementTimeoutMs: STATEMENT_TIMEOUT_MS, ...ROUTABLE };
  const owner = connect(place.url, settings);
  const run = await HistoryRun.start({ db: owner.db, url: place.servingUrl });
  try {
    printFindings(await run.play({ changes, kills: KILLS, moments }), EXACT);
  } finally {
    await run.stop();
    await owner.close();
  }
}
