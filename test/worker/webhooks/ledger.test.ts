import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXACT } from './ledger-judgement.ts';
import { LedgerRun } from './ledger-run.ts';

/** `node bench/webhook.ts ledger` runs the same with 20,000 changes, 10 kills of the service and 3 of PostgreSQL. */
const CHANGES = 1_000;
const SERVICE_KILLS = 3;
const POSTGRES_KILLS = 1;

let run: LedgerRun;
beforeAll(async () => {
  run = await LedgerRun.start();
}, 60_000);
afterAll(() => run.stop());

// docs/reliability-tests.md: 81, 92
it('delivers every committed change and erasure, and none that was rolled back, although the service and PostgreSQL are killed', async () => {
  const result = await run.play({
    changes: CHANGES,
    serviceKills: SERVICE_KILLS,
    databaseDisturbances: POSTGRES_KILLS,
  });
  expect(result).toMatchObject(EXACT);
  expect(result.committed).toBeGreaterThan(CHANGES / 2);
  expect(result.rolledBack).toBeGreaterThan(0);
  expect(result.duplicates).toBeLessThanOrEqual(result.duplicatesAllowed);
  expect(result.refused).toBeGreaterThan(0);
  expect(result.erased).toBeGreaterThan(CHANGES / 20);
}, 180_000);
