import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, type RunningService } from '../support/process.ts';
import { createMerchant, NORMAL_WITHIN_MS, startFaultable } from './support/faulted-service.ts';
import { Load } from './support/load.ts';

/** Two services on one database, as during a rolling restart, each with clients of its own. */
const SERVICES = 2;
const STOPS_EACH = 2;
/** Executing requests take less. The service would close their connections after 25 s. */
const STOPPED_WITHIN_MS = 15_000;
const TEST_TIMEOUT_MS = 300_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

// docs/reliability-tests.md: 97, 99
it(
  `SIGTERM under load, ${SERVICES * STOPS_EACH} times, ends the process with code 0, and loses nothing that a client was told is saved`,
  async () => {
    const runs = await Promise.all(Array.from({ length: SERVICES }, stopRepeatedly));
    const stops = runs.flatMap(({ stops }) => stops);
    const { refused, cut, done } = runs.reduce(
      (sums, { counts }) => ({
        refused: sums.refused + counts.refused,
        cut: sums.cut + counts.cut,
        done: sums.done + counts.done,
      }),
      { refused: 0, cut: 0, done: 0 },
    );
    console.log(
      `${stops.length} stops, ${done} requests served, ${refused} not accepted, ${cut} cut, the longest stop took ${Math.round(Math.max(...stops.map(({ tookMs }) => tookMs)))} ms`,
    );
    expect(
      stops.filter(({ code, signal, tookMs }) => code !== 0 || signal !== null || tookMs > STOPPED_WITHIN_MS),
    ).toEqual([]);
    expect(runs.flatMap(({ wrong }) => wrong)).toEqual([]);
    for (const { balance } of runs)
      expect(balance).toMatchObject({ lost: [], doubled: [], unanswered: [], unpushed: [] });
  },
  TEST_TIMEOUT_MS,
);

async function stopRepeatedly() {
  const { token, ledger } = await createMerchant(database.db);
  let service = await startFaultable(database.url);
  const load = new Load({
    token,
    ledger,
    clientsEach: 1,
    graphqlUrl: () => `${service.url}/api/v1/admin/graphql`,
  }).start();
  const stops: (Pick<Finished, 'code' | 'signal'> & { tookMs: number })[] = [];
  try {
    while (stops.length < STOPS_EACH) {
      await load.isServed(NORMAL_WITHIN_MS);
      stops.push(await stop(service));
      service = await startFaultable(database.url);
    }
    await load.stop();
    return { stops, wrong: load.wrong, counts: load.counts, balance: await ledger.balance() };
  } finally {
    await service.stop('SIGKILL');
    await load.stop();
    await ledger.close();
  }
}

async function stop(service: RunningService) {
  const askedAtMs = performance.now();
  const { code, signal } = await service.stop('SIGTERM');
  return { code, signal, tookMs: performance.now() - askedAtMs };
}
