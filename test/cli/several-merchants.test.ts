import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let merchants: [Context, Context];
beforeAll(async () => {
  database = await createDatabase();
  merchants = [await createContext(database.db), await createContext(database.db)];
});
afterAll(() => database.drop());

it.each([
  ['app', 'revoke', 'Test'],
  ['app', 'rotate-secret', 'Test'],
  ['webhook', 'redeliver', '--app', 'Test', '--scope', 'store/product/updated'],
])('%s %s needs one of several merchants, and names them', async (...args) => {
  const before = await rows();
  const { code, stdout, stderr } = await admin(...args.filter((arg) => arg !== undefined));
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^There are 2 merchants\. Name one by --merchant:\n/);
  for (const { merchantId } of merchants) expect(stderr).toContain(merchantId);
  expect(await rows()).toEqual(before);
});

it('an app is found without its merchant by its client id, and by an id of the first merchant', async () => {
  const { merchantId } = merchants[1];
  const { stdout } = await admin('app', 'create', '--merchant', merchantId, '--name', 'Test');
  const { clientId } = JSON.parse(stdout) as { clientId: string };
  expect(JSON.parse((await admin('app', 'revoke', clientId)).stdout)).toMatchObject({ merchantId, revoked: true });
  const [app] = JSON.parse((await admin('app', 'list')).stdout) as [{ authorizedAppId: string }];
  expect(await admin('app', 'rotate-secret', app.authorizedAppId)).toMatchObject({ code: 0 });
});

async function admin(...args: string[]): Promise<Finished> {
  return await run('src/cli/admin.ts', args, { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64) }).finished;
}

async function rows(): Promise<unknown[]> {
  return await database.owner.execute(sql`
    select id, revoked_at, client_secret_encrypted from authorized_app
    union all select merchant_id, history_since, null from merchant order by 1`);
}
