import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXACT } from '../worker/webhooks/ledger-judgement.ts';
import { LedgerRun } from '../worker/webhooks/ledger-run.ts';

/** Two processes that serve requests and two that deliver webhooks, on one PostgreSQL. */
const ROLES = ['api', 'api', 'worker', 'worker'] as const;
const CHANGES = 1_500;
/** Each process is killed once, and PostgreSQL once. */
const KILLS = { serviceKills: ROLES.length, databaseDisturbances: 1 };

let run: LedgerRun;
beforeAll(async () => {
  run = await LedgerRun.start(ROLES);
});
afterAll(() => run.stop());

// docs/reliability-tests.md: 92
it('two nodes deliver every committed change, and none that was rolled back, while each process and PostgreSQL are killed', async () => {
  const result = await run.play({ changes: CHANGES, ...KILLS });
  expect(result).toMatchObject(EXACT);
  expect(result.committed).toBeGreaterThan(CHANGES / 2);
  expect(result.refused).toBeGreaterThan(0);
  expect(result.duplicates).toBeLessThanOrEqual(result.duplicatesAllowed);
}, 120_000);
