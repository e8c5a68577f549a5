import { connect } from '../src/db/connection/connect.ts';
import { EXACT, HistoryRun } from '../test/change/history-run.ts';
import { ownPostgres } from '../test/worker/webhooks/ledger-place.ts';

/*
 * `node bench/history-kills.ts [CHANGES] [MOMENTS]` changes products, brands and customers by requests and by plain SQL,
 * 10,000 times, while the two processes of the service are killed ten times. Reads the shop at 1,000 moments meanwhile.
 * Prints what is wrong in the history afterwards, and the moments at which `asOf` finds another shop than was there.
 * Exits with code 1 if anything is wrong. `node bench/cluster.ts history` does the same on a cluster.
 */
const [changes = 10_000, moments = 1_000] = process.argv.slice(2).map(Number);
const KILLS = 10;

const place = await ownPostgres();
const owner = connect(place.url, { poolSize: 6, statementTimeoutMs: 60_000 });
const run = await HistoryRun.start({ db: owner.db, url: place.servingUrl });
try {
  const result: Record<string, unknown> = await run.play({ changes, kills: KILLS, moments });
  for (const [name, value] of Object.entries(result)) {
    const isWrong = name in EXACT && JSON.stringify(value) !== JSON.stringify(EXACT[name as keyof typeof EXACT]);
    if (isWrong) process.exitCode = 1;
    console.log(`${name.padEnd(16)} ${isWrong ? 'WRONG ' : ''}${JSON.stringify(value)}`);
  }
} finally {
  await run.stop();
  await owner.close();
  await place.remove();
}
