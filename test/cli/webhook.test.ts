import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tableText } from '../../src/cli/command-line/table.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';
import { createEvents, deliveriesOf, endpoint, save, settle } from '../webhook/deliveries.ts';
import { until } from '../worker/webhooks/receiver.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const scope = 'store/customer/created';

let database: TestDatabase;
let env: Record<string, string>;
let own: Context;
let webhookId: string;
let ids: string[];
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  own = await createContext(database.db);
  webhookId = (await save(own, [scope]))[0]!.id;
  ids = await createEvents(own, 3);
  await settle(own, ids, 'FAILED');
});
afterAll(() => database.drop());

async function webhook(...args: string[]): Promise<Finished> {
  return await run('src/cli/admin.ts', ['webhook', ...args, '--merchant', own.merchantId], env).finished;
}

async function answer(...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await webhook(...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as unknown;
}

async function recordOf(deliveryId: string): Promise<string> {
  const [row] = await database.db.execute<{ id: string }>(
    sql`select record_id as id from webhook_delivery where merchant_id = ${own.merchantId} and id = ${deliveryId}`,
  );
  return row!.id;
}

describe('the webhook commands', () => {
  it('list the webhooks with their health', async () => {
    expect(await answer('list')).toMatchObject([
      { id: webhookId, scope, endpoint, status: 'ACTIVE', health: { requestCount: 0, successRate: null } },
    ]);
  });

  it('explain a missing event for each app with a webhook, and refuse unknown scopes and records', async () => {
    const { authorizedAppId } = own.session;
    const recordId = await recordOf(ids[0]!);
    expect(await answer('why', scope, recordId)).toMatchObject([
      { authorizedAppId, code: 'GIVEN_UP', message: expect.stringContaining('answered 500'), deliveryId: ids[0] },
    ]);
    expect(await answer('why', 'store/customer/updated', recordId)).toMatchObject([
      { authorizedAppId, code: 'NOT_REGISTERED' },
    ]);
    for (const [args, message] of [
      [['why', 'store/order/created', recordId], 'There is no webhook scope'],
      [['why', scope, newId()], 'Customer not found'],
      [['why', scope, recordId, '--app', newId()], 'AuthorizedApp not found'],
    ] as const) {
      const { code, stdout, stderr } = await webhook(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).not.toMatch(/^ {4}at /m);
    }
  });

  it('redeliver deliveries by id, and those of a time range', async () => {
    expect(await answer('redeliver', ids[0]!)).toEqual([{ queuedCount: 1, unchangedCount: 0 }]);
    const range = ['redeliver', '--app', own.session.authorizedAppId, '--scope', scope];
    expect(await answer(...range, '--to', '2020-01-01T00:00:00Z')).toEqual([{ queuedCount: 0, unchangedCount: 0 }]);
    expect(await answer(...range)).toEqual([{ queuedCount: 2, unchangedCount: 1 }]);
    expect(await deliveriesOf(own)).toMatchObject(ids.map((id) => ({ id, state: 'PENDING', isQueued: true })));
    for (const args of [[], [ids[0]!, '--app', newId(), '--scope', scope], ['--from', 'yesterday']]) {
      const { code, stderr } = await webhook('redeliver', ...args);
      expect(code, stderr).toBe(2);
    }
  });

  it('resume a paused webhook', async () => {
    await database.db.execute(
      sql`update webhook set status = 'PAUSED', paused_at = now() where merchant_id = ${own.merchantId}`,
    );
    expect(await answer('resume', webhookId)).toEqual([{ id: webhookId, scope, endpoint, status: 'ACTIVE' }]);
    expect(await webhook('resume', newId())).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Webhook not found'),
    });
  });

  it('show the latest deliveries, and follow the changes of their status', async () => {
    const lines = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; status: string });
    const { stdout } = await webhook('tail', '--count', '2');
    expect(lines(stdout).map(({ id }) => id)).toEqual(ids.slice(1));
    const following = run(
      'src/cli/admin.ts',
      ['webhook', 'tail', '--count', '1', '--follow', '--merchant', own.merchantId],
      env,
    );
    await until(
      () => following.stdout(),
      (text) => text.includes('\n'),
      60_000,
    );
    await settle(own, ids.slice(2), 'DELIVERED');
    const [added] = await createEvents(own, 1);
    await until(
      () => following.stdout(),
      (text) => text.includes(added!),
      60_000,
    );
    following.child.kill('SIGINT');
    const { code, stderr } = await following.finished;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(lines(following.stdout()).map(({ id, status }) => [id, status])).toEqual([
      [ids[2], 'PENDING'],
      [ids[2], 'DELIVERED'],
      [added, 'PENDING'],
    ]);
  });
});

describe('a table', () => {
  it('has columns as wide as their widest cell, and a mark for missing values', () => {
    const rows = [
      { name: 'a', count: 10, at: null },
      { name: 'longer', count: 2, at: 'x'.repeat(200) },
    ];
    expect(tableText(rows)).toBe(`name    count  at\na       10     -\nlonger  2      ${'x'.repeat(99)}…\n`);
    expect(tableText([])).toBe('none\n');
  });
});
