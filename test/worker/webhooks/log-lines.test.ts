import { beforeEach, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import type { Context } from '../../../src/context.ts';
import { eventsOf, register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const created = ['store/customer/created'];
const FAILED_IN_A_ROW_UNTIL_PAUSED = 20;

type Line = Record<string, unknown>;

const { shop, start, receiver, addCustomers, statesOf, db } = sending();
let ctx: Context;
let lines: Line[];
beforeEach(async () => {
  const add = (level: string) => (details: object, msg?: string) => void lines.push({ level, ...details, msg });
  lines = [];
  ctx = { ...(await shop()), log: { debug: () => {}, info: add('info'), warn: add('warn'), error: add('error') } };
});

it('logs each delivery that is given up, with its ids and last answer, and no address or payload', async () => {
  const { url } = await receiver((_, response) => response.writeHead(503).end('down'));
  await register(ctx, created, { endpoint: `${url}/hook?token=hunter2` });
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 2);
  await until(
    () => statesOf(ctx),
    ({ FAILED }) => FAILED === 2,
  );
  const events = await eventsOf(ctx);
  expect(lines).toHaveLength(2);
  expect(lines.map(({ deliveryId }) => String(deliveryId)).toSorted()).toEqual(events.map(({ id }) => id).toSorted());
  for (const line of lines)
    expect(line).toEqual({
      level: 'warn',
      msg: 'a delivery was given up',
      merchantId: ctx.merchantId,
      webhookId: expect.any(String),
      deliveryId: expect.any(String),
      attempts: 3,
      statusCode: 503,
      error: 'status 503',
      durationMs: expect.any(Number),
    });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

it('logs once that a webhook is paused, also when more of its deliveries fail later', async () => {
  const { url } = await receiver((_, response) => response.writeHead(500).end());
  await register(ctx, created, { endpoint: url });
  await start(ctx, [10, 10]);
  await addCustomers(ctx, FAILED_IN_A_ROW_UNTIL_PAUSED + 5);
  const paused = await until(
    async () => [
      ...(await db().execute<{ id: string }>(
        sql`select id from webhook where merchant_id = ${ctx.merchantId} and status = 'PAUSED'`,
      )),
    ],
    (rows) => rows.length === 1,
  );
  const pauses = () => lines.filter(({ msg }) => String(msg).startsWith('a webhook was paused'));
  await until(pauses, (found) => found.length > 0);
  expect(pauses()).toEqual([
    { level: 'warn', msg: expect.any(String), merchantId: ctx.merchantId, webhookId: paused[0]!.id },
  ]);
});

it('logs deliveries that can never be sent in one line, with the reason', async () => {
  await register(ctx, created, { endpoint: 'http://127.0.0.1:4711' });
  await addCustomers(ctx, 3);
  await db().execute(sql`update authorized_app set revoked_at = now() where merchant_id = ${ctx.merchantId}`);
  await start(ctx, [10, 10]);
  await until(
    () => statesOf(ctx),
    ({ FAILED }) => FAILED === 3,
  );
  await until(
    () => lines.flatMap(({ deliveryIds }) => deliveryIds as string[]),
    (ids) => ids.length === 3,
  );
  const events = await eventsOf(ctx);
  expect(lines.flatMap(({ deliveryIds }) => deliveryIds as string[]).toSorted()).toEqual(
    events.map(({ id }) => id).toSorted(),
  );
  for (const line of lines)
    expect(line).toMatchObject({ level: 'warn', merchantId: ctx.merchantId, error: 'app revoked' });
});
