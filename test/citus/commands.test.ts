import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { run } from '../support/process.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 120_000 });

const SECRET_KEY = randomUUID().replaceAll('-', '').repeat(2);

const env = {
  DATABASE_URL: inject('servingUrl'),
  CROSS_MERCHANT_DATABASE_URL: inject('acrossUrl'),
  SECRET_KEY,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe('the commands', () => {
  it('create a merchant and its app, and issue tokens for it', async () => {
    const { merchantId } = await answer('merchant', 'create');
    const app = await answer('app', 'create', '--merchant', String(merchantId));
    const credentials = ['--client-id', String(app.clientId), '--client-secret', String(app.clientSecret)];
    expect(await answer('token', ...credentials)).toMatchObject({ token_type: 'Bearer' });
    expect(await answer('app', 'revoke', String(app.clientId))).toBeDefined();
  });

  it('create the demo merchant once, and issue tokens for its app', async () => {
    const first = await answer('demo');
    expect(await answer('demo')).toEqual({ ...first, created: false });
    expect(await answer('token')).toMatchObject({ token_type: 'Bearer' });
  });

  it('show the nodes, their shards, and the merchants with the most products', async () => {
    const ctx = await createContext(database.db);
    const api = await startOperations(database.db);
    const { errors } = await api.call(ctx, 'saveProduct', {
      input: { name: 'Shirt', type: 'PHYSICAL', variants: [{ sku: 'a', prices: [{ sellPrice: 1 }] }] },
    });
    await api.stop();
    expect(errors).toBeUndefined();
    const { stdout } = await run('src/cli/admin.ts', ['doctor'], env).finished;
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    const nodes = checks.find(({ name }) => name === 'nodes')!;
    expect(nodes).toMatchObject({
      ok: true,
      detail: expect.stringMatching(
        /^coordinator \S+ \(.*\), \d+ workers: (\S+ \(\d+ shards of each table, \d+ MB\),? ?)+;/,
      ),
    });
    expect(nodes.detail).toMatch(/the most products: [\da-f-]{36} \d+ on \S+:\d+/);
  });
});

async function answer(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await run('src/cli/admin.ts', args, env).finished;
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, unknown>;
}
