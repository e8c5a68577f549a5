import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { codes } from '../support/post.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts, insertVariants, LONG_DESCRIPTION_LENGTH } from './support/catalogue.ts';

const PRODUCTS = 200;
const VARIANTS_PER_PRODUCT = 500;
const SLOW_READERS = 36;
/** Slow readers are observed until no statement has been sent for the first time, and at most for the second one. */
const QUIET_MS = 500;
const MAX_SLOW_READ_MS = 3_000;
const POLLED_EVERY_MS = 50;
/** The maximum memory of the service after an attack. */
const MAX_MEMORY_LEFT_MIB = 700;
/**
 * While answers wait for their readers. With `npm start` V8's heap may grow to 1 GiB before it collects all garbage.
 */
const MAX_MEMORY_MIB = 1_000;
const MEMORY_RETURNED_WITHIN_MS = 30_000;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
  await insertProducts(service.database.owner, {
    merchantId: service.attacker.ctx.merchantId,
    count: PRODUCTS,
    descriptionLength: LONG_DESCRIPTION_LENGTH,
  });
}, 60_000);
afterAll(() => service.stop());

function aliased(count: number, limit = PRODUCTS): string {
  const fields = Array.from({ length: count }, (_, index) => `a${index}: description`);
  return `{ listProduct(pagination: {limit: ${limit}}) { data { ${fields.join(' ')} } } }`;
}

describe('an answer of the longest texts', () => {
  it.each([30, 1])('is refused before it is built, with the text under %i names', async (count) => {
    const report = await attack(`${PRODUCTS} long descriptions under ${count} names`, service, async () => {
      const answer = await service.attacker.send({ query: aliased(count) });
      expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
      expect(answer.body.errors![0]!.message).toMatch(/\d{2,} bytes.*pagination\.limit/);
    });
    expectUnharmed(report);
    expect(service.memoryMib()).toBeLessThan(MAX_MEMORY_LEFT_MIB);
  });

  // docs/reliability-tests.md: 26
  it('is refused as a whole, although each of its root fields is small enough', async () => {
    const roots = Array.from(
      { length: 10 },
      (_, index) =>
        `r${index}: listProduct(pagination: {limit: 50, page: ${1 + (index % 4)}}) { data { description } }`,
    );
    const report = await attack('long descriptions in ten root fields', service, async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4].map(async () => await service.attacker.send({ query: `{ ${roots.join(' ')} }` })),
      );
      for (const answer of answers) expect(codes(answer)).toContain('ARGUMENT_VALIDATION_ERROR');
    });
    expectUnharmed(report);
    expect(service.memoryMib()).toBeLessThan(MAX_MEMORY_LEFT_MIB);
  });
});

describe('an answer of many small values', () => {
  const names = Array.from({ length: 30 }, (_, index) => `a${index}: sellPrice`).join(' ');
  const page = (fields: string, arguments_ = 'limit: 200'): string =>
    `listProduct(pagination: {${arguments_}}) { data { variants { ${fields} } } }`;
  let merchant: Merchant;
  beforeAll(async () => {
    merchant = await service.createMerchant();
    await insertProducts(service.database.owner, { merchantId: merchant.ctx.merchantId, count: PRODUCTS });
    await insertVariants(service.database.owner, {
      merchantId: merchant.ctx.merchantId,
      perProduct: VARIANTS_PER_PRODUCT,
    });
  });

  // docs/reliability-tests.md: 26
  it('is counted and refused without delaying others', async () => {
    const report = await attack('3,000,000 values', service, async () => {
      const answers = await Promise.all(
        Array.from({ length: 3 }, async () => await merchant.send({ query: `{ ${page(`prices { ${names} }`)} }` })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
      const plain = await merchant.send({ query: `{ ${page('prices { sellPrice }')} }` });
      expect(codes(plain)).toEqual([]);
    });
    expectUnharmed(report);
  });

  // docs/reliability-tests.md: 26
  it('is written for many root fields without delaying others', async () => {
    // With an alias the service cannot pass on the text of the database.
    const fields =
      'again: id isActive sku weight hsCode fileId subscriptionPlanId prices { sellPrice buyPrice discountPrice priceListId }';
    const roots = Array.from(
      { length: 15 },
      (_, index) => `r${index}: ${page(fields, `limit: 9, page: ${index + 1}`)}`,
    );
    const report = await attack('750,000 values in fifteen root fields', service, async () => {
      const answers = await Promise.all(
        Array.from({ length: 3 }, async () => await merchant.send({ query: `{ ${roots.join(' ')} }` })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual([]);
    });
    expectUnharmed(report);
  });

  it('is written with the key __proto__ without delaying others', async () => {
    // graphql-js would complete it in one go.
    const fields = '__proto__: id isActive sku weight hsCode prices { sellPrice buyPrice discountPrice priceListId }';
    const report = await attack('keys __proto__', service, async () => {
      const answers = await Promise.all(
        Array.from({ length: 2 }, async () => await merchant.send({ query: `{ ${page(fields, 'limit: 100')} }` })),
      );
      for (const answer of answers) expect(codes(answer)).toEqual([]);
    });
    expectUnharmed(report);
  });
});

describe('slow readers', () => {
  it('hold only a limited part of the memory, and delay nobody else', async () => {
    // 110 descriptions of 130 kB are 14.3 MB.
    const readers = Array.from({ length: SLOW_READERS }, (_, index) => slowReader(aliased(1, 110 - (index % 5))));
    const report = await attack(`${SLOW_READERS} slow readers`, service, untilQuiet);
    console.log(`resident while they read: ${service.memoryMib()} MiB`);
    expectUnharmed(report);
    expect(service.memoryMib()).toBeLessThan(MAX_MEMORY_MIB);
    for (const reader of readers) reader.destroy();
    await vi.waitUntil(
      async () =>
        (await service.attacker.send({ query: aliased(1, 20) })).status === 200 &&
        service.memoryMib() < MAX_MEMORY_LEFT_MIB,
      { timeout: MEMORY_RETURNED_WITHIN_MS, interval: 250 },
    );
  });
});

/** Sends a request, and never reads the response. The system buffers the beginning. */
function slowReader(query: string): Socket {
  const { hostname, port, pathname } = new URL(service.graphqlUrl);
  const body = JSON.stringify({ query });
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}).pause();
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.attacker.token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

/** Until the service has executed those requests that it can execute before others have read their responses. */
async function untilQuiet(): Promise<void> {
  const endsAtMs = performance.now() + MAX_SLOW_READ_MS;
  let quietSinceMs = performance.now();
  while (performance.now() < endsAtMs && performance.now() - quietSinceMs < QUIET_MS) {
    await wait(POLLED_EVERY_MS);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const [, inUse] = /^database_connections_in_use\{pool="requests"\} (\d+)/m.exec(metrics)!;
    if (Number(inUse) > 0) quietSinceMs = performance.now();
  }
}
