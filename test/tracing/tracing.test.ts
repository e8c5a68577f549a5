import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { issueAccessToken } from '../../src/app/credentials/access-token.ts';
import { appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { staticClosure } from '../contract/imports.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, post } from '../support/post.ts';
import { logLines, type RunningService, startMain } from '../support/process.ts';
import { openReceiver, until } from '../worker/webhooks/receiver.ts';
import { openCollector, type ReceivedSpan } from './collector.ts';

vi.setConfig({ testTimeout: 60_000 });

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
/** Prints how many files of OpenTelemetry were loaded, without those of its API, which prom-client loads. */
const LOADED_AT_EXIT = `data:text/javascript,import m from "node:module";process.on("exit",()=>process.stderr.write(Object.keys(m._cache).filter((name)=>/@opentelemetry.(?!api\\/)/.test(name)).length+" loaded"))`;

let database: TestDatabase;
let collector: Awaited<ReturnType<typeof openCollector>>;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let environment: Record<string, string>;
let ctx: Context;
let token: string;
beforeAll(async () => {
  [database, collector, receiver] = await Promise.all([createDatabase(), openCollector(), openReceiver()]);
  ctx = await createContext(database.db);
  const { authorizedAppId } = ctx.session;
  token = await issueAccessToken(ctx, { authorizedAppId, scopes: appScopes });
  environment = {
    DATABASE_URL: database.url,
    SECRET_KEY: '0'.repeat(64),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_OPTIONS: `--import=${encodeURI(LOADED_AT_EXIT)}`,
  };
});
afterAll(async () => {
  collector.close();
  await Promise.all([receiver.close(), database.drop()]);
});

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startMain({
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      TRUST_PROXY: 'loopback',
    });
    await send({
      query: 'mutation($to: String!) { saveWebhook(input: {scopes: ["store/product/created"], endpoint: $to}) { id } }',
      variables: { to: receiver.url },
    });
  });
  afterAll(async () => void (await service.stop()));

  async function send(body: object, headers: Record<string, string> = {}): Promise<Answer> {
    return await post(`${service.url}/api/v1/admin/graphql`, body, { token, headers });
  }

  async function found(isWanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    return (await until(() => collector.spans.find(isWanted), Boolean))!;
  }

  // These tests must be the first: the tasks run when the service starts, and a later test empties the list of spans.
  it.each<readonly [name: string, statement: RegExp]>([
    ['removeExpiredKeys', /oldestByMerchant/],
    ['sweepDeliveries', /merchantsWithPendingDeliveries/],
    ['snapshotWatch', /pg_/],
    // On a cluster it polls twice a second. Such tasks are not traced.
    ...(inject('isCluster') ? [] : [['updateAllSearchDocuments', /merchantsWithPending/] as const]),
  ])('sends the upkeep task %s with its statements', async (name, statement) => {
    const task = await found((span) => span.name === name);
    expect(task).toMatchObject({ parentSpanId: '', kind: 'internal', status: '' });
    await found(
      ({ parentSpanId, attributes }) =>
        parentSpanId === task.spanId && statement.test(String(attributes['db.query.text'])),
    );
  });

  it('sends the request, its statements and the push of a save', async () => {
    const { body } = await send(
      {
        query:
          'mutation($name: String!) { saveProduct(input: {name: $name, type: PHYSICAL, variants: [{sku: "t", prices: [{sellPrice: 12.5}]}]}) { id } }',
        variables: { name: 'Secret-Tee' },
      },
      { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` },
    );
    const { id } = body.data!.saveProduct as { id: string };
    const request = await found(({ name }) => name === 'saveProduct');
    expect(request).toMatchObject({
      traceId: TRACE_ID,
      parentSpanId: SPAN_ID,
      status: '',
      attributes: {
        'http.route': '/api/v1/admin/graphql',
        'http.response.status_code': 200,
        'graphql.operations': ['saveProduct'],
        'commerce.merchant.id': ctx.merchantId,
        'commerce.record.ids': [id],
      },
    });
    const statements = await until(
      () => collector.spans.filter((span) => span.parentSpanId === request.spanId),
      (spans) => spans.some(({ attributes }) => /insert into "product"/i.test(String(attributes['db.query.text']))),
    );
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([TRACE_ID]));
    const texts = JSON.stringify(collector.spans);
    expect(texts).not.toContain('Secret-Tee');
    expect(texts).not.toContain(token);
    const delivery = await found(
      ({ name, attributes }) => name === 'deliver store/product/created' && attributes['commerce.record.id'] === id,
    );
    expect(delivery).toMatchObject({
      parentSpanId: '',
      status: '',
      links: [{ traceId: TRACE_ID, spanId: request.spanId }],
      attributes: { 'commerce.delivery.attempt': 1, 'messaging.operation.type': 'process' },
    });
    expect(delivery.traceId).not.toBe(TRACE_ID);
    const push = await found(({ parentSpanId }) => parentSpanId === delivery.spanId);
    expect(push).toMatchObject({
      name: 'POST',
      traceId: delivery.traceId,
      attributes: { 'server.address': new URL(receiver.url).host, 'http.response.status_code': 200 },
    });
    expect(receiver.received.at(-1)!.headers.traceparent).toBe(`00-${push.traceId}-${push.spanId}-01`);
    expect(collector.services).toEqual(new Set(['commerce-administration']));
  });

  it('sends the look-up of the token as a part of the request', async () => {
    const { authorizedAppId } = ctx.session;
    const fresh = await issueAccessToken(ctx, { authorizedAppId, scopes: appScopes });
    await post(`${service.url}/api/v1/admin/graphql`, { query: '{ getMerchant { id } }' }, { token: fresh });
    const request = await found(({ name }) => name === 'getMerchant');
    const statement = await found(
      ({ parentSpanId, attributes }) =>
        parentSpanId === request.spanId && String(attributes['db.query.text']).includes('from "access_token"'),
    );
    expect(statement.traceId).toBe(request.traceId);
  });

  it('sends the statements that claim and settle deliveries, as traces of the worker', async () => {
    await send({
      query:
        'mutation { saveProduct(input: {name: "Cap", type: PHYSICAL, variants: [{prices: [{sellPrice: 1}]}]}) { id } }',
    });
    for (const [name, statement] of [
      ['claim deliveries', /update "webhook_delivery"\s+set attempts/],
      ['settle deliveries', /update "webhook_delivery"/],
    ] as const) {
      const work = await found((span) => span.name === name);
      expect(work).toMatchObject({ parentSpanId: '', attributes: { 'commerce.merchant.id': ctx.merchantId } });
      await found(
        ({ parentSpanId, attributes }) =>
          parentSpanId === work.spanId && statement.test(String(attributes['db.query.text'])),
      );
    }
  });

  it('sends the polls of the queue that find jobs, and no others', async () => {
    await send({
      query:
        'mutation { saveProduct(input: {name: "Hat", type: PHYSICAL, variants: [{prices: [{sellPrice: 1}]}]}) { id } }',
    });
    const poll = await found(({ name }) => name === 'receive webhook-delivery');
    expect(poll).toMatchObject({
      parentSpanId: '',
      kind: 'client',
      attributes: {
        'messaging.system': 'postgresql',
        'messaging.operation.name': 'receive',
        'messaging.operation.type': 'receive',
        'messaging.destination.name': 'webhook-delivery',
      },
    });
    // A worker polls often. Polls that find no job must not have a span.
    const polls = collector.spans.filter(({ name }) => name === poll.name);
    for (const { attributes } of polls) expect(attributes['messaging.batch.message_count']).toBeGreaterThan(0);
  });

  it('sends the statements of savepoints, and of a mutation that is rolled back', async () => {
    const query = 'mutation { saveProductTag(input: {name: "dry"}) { id } }';
    const { body } = await send({ query }, { 'x-dry-run': 'true' });
    expect(body).toMatchObject({ data: { saveProductTag: {} }, extensions: { dryRun: true } });
    const request = await found(({ name }) => name === 'saveProductTag');
    await found(
      ({ parentSpanId, attributes }) =>
        parentSpanId === request.spanId &&
        /insert into "tag"|insert into "product_tag"/i.test(String(attributes['db.query.text'])),
    );
  });

  it('marks what fails with codes, and traces no probes', async () => {
    await fetch(`${service.url}/healthz`);
    await send({ query: '{ listProduct(pagination: {limit: 999}) { count } }' });
    const failed = await found(({ name }) => name === 'listProduct');
    expect(failed).toMatchObject({
      status: 'ARGUMENT_VALIDATION_ERROR',
      attributes: { 'commerce.error_codes': ['ARGUMENT_VALIDATION_ERROR'] },
    });
    expect(failed.traceId).not.toBe(TRACE_ID);
    expect(collector.spans.filter(({ name }) => name.includes('healthz'))).toEqual([]);
  });

  it.each([
    ['of no form', '00-0-0-01'],
    ['of zeros', `00-${'0'.repeat(32)}-${SPAN_ID}-01`],
    ['of another version', `ff-${TRACE_ID}-${SPAN_ID}-01`],
    ['of 5,000 characters', 'x'.repeat(5_000)],
  ])('starts a new trace after a traceparent %s', async (_, traceparent) => {
    collector.spans.length = 0;
    expect((await send({ query: '{ me { id } }' }, { traceparent })).status).toBe(200);
    const request = await found(({ name }) => name === 'me');
    expect(request).toMatchObject({ parentSpanId: '' });
    expect(request.traceId).not.toBe(TRACE_ID);
  });
});

it('accepts a traceparent only from a trusted proxy, and works without its collector', async () => {
  const gone = await openCollector();
  const service = await startMain({
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.url,
    // The time during which the exporter tries again if the collector does not answer.
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  const ask = async (query: string) =>
    await post(
      `${service.url}/api/v1/admin/graphql`,
      { query },
      { token, headers: { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` } },
    );
  await ask('{ me { id } }');
  const request = await until(() => gone.spans.find(({ name }) => name === 'me'), Boolean);
  expect(request).toMatchObject({ parentSpanId: '' });
  gone.close();
  expect((await ask('{ getMerchant { id } }')).status).toBe(200);
  const { code, stdout } = await service.stop();
  expect(code).toBe(0);
  expect(logLines(stdout).filter(({ msg }) => msg === 'traces cannot be sent').length).toBeLessThanOrEqual(1);
});

