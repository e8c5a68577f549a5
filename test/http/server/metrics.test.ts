import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureLedger } from '../../../src/http/server/component-metrics.ts';
import { Metrics } from '../../../src/http/server/metrics.ts';
import type { LedgerFigures } from '../../../src/webhook/ledger/ledger-figures.ts';
import { post } from '../../support/post.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

const UNKNOWN_ID = '01a1fc1f-bebe-71b0-939b-fd7cbc7fe604';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  ({ token } = await service.createApp());
});
afterAll(() => service.stop());

describe('GraphQL requests', () => {
  it('are counted by root field and by the code of the first error', async () => {
    await send('{ listProduct { count } }');
    await send('query Invented { other: listProduct { count } }');
    await send(`mutation { saveProductTag(input: { id: "${UNKNOWN_ID}", name: "x" }) { id } }`);
    await send('{ me { id } listProductTag { id } }');
    await send('{ __schema { queryType { name } } }');
    await send('{ inventedByAClient }');
    await send('{');
    await send('{ me { id } }', null);
    await send('mutation { saveProductTag(input: { name: "one" }) { id } }', token, { 'idempotency-key': 'k' });
    await send('mutation { saveProductTag(input: { name: "two" }) { id } }', token, { 'idempotency-key': 'k' });
    const metrics = await readMetrics();
    expect(metrics.filter((line) => line.startsWith('graphql_requests_total')).toSorted()).toEqual([
      'graphql_requests_total{operation="introspection",code="OK"} 1',
      'graphql_requests_total{operation="listProduct",code="OK"} 2',
      'graphql_requests_total{operation="me",code="LOGIN_REQUIRED"} 1',
      'graphql_requests_total{operation="none",code="GRAPHQL_PARSE_FAILED"} 1',
      'graphql_requests_total{operation="none",code="GRAPHQL_VALIDATION_FAILED"} 1',
      'graphql_requests_total{operation="saveProductTag",code="CONFLICT"} 1',
      'graphql_requests_total{operation="saveProductTag",code="NOT_FOUND"} 1',
      'graphql_requests_total{operation="saveProductTag",code="OK"} 1',
      'graphql_requests_total{operation="several",code="OK"} 1',
    ]);
    expect(metrics.filter((line) => line.startsWith('graphql_js_fields_total'))).toEqual([
      'graphql_js_fields_total{reason="introspection"} 1',
    ]);
    expect(metrics.join('\n')).not.toMatch(/invented/i);
  });
});

describe('gauges', () => {
  it('show the pools, and the number of statements that wait for a connection', async () => {
    expect(await readMetrics()).toEqual(
      expect.arrayContaining([
        'database_connections{pool="requests"} 4',
        'database_connections{pool="long_writes"} 2',
        'database_connections_in_use{pool="requests"} 0',
        'database_statements_waiting{pool="requests"} 0',
      ]),
    );
    const slow = Array.from({ length: 6 }, () => service.db.execute(sql`select pg_sleep(0.6)`));
    const busy = await readMetrics();
    await Promise.all(slow);
    expect(busy).toContain('database_connections_in_use{pool="requests"} 4');
    // The driver pipelines the statements of one merchant on a connection, so none waits yet.
    expect(busy).toContain('database_statements_waiting{pool="requests"} 0');
    const transactions = Array.from({ length: 6 }, () =>
      service.db.transaction((db) => db.execute(sql`select pg_sleep(0.6)`)),
    );
    const full = await readMetrics();
    await Promise.all(transactions);
    expect(full).toContain('database_statements_waiting{pool="requests"} 2');
  });

  it('show the decoder, the event loop and the ledger', async () => {
    const metrics = await readMetrics();
    expect(metrics).toEqual(
      expect.arrayContaining([
        'image_decodes_running{queue="originals"} 0',
        'image_decodes_waiting{queue="renditions"} 0',
        'webhook_deliveries_waiting 0',
        'webhook_oldest_delivery_due_seconds 0',
        'webhooks_paused 0',
      ]),
    );
    expect(metrics.some((line) => /^nodejs_eventloop_lag_p99_seconds \d/.test(line))).toBe(true);
  });
});

describe('while the database does not answer', () => {
  it.concurrent('metrics are read soon, each time, without the figures of the ledger', async () => {
    const metrics = new Metrics();
    measureLedger(metrics, () => new Promise(() => {}));
    const startedAtMs = performance.now();
    for (const _ of [1, 2]) {
      const text = await metrics.read();
      expect(text).toContain('webhook_deliveries_waiting Nan');
      expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    }
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });

  it.concurrent('the figures of the ledger appear as soon as they are there', async () => {
    const metrics = new Metrics();
    const reading = Promise.withResolvers<LedgerFigures>();
    measureLedger(metrics, () => reading.promise);
    expect(await metrics.read()).toContain('webhook_deliveries_waiting Nan');
    reading.resolve({ waiting: 3, oldestDueS: 0, pausedWebhooks: 0 });
    expect(await metrics.read()).toContain('webhook_deliveries_waiting 3');
  });
});

describe('probes', () => {
  it('are logged at the level debug, and requests of clients at info', async () => {
    const before = service.lines.length;
    for (const path of ['/healthz', '/readyz', '/metrics', '/nowhere']) await fetch(`${service.url}${path}`);
    await expect.poll(() => requestPaths(before)).toEqual(['/nowhere']);
  });
});

async function send(query: string, own: string | null = token, headers: Record<string, string> = {}) {
  return await post(service.graphqlUrl, { query }, { token: own, headers });
}

async function readMetrics(): Promise<string[]> {
  return (await (await fetch(`${service.url}/metrics`)).text()).split('\n');
}

function requestPaths(since: number): unknown[] {
  return service.lines
    .slice(since)
    .map((line) => JSON.parse(line) as { msg: string; path: string })
    .filter(({ msg }) => msg === 'request')
    .map(({ path }) => path);
}
