import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSpentPoints } from '../../src/app/add-spent-points.ts';
import { PointLimiter } from '../../src/http/admission/point-limiter.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

describe('what an app has spent', () => {
  it('is added up, and restored with time', async () => {
    const { session: app } = await createContext(database.db);
    expect((await addSpentPoints(database, app, 5_000)).fullInMs).toBeCloseTo(5_000, 0);
    const { fullInMs } = await addSpentPoints(database, app, 3_000);
    expect(fullInMs).toBeGreaterThan(3_000);
    expect(fullInMs).toBeLessThanOrEqual(8_000);
    await database.db.execute(
      sql`update app_point_bucket set full_at_ms = full_at_ms - 3600000 where merchant_id = ${app.merchantId}`,
    );
    expect((await addSpentPoints(database, app, 100)).fullInMs).toBeCloseTo(100, 0);
  });

  it('is not more because the clock of the database was set back', async () => {
    const { session: app } = await createContext(database.db);
    await addSpentPoints(database, app, 5_000);
    const ahead = sql`full_at_ms = full_at_ms + 3600000, added_at_ms = added_at_ms + 3600000`;
    await database.db.execute(sql`update app_point_bucket set ${ahead} where merchant_id = ${app.merchantId}`);
    expect((await addSpentPoints(database, app, 100)).fullInMs).toBeCloseTo(5_100, 0);
  });

  it('is counted separately for each app', async () => {
    const [one, other] = [await createContext(database.db), await createContext(database.db)];
    await addSpentPoints(database, one.session, 5_000);
    expect((await addSpentPoints(database, other.session, 10)).fullInMs).toBeCloseTo(10, 0);
  });

  it('on three nodes together exceeds the rate by at most a tenth', async () => {
    const { session: app } = await createContext(database.db);
    const limits = { maximumAvailable: 10_000, restoreRate: 2_000 };
    let statements = 0;
    const share = async (...[key, spentMs]: Parameters<ConstructorParameters<typeof PointLimiter>[1]>) => (
      statements++,
      await addSpentPoints(database, key, spentMs)
    );
    const nodes = [0, 1, 2].map(
      () =>
        new PointLimiter(limits, share, {
          warn: (details) => {
            throw new Error(JSON.stringify(details));
          },
        }),
    );
    const start = performance.now();
    let spent = 0;
    let requests = 0;
    // Each node in turn gets requests for more points than the app has on all nodes together.
    for (let turn = 0; performance.now() - start < 12_000; turn++) {
      for (const node of nodes) {
        for (let request = 0; request < 5; request++) {
          requests++;
          if (node.spend(app, 50) === null) spent += 50;
        }
      }
      await wait(10);
    }
    const allowed = limits.maximumAvailable + (limits.restoreRate * (performance.now() - start)) / 1_000;
    nodes.forEach((node) => node.close());
    expect(spent / allowed).toBeGreaterThan(0.9);
    expect(spent / allowed).toBeLessThan(1.1);
    expect(requests).toBeGreaterThan(5_000);
    expect(statements).toBeLessThan(3 * 13);
  });
});
