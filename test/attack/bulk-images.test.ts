import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PictureServer, startPictureServer } from '../image/picture-server.ts';
import { noise, withTrailingBytes } from '../image/pictures.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const SLOW_ADDRESSES = 12;
const SECOND_MERCHANTS_PICTURES = 10;
/** It takes 1.3 s without an attack. Waiting for one slow address takes 10 s. */
const FETCHED_WITHIN_MS = 5_000;
const POLLED_EVERY_MS = 100;
const TEST_TIMEOUT_MS = 180_000;

const COSTLY_PICTURES = 12;
const COSTLY_FETCHED_AT_ONCE = 4;
const DECODING_BEGINS_WITHIN_MS = 1_000;
/** The service must end within this time. */
const STOPPED_WITHIN_MS = 15_000;

let service: AttackedService;
let pictures: PictureServer;
const files = new Map<string, Buffer>();

beforeAll(async () => {
  service = await startAttackedService({ IMAGE_ALLOW_HTTP: 'true', IMAGE_ALLOW_PRIVATE: 'true' });
  // It never answers the paths of the attacker, so that each attempt lasts until its timeout.
  pictures = await startPictureServer((path, response) => {
    const file = files.get(path);
    if (file) response.end(file);
    return file !== undefined || path.startsWith('/slow');
  });
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

it(
  "twelve slow addresses of one merchant do not delay another's ten pictures",
  async () => {
    const second = await service.createMerchant();
    let tookMs = 0;
    const report = await attack('slow addresses', service, async () => {
      await bulkUpdate(
        service.attacker,
        Array.from({ length: SLOW_ADDRESSES }, (_, index) => `/slow-${index}`),
      );
      await until(() => pictures.requests.some((path) => path.startsWith('/slow')));
      const startedAtMs = performance.now();
      const id = await bulkUpdate(
        second,
        Array.from({ length: SECOND_MERCHANTS_PICTURES }, (_, index) => `/${20 + index}.png`),
      );
      await until(async () => (await operation(second, id))['status'] === 'COMPLETED');
      tookMs = performance.now() - startedAtMs;
      expect(await operation(second, id)).toMatchObject({ imagesPending: 0, imagesFailed: 0 });
    });
    console.log(
      `slow addresses: the second merchant's ${SECOND_MERCHANTS_PICTURES} pictures took ${Math.round(tookMs)} ms`,
    );
    expectUnharmed(report);
    expect(tookMs).toBeLessThan(FETCHED_WITHIN_MS);
  },
  TEST_TIMEOUT_MS,
);

it(
  'SIGTERM ends the service soon while pictures are fetched and decoded, and none counts as tried',
  async () => {
    const merchant = await service.createMerchant();
    const photograph = await noise(5_000, 4_000).ensureAlpha(0.5).webp({ quality: 60, effort: 0 }).toBuffer();
    for (let index = 0; index < COSTLY_PICTURES; index++)
      files.set(`/costly-${index}.webp`, withTrailingBytes(photograph, index));
    await bulkUpdate(merchant, [...files.keys()]);
    await until(() => pictures.requests.filter((path) => path.startsWith('/costly')).length >= COSTLY_FETCHED_AT_ONCE);
    await wait(DECODING_BEGINS_WITHIN_MS);
    const startedAtMs = performance.now();
    const ended = await Promise.race([service.process.stop('SIGTERM'), wait(STOPPED_WITHIN_MS, null)]);
    console.log(`SIGTERM: ended after ${Math.round(performance.now() - startedAtMs)} ms`);
    expect(ended).toMatchObject({ code: 0 });
    const rows = await service.database.db.execute(
      sql`select state, attempts from bulk_operation_image where merchant_id = ${merchant.ctx.merchantId} and state <> 'DONE'`,
    );
    expect(rows).toEqual(rows.map(() => ({ state: 'PENDING', attempts: 0 })));
    expect(rows.length).toBeGreaterThan(0);
  },
  TEST_TIMEOUT_MS,
);

async function bulkUpdate(merchant: Merchant, paths: string[]): Promise<string> {
  const images = paths.map((path, order) => ({ imageUrl: `${pictures.url}${path}`, isMain: order === 0, order }));
  const variants = [{ sourceId: 'v', isActive: true, deleted: false, prices: [{ sellPrice: 1 }], images }];
  const input = [{ sourceId: 'p', name: 'P', type: 'PHYSICAL', categories: [], productVariantTypes: [], variants }];
  const { body } = await merchant.send({
    query: 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }',
    variables: { input },
  });
  expect(body.errors).toBeUndefined();
  return body.data!['bulkUpdateProducts'] as string;
}

async function operation(merchant: Merchant, id: string): Promise<Record<string, unknown>> {
  const { body } = await merchant.send({
    query: 'query ($id: ID!) { getBulkOperation(id: $id) { status imagesPending imagesFailed } }',
    variables: { id },
  });
  expect(body.errors).toBeUndefined();
  return body.data!['getBulkOperation'] as Record<string, unknown>;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(POLLED_EVERY_MS);
}