it('does not log the user and the password of the collector', async () => {
  const service = await startMain({
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:hunter2@127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  await post(`${service.url}/api/v1/admin/graphql`, { query: '{ me { id } }' }, { token });
  const { stdout, stderr } = await service.stop();
  expect(logLines(stdout).find(({ msg }) => msg === 'traces cannot be sent')).toMatchObject({
    url: 'http://127.0.0.1:9/v1/traces',
  });
  expect(stdout + stderr).not.toContain('hunter2');
});

it('loads no package of OpenTelemetry without the variable, and sends receivers no traceparent', async () => {
  expect(staticClosure('src/main.ts').packages.filter((name) => name.startsWith('@opentelemetry'))).toEqual([]);
  const service = await startMain(environment);
  const count = receiver.received.length;
  await post(
    `${service.url}/api/v1/admin/graphql`,
    {
      query:
        'mutation { saveProduct(input: {name: "Mug", type: PHYSICAL, variants: [{sku: "m", prices: [{sellPrice: 1}]}]}) { id } }',
    },
    { token },
  );
  await until(
    () => receiver.received.length,
    (received) => received > count,
  );
  expect(receiver.received.at(-1)!.headers).not.toHaveProperty('traceparent');
  expect((await service.stop()).stderr).toContain('0 loaded');
});
