import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CROSS_MERCHANT_STATEMENTS } from '../../src/db/connection/across-merchants.ts';
import { connectAcross, connectForWork } from '../../src/db/connection/connect-for-work.ts';
import { CLUSTER } from '../../src/db/connection/placement.ts';
import { createDueWork, nameOf, workAcrossMerchants } from '../contract/across-work.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { plansOf, type Sent } from './router-plan.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';

const FANS_OUT = 'multi-task query about to be executed';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('statements over several merchants', () => {
  it(
    'are the ones in CROSS_MERCHANT_STATEMENTS, and each of them fans out for some arguments',
    { timeout: 180_000 },
    async () => {
      const sent: Sent[] = [];
      const across = connectAcross(database.acrossUrl, CLUSTER, {
        onStatement: (text, parameters) => sent.push({ text, parameters }),
      });
      const api = await startOperations(database.db);
      await createDueWork(api.call, await createContext(database.db));
      await createDueWork(api.call, await createContext(database.db));
      // Any other statement that fans out would fail on `database.db`.
      await workAcrossMerchants({ ...database, across: across.across });
      await Promise.all([api.stop(), across.close()]);
      expect(new Set(sent.map(({ text }) => nameOf(text)))).toEqual(new Set(CROSS_MERCHANT_STATEMENTS));
      const plans = await plansOf(database.ownerUrl, sent);
      const fansOut = plans.filter((plan) => /Task Count: (?!1\n)/.test(plan));
      expect(new Set(fansOut.map(nameOf))).toEqual(new Set(CROSS_MERCHANT_STATEMENTS));
    },
  );
});

describe('a statement that fans out', () => {
  const everyMerchant = sql`select count(*) from merchant`;

  it('fails on the connections of requests, with any role', async () => {
    const service: TestService = await startTestService({}, 'api');
    try {
      await expect(service.db.execute(everyMerchant)).rejects.toMatchObject({ cause: { message: FANS_OUT } });
    } finally {
      await service.stop();
    }
  });

  it('fails on the connections of commands, also as the owner', async () => {
    const { db, across, close } = await connectForWork(database.ownerUrl, { poolSize: 1, statementTimeoutMs: 5_000 });
    await expect(db.execute(everyMerchant)).rejects.toMatchObject({ cause: { message: FANS_OUT } });
    expect(await across.rows('listMerchants', {}, everyMerchant)).toHaveLength(1);
    await close();
  });
});
