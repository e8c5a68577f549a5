import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listText, tableText } from '../../src/cli/command-line/table.ts';
import { explanationsText } from '../../src/cli/webhook/why-text.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { WebhookExplanation } from '../../src/graphql/generated/types.ts';
import { saveProductStockLocations } from '../../src/stock/saveProductStockLocations.ts';
import { deleteWebhook } from '../../src/webhook/deleteWebhook.ts';
import { places } from '../stock/places.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';
import { createEvents, createOtherApp, deliveriesOf, endpoint, save, settle } from '../webhook/deliveries.ts';
import { until } from '../worker/webhooks/receiver.ts';

// Some commands are separate processes, and CI has two cores for all of them.
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

function start(...args: string[]): RunningProcess {
  return run('src/cli/admin.ts', commandLine(args), env);
}

function commandLine(args: string[]): string[] {
  return ['webhook', ...args, '--merchant', own.merchantId];
}

async function webhook(...args: string[]): Promise<Finished> {
  return await runCommand(commandLine(args), env);
}

async function answer(...args: string[]): Promise<unknown> {
  return answerIn(await webhook(...args));
}

function answerIn({ code, stdout, stderr }: Finished): unknown {
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
    expect(answerIn(await start('list').finished)).toMatchObject([
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

  it('find apps and records by what people know', async () => {
    const { authorizedAppId } = own.session;
    const other = await createOtherApp(own);
    await save(other, [scope]);
    const recordId = await recordOf(ids[0]!);
    const shown = (answered: unknown) => (answered as { appName: string }[]).map(({ appName }) => appName).sort();
    expect(shown(await answer('why', scope, recordId))).toEqual(['Other', 'Test']);
    expect(shown(await answer('why', scope, 'Customer 0', '--app', 'other'))).toEqual(['Other']);
    expect(shown(await answer('list', '--app', 'OTHER'))).toEqual(['Other']);
    expect(shown(await answer('list', '--app', authorizedAppId))).toEqual(['Test']);
    const { stdout } = await webhook('tail', '--scope', scope, '--record', 'Customer 1', '--app', 'Test');
    expect(JSON.parse(stdout)).toMatchObject({ id: ids[1], appName: 'Test' });
    const namesake = await createOtherApp(own);
    const refusals: [string[], (string | RegExp)[]][] = [
      [
        ['why', scope, 'Customer'],
        [/has the name.* "Customer"\. These contain it:/, recordId],
      ],
      [['why', scope, 'Nobody'], ['No customer has the name, e-mail address, phone number or id "Nobody".']],
      [['why', scope, recordId, '--app', 'ERP'], ['no app with the name or id "ERP". Its apps: Test, Other.']],
      [
        ['list', '--app', 'Other'],
        ['2 apps have the name "Other".', ...[other, namesake].map(({ session }) => session.authorizedAppId)],
      ],
    ];
    for (const [args, texts] of refusals) {
      const { code, stdout, stderr } = await webhook(...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      for (const text of texts) expect(stderr).toMatch(text);
    }
    await database.db.execute(sql`
      update authorized_app set revoked_at = now()
      where merchant_id = ${own.merchantId} and id = ${namesake.session.authorizedAppId}`);
    expect(shown(await answer('list', '--app', 'Other'))).toEqual(['Other']);
    await deleteWebhook(other, { scopes: [scope] });
  });

  it('find holds by id only, not the stock count of a sku', async () => {
    const [place] = await places(own, 1);
    await saveProductStockLocations(own, { input: { productStockLocationInputs: [{ ...place!, stockCount: 1 }] } });
    await database.db.execute(sql`
      update variant set sku = 'SKU-1' where merchant_id = ${own.merchantId} and id = ${place!.variantId}`);
    for (const args of [
      ['why', 'store/stock/held', 'SKU-1'],
      ['tail', '--scope', 'store/stock/released', '--record', 'SKU-1'],
    ])
      expect(await webhook(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('No hold has the id "SKU-1".'),
      });
  });

  it('redeliver deliveries by id, and those of a time range', async () => {
    expect(await answer('redeliver', ids[0]!)).toEqual([{ queuedCount: 1, unchangedCount: 0 }]);
    const range = ['redeliver', '--app', 'Test', '--scope', scope];
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
    const refused = await webhook('redeliver', ids[0]!);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `The webhook is paused: ${scope}. Resume it first:\n  npm run admin -- webhook resume ${webhookId} --merchant ${own.merchantId}`,
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
    const following = start('tail', '--count', '1', '--follow');
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

describe.each([80, 100, 200])('on a terminal of %i columns', (columns) => {
  const width = (text: string) => Math.max(...text.split('\n').map((line) => line.length));
  const explanation = {
    code: 'GIVEN_UP',
    message: `Given up after 3 attempts. The last one, at 2026-11-25T10:00:00.000Z, answered 500 "${'the cause '.repeat(20)}end".`,
    causedAt: 0,
    deliveryId: '019ac0de-0000-7000-8000-000000000001',
    webhookId: '019ac0de-0000-7000-8000-000000000002',
    webhookStatus: 'PAUSED',
    endpoint: `https://erp.example/${'long/'.repeat(50)}`,
    authorizedAppId: '019ac0de-0000-7000-8000-000000000003',
    appName: 'ERP\u001b',
  } as WebhookExplanation;
  const why = { scope: 'store/product/updated', recordId: 'record' };

  it('an explanation is whole, names its delivery, and has the next commands on one line each', () => {
    const text = explanationsText({ ...why, explained: [explanation] }, { columns, merchant: 'm' });
    const commands = [`webhook resume ${explanation.webhookId}`, `webhook redeliver ${explanation.deliveryId}`];
    const lines = text.split('\n');
    for (const words of commands) expect(lines).toContain(`  npm run admin -- ${words} --merchant m`);
    const sentences = lines.filter((line) => !line.includes('npm run'));
    expect(width(sentences.join('\n'))).toBeLessThanOrEqual(columns);
    expect(sentences.join(' ').replaceAll(/\s+/g, ' ')).toContain(explanation.message);
    expect(sentences.join('').replaceAll(/\s+/g, '')).toContain(explanation.endpoint!);
    expect(text).toContain(`Delivery ${explanation.deliveryId}`);
    expect(text).not.toContain('\u001b');
  });

  it('a list that does not fit is printed as records, without cutting anything', () => {
    const rows = [
      { app: 'ERP', endpoint: explanation.endpoint!, 'p95 ms': null },
      { app: 'Shop', endpoint: 'short', 'p95 ms': 3 },
    ];
    const text = listText(rows, columns);
    expect(width(text)).toBeLessThanOrEqual(columns);
    expect(text.replaceAll(/\s+/g, '')).toContain(explanation.endpoint!);
    expect(text).toMatch(/^app {7}ERP\n/);
    expect(text).toContain('\n\napp       Shop\nendpoint  short\np95 ms    3\n');
    expect(listText(rows.slice(1), columns)).toBe('app   endpoint  p95 ms\nShop  short     3\n');
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
