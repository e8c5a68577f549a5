import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/db/sql/id.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';
import { insertProducts } from './support/catalogue.ts';

/** The default of the service on two processors. */
const POOL_SIZE = 4;
const MERCHANTS = 20;
const LARGE_MERCHANTS = 2;
const LARGE = { products: 5_000, deliveries: 5_000 };
const SMALL = { products: 800, deliveries: 2_000 };
const CLIENTS = 5;
const ATTACK_MS = 1_200;

let service: AttackedService;
let merchants: Merchant[];
beforeAll(async () => {
  service = await startAttackedService({ POOL_SIZE: String(POOL_SIZE) });
  merchants = await Promise.all(Array.from({ length: MERCHANTS }, () => service.createMerchant()));
  for (const [index, { ctx }] of merchants.entries()) {
    const { products, deliveries } = index < LARGE_MERCHANTS ? LARGE : SMALL;
    await insertProducts(service.database.owner, { merchantId: ctx.merchantId, count: products, isAnalyzed: false });
    await insertDeliveries(ctx, deliveries);
  }
  await service.database.owner.execute(sql`analyze`);
}, 300_000);
afterAll(() => service.stop());

async function insertDeliveries({ merchantId, session }: Merchant['ctx'], count: number): Promise<void> {
  await service.database.owner.transaction(async (transaction) => {
    // Triggers do not fire, so that there are no jobs which the worker would execute during the test.
    await transaction.execute(sql`set local session_replication_role = replica`);
    await transaction.execute(sql`
      with receiver as (
        insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
        values (${merchantId}, ${session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/')
        returning id)
      insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, sequence, data, record_id)
      select ${merchantId}, receiver.id, ${session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/', n, '{}', uuid_v7()
      from receiver, generate_series(1, ${count}::int) as n`);
  });
}

type Request = { query: string; variables?: object };

const facets = Array.from(
  { length: 4 },
  (_, index) =>
    `s${index}: searchProducts(input: {pagination: {limit: 1, page: ${index + 1}}}) { totalCount facets { field values { id name count } } }`,
);
const unlisted = { nin: Array.from({ length: 1_000 }, newId) };

const REQUESTS: Record<string, Request> = {
  'searches with facets': { query: `{ ${facets.join(' ')} }` },
  'a pattern of a hundred wildcards': {
    query: 'query ($name: StringFilterInput) { listProduct(name: $name) { count } }',
    variables: { name: { like: '%_'.repeat(100) } },
  },
  'three lists of a thousand excluded values': {
    query:
      'query ($ids: StringFilterInput) { listWebhookDelivery(id: $ids, recordId: $ids, endpoint: $ids) { count } }',
    variables: { ids: unlisted },
  },
};

/** Each client sends one request after the other. */
async function send(attackers: readonly Merchant[], requests: readonly Request[]): Promise<void> {
  const endMs = performance.now() + ATTACK_MS;
  const sent = attackers.flatMap((attacker) =>
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; performance.now() < endMs; n++) {
        const { status } = await attacker.send(requests[n % requests.length]!);
        expect([200, 503, 504]).toContain(status);
      }
    }),
  );
  await Promise.all(sent);
}

const ATTACKS: [count: number, name: string, requests: readonly Request[]][] = [
  [2, 'all of them', Object.values(REQUESTS)],
  ...Object.entries(REQUESTS).map(([name, request]): [number, string, Request[]] => [MERCHANTS, name, [request]]),
  [MERCHANTS, 'all of them', Object.values(REQUESTS)],
];

it.each(ATTACKS)(
  '%d merchants with five clients each that send %s do not delay another merchant',
  async (count, name, requests) => {
    const report = await attack(`${count} merchants: ${name}`, service, async () =>
      send(merchants.slice(0, count), requests),
    );
    // The 99th percentile is only printed: of about a hundred requests it is the longest one.
    expectUnharmed(report);
  },
  180_000,
);
