import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { type CallOperation, startOperations } from '../../support/operation.ts';
import { register } from '../../webhook/ledger.ts';
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
type Delivery = { status: string; attempts: Attempt[] };

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

/** The last attempt of a delivery whose receiver answers by `respond`. */
async function lastAttempt(respond: (response: ServerResponse) => void): Promise<Attempt> {
  const { url } = await receiver((_, response) => respond(response));
  await register(ctx, created, { endpoint: url });
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 1);
  const [delivery] = await until(
    deliveries,
    (found) => found[0]?.status === 'FAILED' || found[0]?.status === 'DELIVERED',
  );
  return delivery!.attempts.at(-1)!;
}

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

  it.each<[string, Buffer, string]>([
    ['NUL bytes', Buffer.from('a\0b'), 'a\ufffdb'],
    ['bytes that are no UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62]), 'a\ufffd\ufffd\ufffd(b'],
    ['terminal controls', Buffer.from('\u001b[31mred\u009b0m\u007f\r\n\tend'), '\ufffd[31mred\ufffd0m\ufffd\r\n\tend'],
    ['half of a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
    ['placeholders of our own', Buffer.from('\u0002\u0030x\u0003'), '\ufffd0x\ufffd'],
    ['quotes and backslashes', Buffer.from('{"a":"\\u0000"}'), '{"a":"\\u0000"}'],
  ])('stores %s as valid text', async (_, body, shown) => {
    expect((await lastAttempt((response) => response.writeHead(500).end(body))).responseBody).toBe(shown);
  });

  it.each<[string, Buffer, string]>([
    ['a body of 10 MB', Buffer.alloc(10_000_000, 'x'), 'x'.repeat(MAX_BODY_BYTES)],
    ['a character at the end', Buffer.from(`${'x'.repeat(2_047)}ğ`), 'x'.repeat(2_047)],
    ['many invalid bytes', Buffer.alloc(4_096, 0xff), '\ufffd'.repeat(682)],
    ['control characters', Buffer.alloc(4_096, 0x01), '\ufffd'.repeat(682)],
  ])('keeps at most 2 KiB of %s', async (_, body, shown) => {
    const { responseBody } = await lastAttempt((response) => {
      response.on('error', () => {});
      response.writeHead(500).end(body);
    });
    expect(responseBody).toBe(shown);
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
    ['webhook deleted', sql`delete from webhook where merchant_id = `],
    ['app revoked', sql`update authorized_app set revoked_at = now() where merchant_id = `],
    ['scope missing', sql`update authorized_app set scopes = '{read_products}' where merchant_id = `],
  ])('has the reason %s', async (reason, change) => {
    await register(ctx, created, { endpoint: 'http://127.0.0.1:9/' });
    await addCustomers(ctx, 1);
    await db().execute(sql`${change}${ctx.merchantId}`);
    await start(ctx);
    const [delivery] = await until(deliveries, (found) => found[0]?.status === 'FAILED');
    expect(delivery!.attempts).toMatchObject([
      { statusCode: null, error: reason, responseBody: null, durationMs: null },
    ]);
  });
});
