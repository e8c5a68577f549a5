import { afterAll, beforeAll, expect, it } from 'vitest';
import { EXACT_RUN, MovementRun } from './movement-run.ts';

/** `node bench/stock.ts kills` runs the same with 20,000 entries, 10 kills of the service and 3 of PostgreSQL. */
const ENTRIES = 500;
const SERVICE_KILLS = 1;
const POSTGRES_KILLS = 1;

let run: MovementRun;
beforeAll(async () => {
  run = await MovementRun.start();
}, 60_000);
afterAll(() => run.stop());

it('applies each key once and holds nothing twice, although the service and PostgreSQL are killed', async () => {
  const result = await run.play({ entries: ENTRIES, serviceKills: SERVICE_KILLS, databaseKills: POSTGRES_KILLS });
  expect(result).toMatchObject(EXACT_RUN);
  expect(result.applied).toBeGreaterThan(ENTRIES / 2);
  expect(result.refused).toBeGreaterThan(0);
  expect(Object.keys(result.holds).toSorted()).toEqual(['COMMITTED', 'EXPIRED', 'RELEASED']);
}, 240_000);
