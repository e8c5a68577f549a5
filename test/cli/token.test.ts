import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let app: { clientId: string; clientSecret: string };
beforeAll(async () => {
  database = await createDatabase();
  await admin(['demo']);
  app = JSON.parse(
    (await admin(['app', 'create', '--name', 'Till', '--scopes', 'read_products'])).stdout,
  ) as typeof app;
});
afterAll(() => database.drop());

it('issues a token for the app of the variables, so that no argument has its secret', async () => {
  const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = app;
  expect(await scopeOf([], { CLIENT_ID, CLIENT_SECRET })).toBe('read_products');
  expect(await scopeOf(['--client-id', CLIENT_ID], { CLIENT_SECRET })).toBe('read_products');
});

it('issues a token for the demo app if only one of the variables is set', async () => {
  const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = app;
  const incomplete: Record<string, string>[] = [{ CLIENT_ID }, { CLIENT_SECRET }, { CLIENT_ID: '', CLIENT_SECRET }];
  for (const variables of incomplete) expect(await scopeOf([], variables)).toContain('write_products');
});

it('refuses an option without the other one', async () => {
  const { code, stderr } = await admin(['token', '--client-secret', app.clientSecret]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('CLIENT_ID and CLIENT_SECRET')]);
});

async function scopeOf(args: string[], variables: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await admin(['token', ...args], variables);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { scope: string }).scope;
}

async function admin(args: string[], variables: Record<string, string> = {}): Promise<Finished> {
  const environment = { DATABASE_URL: database.url, SECRET_KEY: '0'.repeat(64), ...variables };
  return await run('src/cli/admin.ts', args, environment).finished;
}
