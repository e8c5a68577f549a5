import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { revokeApp } from '../../../src/app/revoke-app.ts';
import type { Context } from '../../../src/context.ts';
import { deleteWebhook } from '../../../src/webhook/deleteWebhook.ts';
import { type CallOperation, startOperations } from '../../support/operation.ts';
import { eventsOf, register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const created = ['store/customer/created'];
const MAX_BODY_BYTES = 2_048;
const RETRY_DELAYS_MS: [number, number] = [300, 600];

type Header = { name: string; value: string };
type Attempt = {
  at: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number | null;
  responseBody: string | null;
  responseHeaders: Header[] | null;
  nextAttemptAt: number | null;
};
type Delivery = { id: string; status: string; attempts: Attempt[] };

const { db, shop, start, receiver, addCustomers } = sending();
let ctx: Context;
let api: { call: CallOperation; stop(): Promise<void> };
beforeEach(async () => {
  ctx = await shop();
  api = await startOperations(db());
});
afterEach(() => api.stop());

async function deliveries(): Promise<Delivery[]> {
  const { data, errors } = await api.call(ctx, 'listWebhookDelivery', {});
  expect(errors).toBeUndefined();
  return (data!['listWebhookDelivery'] as { data: Delivery[] }).data;
}

type Respond = (response: ServerResponse) => void;

/** The last attempts of deliveries that the receiver answers by `responds`, each by its own. */
async function lastAttempts(responds: readonly Respond[]): Promise<Attempt[]> {
  const { url } = await receiver(({ body }, response) => responds[numberOf(body.data as string)]!(response));
  await register(ctx, created, { endpoint: url });
  await start(ctx, [10, 10]);
  await addCustomers(ctx, responds.length);
  const settled = await until(
    deliveries,
    (found) => found.length === responds.length && found.every(({ status }) => /^(?:FAILED|DELIVERED)$/.test(status)),
  );
  const events = await eventsOf(ctx);
  const numbers = new Map(events.map(({ id, data }) => [id, numberOf(JSON.stringify(data))]));
  return settled.toSorted((a, b) => numbers.get(a.id)! - numbers.get(b.id)!).map(({ attempts }) => attempts.at(-1)!);
}

/** Customers are named n1, n2 and so on. */
function numberOf(data: string): number {
  return Number((JSON.parse(data) as { firstName: string }).firstName.slice(1)) - 1;
}

async function lastAttempt(respond: Respond): Promise<Attempt> {
  return (await lastAttempts([respond]))[0]!;
}

const answering =
  (body: Buffer): Respond =>
  (response) => {
    response.on('error', () => {});
    response.writeHead(500).end(body);
  };

describe('an attempt', () => {
  it('has the answer of the receiver, the reason of the failure, and the time of the next request', async () => {
    const { url } = await receiver((_, response) =>
      response
        .writeHead(401, { 'content-type': 'text/plain', 'set-cookie': 'session=secret', 'x-request-id': 'r1' })
        .end('signature mismatch'),
    );
    await register(ctx, created, { endpoint: url });
    await start(ctx, RETRY_DELAYS_MS);
    await addCustomers(ctx, 1);
    const [{ attempts }] = (await until(deliveries, (found) => found[0]?.status === 'FAILED')) as [Delivery];
    expect(attempts).toHaveLength(3);
    for (const [index, attempt] of attempts.entries()) {
      expect(attempt).toMatchObject({ statusCode: 401, error: 'status 401', responseBody: 'signature mismatch' });
      expect(attempt.responseHeaders).toEqual(
        expect.arrayContaining([
          { name: 'content-type', value: 'text/plain' },
          { name: 'x-request-id', value: 'r1' },
        ]),
      );
      expect(JSON.stringify(attempt)).not.toContain('secret');
      const next = attempts[index + 1];
      if (!next) expect(attempt.nextAttemptAt).toBeNull();
      else {
        expect(attempt.nextAttemptAt).toBeGreaterThanOrEqual(attempt.at + RETRY_DELAYS_MS[index]!);
        expect(next.at - attempt.nextAttemptAt!).toBeGreaterThan(-100);
      }
    }
  }, 20_000);

  it('has the answer also after a success, without an error', async () => {
    expect(await lastAttempt((response) => response.end('thanks'))).toMatchObject({
      statusCode: 200,
      error: null,
      responseBody: 'thanks',
      nextAttemptAt: null,
    });
  });

  it('has no body if the answer has none', async () => {
    expect(await lastAttempt((response) => response.writeHead(204).end())).toMatchObject({
      error: 'status 204',
      responseBody: null,
    });
  });

  it('has its body as valid text', async () => {
    const bodies: [Buffer, string][] = [
      [Buffer.from('a\0b'), 'a\ufffdb'],
      [Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62]), 'a\ufffd\ufffd\ufffd(b'],
      // Controls of a terminal.
      [Buffer.from('\u001b[31mred\u009b0m\u007f\r\n\tend'), '\ufffd[31mred\ufffd0m\ufffd\r\n\tend'],
      // Half of a surrogate pair.
      [Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
      // Placeholders of our own.
      [Buffer.from('\u0002\u0030x\u0003'), '\ufffd0x\ufffd'],
      [Buffer.from('{"a":"\\u0000"}'), '{"a":"\\u0000"}'],
    ];
    const attempts = await lastAttempts(bodies.map(([body]) => answering(body)));
    expect(attempts.map(({ responseBody }) => responseBody)).toEqual(bodies.map(([, shown]) => shown));
  });

  it('has at most 2 KiB of its body, and no part of a character', async () => {
    const bodies: [Buffer, string][] = [
      [Buffer.alloc(10_000_000, 'x'), 'x'.repeat(MAX_BODY_BYTES)],
      [Buffer.from(`${'x'.repeat(2_047)}ğ`), 'x'.repeat(2_047)],
      // Bytes that are not UTF-8, and control characters, become characters of three bytes.
      [Buffer.alloc(4_096, 0xff), '\ufffd'.repeat(682)],
      [Buffer.alloc(4_096, 0x01), '\ufffd'.repeat(682)],
    ];
    const attempts = await lastAttempts(bodies.map(([body]) => answering(body)));
    expect(attempts.map(({ responseBody }) => responseBody)).toEqual(bodies.map(([, shown]) => shown));
    for (const { responseBody } of attempts)
      expect(Buffer.byteLength(responseBody!)).toBeLessThanOrEqual(MAX_BODY_BYTES);
  });

  it('has no body if the answer is compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const { responseBody, responseHeaders } = await lastAttempt((response) => {
      response.on('error', () => {});
      response.writeHead(500, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(responseBody).toBeNull();
    expect(responseHeaders).toContainEqual({ name: 'content-encoding', value: 'gzip' });
  });

  it('has the address of a redirect without its query, and the beginning of long headers', async () => {
    const { responseHeaders } = await lastAttempt((response) =>
      response.writeHead(302, { location: 'https://other.example/in?token=secret#x', server: 's'.repeat(4_000) }).end(),
    );
    expect(responseHeaders).toContainEqual({ name: 'location', value: 'https://other.example/in' });
    expect(responseHeaders!.find(({ name }) => name === 'server')!.value).toBe('s'.repeat(256));
  });
});

describe('a delivery that fails without a request', () => {
  it.each([
    ['webhook deleted', () => deleteWebhook(ctx, { scopes: created })],
    ['app revoked', () => revokeApp(ctx, ctx.session)],
    [
      'scope missing',
      () =>
        db().execute(sql`update authorized_app set scopes = '{read_products}' where merchant_id = ${ctx.merchantId}`),
    ],
  ])('has the reason %s', async (reason, change) => {
    await register(ctx, created, { endpoint: 'http://127.0.0.1:9/' });
    await addCustomers(ctx, 1);
    await change();
    await start(ctx);
    const [delivery] = await until(deliveries, (found) => found[0]?.status === 'FAILED');
    expect(delivery!.attempts).toMatchObject([
      { statusCode: null, error: reason, responseBody: null, durationMs: null },
    ]);
  });
});
