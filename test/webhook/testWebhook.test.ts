import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rotateAppSecret } from '../../src/app/credentials/rotate-app-secret.ts';
import type { Context } from '../../src/context.ts';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { signData } from '../../src/webhook/sending/signature.ts';
import { saveWebhook } from '../../src/webhook/saveWebhook.ts';
import { testWebhook } from '../../src/webhook/testWebhook.ts';
import { listen, listenHttp } from '../outbound/receiver.ts';
import { clientSecret, createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createOtherApp, deliveriesOf, save } from './deliveries.ts';

const scope = 'store/product/updated';
const args = { scope };
const answered = (statusCode: number) => ({ statusCode, error: null, durationMs: expect.any(Number) });

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

/** Creates an app with a webhook for products, whose pushes may go to loopback. */
async function createLocal(port: number): Promise<Context> {
  const ctx = await createContext(database.db);
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  const own = { ...ctx, webhook: { ...ctx.webhook, outbound } };
  await save(own, [scope], `http://127.0.0.1:${port}/hook`);
  return own;
}

type Sample = {
  body: {
    id: string;
    scope: string;
    sequence: number;
    data: string;
    signature: string;
    merchantId: string;
    authorizedAppId: string;
  };
  isGenuine: boolean;
};

/** Verifies a request with the Standard Webhooks library. */
function read(text: string, secret = clientSecret): Sample {
  const [head, body] = text.split('\r\n\r\n') as [string, string];
  const headers = Object.fromEntries(
    [...head.matchAll(/^(webhook-[a-z]+): (.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  );
  const verifier = new Webhook(Buffer.from(secret).toString('base64'));
  const isGenuine = (() => {
    try {
      return Boolean(verifier.verify(body, headers));
    } catch {
      return false;
    }
  })();
  return { body: JSON.parse(body) as Sample['body'], isGenuine };
}

describe('testWebhook', () => {
  it('shows that a receiver which verifies signatures accepts the signed sample and refuses the other two', async () => {
    const samples: Sample[] = [];
    const { port } = await listenHttp((socket, text) => {
      const sample = read(text);
      samples.push(sample);
      socket.end(`HTTP/1.1 ${sample.isGenuine ? '200 OK' : '401 Unauthorized'}\r\ncontent-length: 0\r\n\r\n`);
    });
    const own = await createLocal(port);
    expect(await testWebhook(own, args)).toEqual({
      endpoint: `http://127.0.0.1:${port}/hook`,
      signed: answered(200),
      forgedSignature: answered(401),
      staleTimestamp: answered(401),
    });
    expect(samples).toHaveLength(3);
    expect(new Set(samples.map(({ body }) => body.id)).size).toBe(3);
    const {
      merchantId,
      session: { authorizedAppId },
    } = own;
    for (const { body } of samples) {
      expect(body).toMatchObject({ scope, sequence: 0, merchantId, authorizedAppId });
      expect(JSON.parse(body.data)).toEqual({
        id: expect.any(String),
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
        deleted: false,
      });
    }
    const dataIsSigned = samples.map(({ body }) => body.signature === signData(body.data, clientSecret));
    expect(dataIsSigned.filter(Boolean), 'the forged one is forged in the body too').toHaveLength(2);
    expect(await deliveriesOf(own)).toEqual([]);
  });

  it.each([
    ['store/stock/updated', { delta: 0, reason: null, reference: null, changedPaths: [], previous: '{}' }],
    ['store/stock/released', { reason: 'RELEASED', changedPaths: [], previous: '{}' }],
  ])('sends what %s has beside its record', async (stockScope, beside) => {
    const bodies: object[] = [];
    const { port } = await listenHttp((socket, text) => {
      bodies.push(read(text).body);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const own = await createLocal(port);
    const endpoint = `http://127.0.0.1:${port}/hook`;
    await saveWebhook(own, { input: { endpoint, scopes: [stockScope], includeChanges: true } }, { id: {} });
    await testWebhook(own, { scope: stockScope });
    expect(bodies).toHaveLength(3);
    for (const body of bodies) expect(body).toMatchObject(beside);
  });

  it('sends a sample of an erasure that is deleted, as in a push', async () => {
    const records: object[] = [];
    const { port } = await listenHttp((socket, text) => {
      records.push(JSON.parse(read(text).body.data));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const own = await createLocal(port);
    await save(own, ['store/customer/erased'], `http://127.0.0.1:${port}/hook`);
    await testWebhook(own, { scope: 'store/customer/erased' });
    expect(records).toHaveLength(3);
    for (const record of records) expect(record).toMatchObject({ deleted: true });
  });

  it("tests another app's webhook with write_webhooks, signed with that app's secret", async () => {
    const { port } = await listenHttp(
      (socket, text) =>
        void socket.end(
          `HTTP/1.1 ${read(text).isGenuine ? '200 OK' : '401 Unauthorized'}\r\ncontent-length: 0\r\n\r\n`,
        ),
    );
    const own = await createLocal(port);
    const { authorizedAppId } = own.session;
    const other = await createOtherApp(own, ['read_products', 'write_webhooks']);
    expect(await testWebhook(other, { scope, authorizedAppId })).toMatchObject({
      signed: answered(200),
      forgedSignature: answered(401),
    });
    await expect(testWebhook(other, args)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const reader = await createOtherApp(own, ['read_products', 'read_webhooks']);
    await expect(testWebhook(reader, { scope, authorizedAppId })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      extensions: { requiredScope: 'write_webhooks' },
    });
  });

  // docs/reliability-tests.md: 88
  it('signs its samples with both secrets after a rotation with overlap', async () => {
    const accepted = (secret: string) => async () => {
      const { port } = await listenHttp(
        (socket, text) =>
          void socket.end(
            `HTTP/1.1 ${read(text, secret).isGenuine ? '200 OK' : '401 Unauthorized'}\r\ncontent-length: 0\r\n\r\n`,
          ),
      );
      await save(own, [scope], `http://127.0.0.1:${port}/hook`);
      return await testWebhook(own, args);
    };
    const own = await createLocal(1_234);
    const rotated = await rotateAppSecret(
      { ...own, secretKey: own.webhook.secretKey },
      { authorizedAppId: own.session.authorizedAppId, overlapMs: 60_000 },
    );
    for (const test of [accepted(clientSecret), accepted(rotated)]) {
      expect(await test()).toMatchObject({
        signed: answered(200),
        forgedSignature: answered(401),
        staleTimestamp: answered(401),
      });
    }
  });

  it('shows that a receiver accepts everything', async () => {
    const { port } = await listenHttp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    expect(await testWebhook(await createLocal(port), args)).toMatchObject({
      signed: answered(200),
      forgedSignature: answered(200),
      staleTimestamp: answered(200),
    });
  });

  // docs/reliability-tests.md: 78
  it('has the reason in one word if there is no answer', async () => {
    const { port } = await listen((socket) => socket.resetAndDestroy());
    const failed = { statusCode: null, error: 'connection reset', durationMs: expect.any(Number) };
    expect(await testWebhook(await createLocal(port), args)).toMatchObject({
      signed: failed,
      forgedSignature: failed,
      staleTimestamp: failed,
    });
  });

  it('connects to no private address, also if it was allowed when the webhook was saved', async () => {
    const receiver = await listen((socket) => socket.resume());
    const own = await createLocal(receiver.port);
    const outbound = openOutbound({ allowHttp: true, allowPrivate: false });
    const result = await testWebhook({ ...own, webhook: { ...own.webhook, outbound } }, args);
    expect(result.signed).toMatchObject({ statusCode: null, error: 'refused address' });
    expect(receiver.connections()).toBe(0);
  });

  it('refuses a scope without a webhook of the app, and an unknown scope', async () => {
    const { port, connections } = await listen((socket) => socket.resume());
    const own = await createLocal(port);
    const missing = { code: 'NOT_FOUND', extensions: { type: 'Webhook', ids: [scope] } };
    await expect(testWebhook(await createContext(database.db), args)).rejects.toMatchObject(missing);
    await expect(testWebhook(await createOtherApp(own), args)).rejects.toMatchObject(missing);
    await expect(testWebhook(own, { scope: 'store/product/created' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(testWebhook(own, { scope: 'store/product/sold' })).rejects.toMatchObject({ code: 'INVALID_SCOPE' });
    expect(connections()).toBe(0);
  });

  it('refuses a token without the read scope', async () => {
    const { port, connections } = await listen((socket) => socket.resume());
    const own = await createLocal(port);
    const without: Context = { ...own, session: { ...own.session, scopes: new Set(['write_customers'] as const) } };
    await expect(testWebhook(without, args)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      extensions: { requiredScope: 'read_products' },
    });
    expect(connections()).toBe(0);
  });
});
