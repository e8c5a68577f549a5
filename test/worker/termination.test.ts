import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startPictureServer } from '../image/picture-server.ts';
import { noise, withTrailingBytes } from '../image/pictures.ts';
import { type OwnService, startOwnService } from '../support/own-service.ts';
import { register } from '../webhook/ledger.ts';
import { openReceiver, until } from './webhooks/receiver.ts';

const CUSTOMERS = 400;
const COSTLY_PICTURES = 12;
/** The service must end within this time. */
const STOPPED_WITHIN_MS = 15_000;
const TEST_TIMEOUT_MS = 120_000;

let service: OwnService;
beforeEach(async () => {
  service = await startOwnService({
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    IMAGE_ALLOW_HTTP: 'true',
    IMAGE_ALLOW_PRIVATE: 'true',
  });
});
afterEach(() => service.stop());

// docs/reliability-tests.md: 99
it(
  'the service ends within fifteen seconds of SIGTERM while receivers hang',
  async () => {
    const hanging = await openReceiver(() => {});
    onTestFinished(hanging.close);
    const { ctx } = await service.createMerchant();
    for (const scope of ['store/customer/created', 'store/customer/updated'])
      await register(ctx, [scope], { endpoint: `${hanging.url}/${scope}` });
    const { merchantId } = ctx;
    await ctx.db.execute(sql`
      insert into customer (merchant_id, first_name) select ${merchantId}, 'Ada' from generate_series(1, ${CUSTOMERS}::int)`);
    await ctx.db.execute(sql`update customer set first_name = 'Eve' where merchant_id = ${merchantId}`);
    await until(
      () => new Set(hanging.received.map(({ path }) => path)).size,
      (endpoints) => endpoints === 2,
    );
    await expectEnd();
  },
  TEST_TIMEOUT_MS,
);

it(
  'the service ends within fifteen seconds of SIGTERM while pictures are fetched and decoded, and none counts as tried',
  async () => {
    const merchant = await service.createMerchant();
    const photograph = await noise(2_500, 2_000).ensureAlpha(0.5).webp({ quality: 60, effort: 0 }).toBuffer();
    const pictures = await startPictureServer((path, response) => {
      response.end(withTrailingBytes(photograph, Number(path.slice(1))));
      return true;
    });
    onTestFinished(() => pictures.close());
    const images = Array.from({ length: COSTLY_PICTURES }, (_, order) => ({
      imageUrl: `${pictures.url}/${order}`,
      isMain: order === 0,
      order,
    }));
    const variants = [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }];
    const product = { sourceId: 'p', name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants };
    const { body } = await merchant.send({
      query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
      variables: { input: [product] },
    });
    expect(body.errors).toBeUndefined();
    // After the first one the decoder processes have started, so that the running ones are decoded.
    const notDone = async () =>
      await service.database.db.execute<{ state: string; attempts: number }>(sql`
        select state, attempts from bulk_operation_image
        where merchant_id = ${merchant.ctx.merchantId} and state <> 'DONE'`);
    await until(
      async () => ({ waiting: (await notDone()).length, isDecoding: await isDecoding() }),
      ({ waiting, isDecoding }) => waiting < COSTLY_PICTURES && isDecoding,
    );
    await expectEnd();
    const rows = await notDone();
    expect(rows).toEqual(rows.map(() => ({ state: 'PENDING', attempts: 0 })));
    expect(rows.length).toBeGreaterThan(0);
  },
  TEST_TIMEOUT_MS,
);

async function isDecoding(): Promise<boolean> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  return /^image_decodes_running\{queue="originals"\} [1-9]/m.test(metrics);
}

async function expectEnd(): Promise<void> {
  const startedAtMs = performance.now();
  const ended = await Promise.race([service.process.stop('SIGTERM'), wait(STOPPED_WITHIN_MS, null)]);
  console.log(`SIGTERM: ended after ${Math.round(performance.now() - startedAtMs)} ms`);
  expect(ended).toMatchObject({ code: 0 });
}
