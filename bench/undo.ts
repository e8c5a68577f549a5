import { connect } from '../src/db/connection/connect.ts';
import { EXACT, ImportUndo } from '../test/revert/import-undo.ts';
import { ownPostgres } from '../test/worker/webhooks/ledger-place.ts';

const PRODUCTS = Number(process.argv[2] ?? 10_000);
const KILLS = Number(process.argv[3] ?? 3);

/**
 * `node bench/undo.ts [PRODUCTS] [KILLS]` imports products into a shop that has 60 % of them, changes the shop, and takes
 * the import back while the shop is changed and the service is killed. Prints JSON: what was checked, where each list must
 * be empty, and the time of each step. Exits with 1 if anything was wrong.
 */
const place = await ownPostgres();
const owner = connect(place.url, { poolSize: 3, statementTimeoutMs: 600_000 });
try {
  const undo = await ImportUndo.open({ db: owner.db, url: place.servingUrl });
  try {
    const result = await undo.play(PRODUCTS, KILLS);
    console.log(JSON.stringify(result, null, 2));
    for (const [name, value] of Object.entries(EXACT))
      if (JSON.stringify(result[name as keyof typeof EXACT]) !== JSON.stringify(value)) process.exitCode = 1;
  } finally {
    await undo.stop();
  }
} finally {
  await owner.close();
  await place.remove();
}
