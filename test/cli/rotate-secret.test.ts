import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';
import { save } from '../webhook/deliveries.ts';

vi.setConfig({ testTimeout: 120_000 });

const scope = 'store/customer/created';
const CHECK = 'check the webhooks';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

it('lists the webhooks of the app, and asks to check them if the old secret has ended', async () => {
  const ctx = await createContext(database.db);
  const [webhook] = await save(ctx, [scope]);
  const { authorizedAppId } = ctx.session;
  const rotate = async (...options: string[]) =>
    await admin('app', 'rotate-secret', authorizedAppId, '--merchant', ctx.merchantId, ...options);
  const ended = await rotate();
  const webhooks = [{ id: webhook!.id, scope, endpoint: webhook!.endpoint, status: 'ACTIVE' }];
  expect(JSON.parse(ended.stdout)).toMatchObject({ formerSecretUntil: null, webhooks });
  expect(ended.stderr).toContain(CHECK);
  const overlapping = await rotate('--overlap', '1h');
  expect(JSON.parse(overlapping.stdout)).toMatchObject({ webhooks });
  expect(overlapping.stderr).not.toContain(CHECK);
});

async function admin(...args: string[]): Promise<Finished> {
  return await run('src/cli/admin.ts', args, { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64) }).finished;
}
