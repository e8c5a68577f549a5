import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { Metrics } from '../../../src/http/server/metrics.ts';
import { measureLedger } from '../../../src/http/server/component-metrics.ts';
import { ledgerFigures } from '../../../src/webhook/ledger/ledger-figures.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { eventsOf, register } from '../../webhook/ledger.ts';
import { until } from './receiver.ts';
import { sending } from './sending.ts';

const created = ['store/customer/created'];
/** Longer than the 4 s that a claim may take, and much shorter than the 15 s after which it expires. */
const HELD_MS = 4_600;
const SENT_WITHIN_MS = 4_000;

const own = ({ merchantId }: Context) => sql`merchant_id = ${merchantId}`;

const { across, owner, shop, start, receiver, addCustomers, statesOf, logOf } = sending();
let ctx: Context;
beforeEach(async () => {
  ctx = await shop();
});

it('sends a push that could not be signed as soon as the secret of its app opens', async () => {
  const { received, url } = await receiver((_, response) => response.writeHead(200).end());
  await register(ctx, created, { endpoint: url });
  const secret = async (stored: unknown) =>
    await ctx.db.execute(sql`update authorized_app set client_secret_encrypted = ${stored} where ${own(ctx)}`);
  const [app] = await ctx.db.execute(
    sql`select client_secret_encrypted as stored from authorized_app where ${own(ctx)}`,
  );
  await secret('none');
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 1);
  const [event] = await until(
    () => eventsOf(ctx),
    (events) => events.length === 1,
  );
  const { id } = event!;
  await until(
    () => logOf(ctx, id),
    ({ log, attempts }) => log.at(-1)?.error === 'not signed' && attempts === 0,
  );
  await secret(app!['stored']);
  // It is claimed again after 10 s.
  await until(
    () => statesOf(ctx),
    ({ DELIVERED }) => DELIVERED === 1,
    20_000,
  );
  expect(received).toHaveLength(1);
  expect(await logOf(ctx, id)).toMatchObject({ attempts: 1, log: [{ error: 'not signed' }, { statusCode: 200 }] });
}, 40_000);

it('accepts only status 200 after informational answers, and no upgrade', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    n1: (response) => {
      response.writeContinue();
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(200).end();
    },
    n2: (response) => {
      response.writeProcessing();
      response.writeHead(204).end();
    },
    n3: (response) =>
      void response.socket!.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      ),
    n4: (response) => {
      for (let n = 0; n < 1_000; n++) response.writeProcessing();
      response.writeHead(200).end();
    },
    n5: (response) => void response.socket!.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
  };
  const { received, url } = await receiver(({ body }, response) =>
    answers[(JSON.parse(body.data as string) as { firstName: string }).firstName]!(response),
  );
  await register(ctx, created, { endpoint: url });
  await start(ctx, [10, 10]);
  await addCustomers(ctx, 5);
  await until(
    () => statesOf(ctx),
    ({ FAILED, DELIVERED }) => FAILED === 4 && DELIVERED === 1,
  );
  const outcomes = await Promise.all(
    (await eventsOf(ctx)).map(async ({ id, data }) => [data.firstName, (await logOf(ctx, id)).log.at(-1)!.statusCode]),
  );
  expect(Object.fromEntries(outcomes)).toEqual({ n1: 200, n2: 204, n3: null, n4: null, n5: null });
  expect(received).toHaveLength(1 + 4 * 3);
});

/** A cluster pauses the writes of a shard while it splits it. */
it('sends a delivery as soon as its row can be written, if writing was blocked for longer than a claim may take', async () => {
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  await addCustomers(ctx, 1);
  await inTransaction(ctx, async ({ db }) => {
    await db.execute(sql`select from webhook_delivery where merchant_id = ${ctx.merchantId} for update`);
    await start(ctx);
    await wait(HELD_MS);
  });
  await until(
    () => statesOf(ctx),
    ({ DELIVERED }) => DELIVERED === 1,
    SENT_WITHIN_MS,
  );
  expect(received).toHaveLength(1);
  expect(await logOf(ctx, received[0]!.id)).toMatchObject({ attempts: 1, log: [{ statusCode: 200 }] });
});

it('claims a delivery again at once if the database has undone the claim', async (test) => {
  skipOnCluster(test, 'splits.test.ts does this with the split of a shard');
  const { received, url } = await receiver();
  await register(ctx, created, { endpoint: url });
  await addCustomers(ctx, 1);
  await undoFirstUpdate();
  await start(ctx);
  await until(
    () => statesOf(ctx),
    ({ DELIVERED }) => DELIVERED === 1,
    SENT_WITHIN_MS,
  );
  expect(received).toHaveLength(1);
  expect(await logOf(ctx, received[0]!.id)).toMatchObject({ attempts: 1, log: [{ statusCode: 200 }] });
  await owner().execute(sql`drop function undo_first_update cascade`);
});

/**
 * Makes the next UPDATE of deliveries fail as if its shard was split. It counts by a sequence, which is not rolled
 * back.
 */
async function undoFirstUpdate(): Promise<void> {
  await owner().execute(sql`create sequence undone_updates`);
  await owner().execute(sql`grant usage on sequence undone_updates to public`);
  await owner().execute(sql`
    create function undo_first_update() returns trigger language plpgsql as $$
    begin
      if nextval('undone_updates') = 1 then raise exception 'undone' using errcode = '40001'; end if;
      return null;
    end $$`);
  await owner().execute(sql`
    create trigger undo_first_update before update on webhook_delivery execute function undo_first_update()`);
}

it('counts requests with their times, deliveries by outcome, and those that wait', async () => {
  const metrics = new Metrics();
  measureLedger(metrics, async () => await ledgerFigures({ across: across() }));
  const { url, close } = await receiver(({ body }, response) => {
    const { firstName } = JSON.parse(body.data as string) as { firstName: string };
    if (firstName !== 'n3') response.writeHead(firstName === 'n1' ? 200 : 500).end();
  });
  await register(ctx, created, { endpoint: url });
  await start(ctx, [10, 10], metrics);
  await addCustomers(ctx, 3);
  await until(
    () => statesOf(ctx),
    ({ FAILED, DELIVERED }) => FAILED === 1 && DELIVERED === 1,
  );
  const lines = (await metrics.read())
    .split('\n')
    .filter((line) => /^webhooks?_/.test(line) && !/_bucket|_sum|_seconds \d/.test(line));
  expect(lines.sort()).toEqual([
    'webhook_attempt_duration_seconds_count 4',
    'webhook_attempts_total 4',
    'webhook_deliveries_total{status="delivered"} 1',
    'webhook_deliveries_total{status="failed"} 1',
    'webhook_deliveries_waiting 1',
    'webhooks_paused 0',
  ]);
  // Otherwise the worker would wait for the answer when it is stopped.
  await close();
}, 30_000);
