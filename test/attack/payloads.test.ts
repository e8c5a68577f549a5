import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openReceiver, until } from '../jobs/receiver.ts';
import { register } from '../webhook/ledger.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const CHANGES = 135;
const INSERTED_AT_ONCE = 15;
const LOCALES = 30;
const TEXT_CHARACTERS = 65_536;
const PAYLOAD_BYTES_MAX = 1024 * 1024;
/** More than the worker's limit of payloads in memory, four times over: 1,870 MiB were measured without it. */
const MEMORY_GROWTH_MAX_MIB = 450;
const ANSWERED_AFTER_MS = 3_000;

let service: AttackedService;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  service = await startAttackedService({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
  receiver = await openReceiver((_, response) => void setTimeout(() => response.writeHead(200).end(), ANSWERED_AFTER_MS));
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

it('holds only as many of the long payloads that wait as it has memory for', async () => {
  const { ctx } = await service.createMerchant();
  await register(ctx, ['store/product/updated'], { endpoint: receiver.url });
  // As a version before has stored them, or as a record of very many parts is stored.
  const { db } = service.database;
  for (let n = 0; n < CHANGES; n += INSERTED_AT_ONCE) {
    await db.execute(sql`
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data)
      select merchant_id, id, authorized_app_id, scope, endpoint, uuid_v7(), 1, to_json(repeat('щ', ${LOCALES * TEXT_CHARACTERS}::int))::text
      from webhook, generate_series(1, ${INSERTED_AT_ONCE}::int) where merchant_id = ${ctx.merchantId}`);
  }
  const before = service.memoryMib();
  const memory = watchMemory();
  const received = receiver.received.length;
  const report = await attack('long payloads that wait', service, async () => {
    await db.execute(sql`
      select queue_webhook_deliveries(array_agg(merchant_id), array_agg(id), array_agg(endpoint), now(), 0, false)
      from webhook_delivery where merchant_id = ${ctx.merchantId}`);
    await until(() => receiver.received.length, (count) => count - received === CHANGES, 90_000);
  });
  const most = memory.stop();
  console.log(`long payloads that wait: ${before} to ${most} MiB`);
  expect(most - before).toBeLessThan(MEMORY_GROWTH_MAX_MIB);
  expectUnharmed(report);
}, 240_000);

it('neither stores nor posts four megabytes for each small change of a product with much text', async () => {
  const { attacker } = service;
  const { ctx } = attacker;
  const { db } = service.database;
  const update = async (name: string) => {
    const { body } = await attacker.send({ query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }', variables: { input: [{ sourceId: 'p', name, type: 'PHYSICAL', categories: [], productVariantTypes: [], variants: [{ sourceId: 'v', prices: [{ sellPrice: 1 }] }] }] } });
    expect(body.errors).toBeUndefined();
  };
  await update('long');
  await db.execute(sql`
    update product set translations = (
      select json_agg(json_build_object('locale', 'l' || n, 'name', 'name', 'description', repeat('щ', ${TEXT_CHARACTERS}::int)) order by n) from generate_series(1, ${LOCALES}::int) n)
    where merchant_id = ${ctx.merchantId}`);
  await register(ctx, ['store/product/updated'], { endpoint: receiver.url });
  const before = service.memoryMib();
  const memory = watchMemory();
  const report = await attack('small changes of a long product', service, async () => {
    for (let n = 0; n < CHANGES; n++) await update(`change ${n}`);
    await until(() => new Set(receiver.received.map(({ id }) => id)).size, (count) => count === CHANGES, 90_000);
  });
  const most = memory.stop();
  const [stored] = await db.execute<{ count: number; bytes: number }>(sql`select count(*)::int as count, max(octet_length(data))::int as bytes from webhook_delivery where merchant_id = ${ctx.merchantId}`);
  console.log(`small changes of a long product: ${stored!.bytes} bytes a payload, ${before} to ${most} MiB`);
  expect(stored).toMatchObject({ count: CHANGES });
  expect(stored!.bytes).toBeLessThanOrEqual(PAYLOAD_BYTES_MAX);
  for (const { body } of receiver.received) {
    expect(Buffer.byteLength(body.data as string)).toBeLessThanOrEqual(PAYLOAD_BYTES_MAX);
    const { translations } = JSON.parse(body.data as string) as { translations: { locale: string; description?: string }[] };
    expect(translations).toHaveLength(LOCALES);
    const missing = translations.flatMap(({ description }, index) => (description === undefined ? [`translations.${index}.description`] : []));
    expect(missing.sort()).toEqual(body.truncated);
  }
  expect(most - before).toBeLessThan(MEMORY_GROWTH_MAX_MIB);
  expectUnharmed(report);
}, 240_000);

function watchMemory(): { stop: () => number } {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, service.memoryMib())), 50);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}
