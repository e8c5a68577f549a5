import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver, until } from '../worker/webhooks/receiver.ts';
import { register } from '../webhook/ledger.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Without the limit these would be 560 MiB in memory. */
const PAYLOADS = 40;
const INSERTED_AT_ONCE = 10;
const CHANGES = 15;
const LOCALES = 30;
const TEXT_CHARACTERS = 65_536;
const MAX_PAYLOAD_BYTES = 1024 * 1024;
/** Four times the worker's limit of payloads in memory, and more. Without the limit 135 changes took 1,870 MiB. */
const MAX_MEMORY_GROWTH_MIB = 450;
const ANSWERED_AFTER_MS = 600;

let service: AttackedService;
const receivers: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  service = await startAttackedService({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(async () => {
  await service.stop();
  for (const receiver of receivers) await receiver.close();
});

// docs/reliability-tests.md: 89
it('holds only as many of the waiting long payloads as its memory limit allows', async () => {
  const receiver = await slowReceiver();
  const { ctx } = await service.createMerchant();
  const { db } = service.database;
  await register(ctx, ['store/product/updated'], { endpoint: receiver.url });
  // Stored as by an earlier version, or as a record of very many parts.
  for (let n = 0; n < PAYLOADS; n += INSERTED_AT_ONCE) {
    await db.execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
      select merchant_id, id, authorized_app_id, scope, endpoint, uuid_v7(), 1, to_json(repeat('щ', ${LOCALES * TEXT_CHARACTERS}::int))::text
      from webhook, generate_series(1, ${INSERTED_AT_ONCE}::int) where merchant_id = ${ctx.merchantId}`);
  }
  const growthMib = await attackMemory('long payloads that wait', async () => {
    await db.execute(sql`
      select queue_webhook_deliveries(array_agg(merchant_id), array_agg(id), array_agg(endpoint), now(), 0, false)
      from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    await until(
      () => receiver.received.length,
      (count) => count === PAYLOADS,
      90_000,
    );
  });
  expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
}, 240_000);

// docs/reliability-tests.md: 89
it('neither stores nor sends four megabytes for each small change of a product with long texts', async () => {
  const receiver = await slowReceiver();
  const attacker = await service.createMerchant();
  const { ctx } = attacker;
  const update = async (name: string) => {
    const { body } = await attacker.send({
      query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
      variables: {
        input: [
          {
            sourceId: 'p',
            name,
            type: 'PHYSICAL',
            categories: [],
            productVariantTypes: [],
            variants: [{ sourceId: 'v', prices: [{ sellPrice: 1 }] }],
          },
        ],
      },
    });
    expect(body.errors).toBeUndefined();
  };
  await update('long');
  await ctx.db.execute(sql`
    update product set translations = (
      select json_agg(json_build_object('locale', 'l' || n, 'name', 'name', 'description', repeat('щ', ${TEXT_CHARACTERS}::int)) order by n) from generate_series(1, ${LOCALES}::int) n)
    where merchant_id = ${ctx.merchantId}`);
  await register(ctx, ['store/product/updated'], { endpoint: receiver.url });
  const growthMib = await attackMemory('small changes of a long product', async () => {
    for (let n = 0; n < CHANGES; n++) await update(`change ${n}`);
    await until(
      () => new Set(receiver.received.map(({ id }) => id)).size,
      (count) => count === CHANGES,
      90_000,
    );
  });
  expect(growthMib).toBeLessThan(MAX_MEMORY_GROWTH_MIB);
  const [stored] = await ctx.db.execute<{ count: number; bytes: number }>(
    sql`select count(*)::int as count, max(octet_length(data))::int as bytes from webhook_delivery where merchant_id = ${ctx.merchantId}`,
  );
  console.log(`small changes of a long product: ${stored!.bytes} bytes a payload`);
  expect(stored).toMatchObject({ count: CHANGES });
  expect(stored!.bytes).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
  for (const { body } of receiver.received) {
    expect(Buffer.byteLength(body.data as string)).toBeLessThanOrEqual(MAX_PAYLOAD_BYTES);
    const { translations } = JSON.parse(body.data as string) as {
      translations: { locale: string; description?: string }[];
    };
    expect(translations).toHaveLength(LOCALES);
    const missing = translations.flatMap(({ description }, index) =>
      description === undefined ? [`translations.${index}.description`] : [],
    );
    expect(missing.sort()).toEqual(body.truncated);
  }
}, 240_000);

async function slowReceiver() {
  const receiver = await openReceiver(
    (_, response) => void setTimeout(() => response.writeHead(200).end(), ANSWERED_AFTER_MS),
  );
  receivers.push(receiver);
  return receiver;
}

/** The growth of the service's memory during the attack. Expects that the attack delays nobody else. */
async function attackMemory(name: string, work: () => Promise<unknown>): Promise<number> {
  const beforeMib = service.memoryMib();
  let mostMib = beforeMib;
  const timer = setInterval(() => (mostMib = Math.max(mostMib, service.memoryMib())), 50);
  try {
    expectUnharmed(await attack(name, service, work));
    console.log(`${name}: ${beforeMib} to ${mostMib} MiB`);
    return mostMib - beforeMib;
  } finally {
    clearInterval(timer);
  }
}
