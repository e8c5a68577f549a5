import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/db/sql/id.ts';
import { codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const PEOPLE = 600;
/** Deliveries of each customer; each has a payload of 2 kB. */
const DELIVERIES = 50;
/** Ids of a request, its maximum. */
const LISTED = 100;
const ERASE = 'mutation ($ids: [String!]!) { eraseCustomerList(idList: $ids) { id items { place count } } }';

const VARIANTS = 10;
/** Adjustments of a request, its maximum. */
const ADJUSTED = 1_000;
const REQUESTS = 8;
const ADJUST = 'mutation ($input: [AdjustStockInput!]!) { adjustStock(input: $input) { countAfter } }';

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
}, 60_000);
afterAll(() => service.stop());

it('erasures of a hundred customers with many copies, twice at once, delay nobody else', async () => {
  const ids = await peopleWithDeliveries();
  const lists = Array.from({ length: PEOPLE / LISTED }, (_, n) => ids.slice(n * LISTED, (n + 1) * LISTED));
  const report = await attack(`${PEOPLE} erasures`, service, async () => {
    const erase = async (list: string[]) => await service.attacker.send({ query: ERASE, variables: { ids: list } });
    const answers = await Promise.all([...lists, ...lists.toReversed()].map(erase));
    expect(answers.flatMap(codes)).toEqual([]);
  });
  expectUnharmed(report);
  const { merchantId } = service.attacker.ctx;
  const [kept] = await service.database.owner.execute(sql`
    select count(*) filter (where erasure_id is null)::int as people,
      (select count(*)::int from webhook_delivery where merchant_id = ${merchantId} and length(data) > 100) as deliveries,
      (select count(*)::int from erasure where merchant_id = ${merchantId}) as receipts
    from customer where merchant_id = ${merchantId}`);
  expect(kept).toEqual({ people: 0, deliveries: 0, receipts: lists.length });
}, 240_000);

it('requests that adjust the same ten counts a thousand times each delay nobody else', async () => {
  const places = await stockPlaces();
  const input = () =>
    Array.from({ length: ADJUSTED }, (_, n) => ({
      ...places[n % VARIANTS]!,
      delta: 1,
      kind: 'RECEIVED',
      key: newId(),
    }));
  const report = await attack(`${REQUESTS * ADJUSTED} adjustments`, service, async () => {
    const adjust = async () => await service.attacker.send({ query: ADJUST, variables: { input: input() } });
    const answers = await Promise.all(Array.from({ length: REQUESTS }, adjust));
    expect(answers.flatMap(codes)).toEqual([]);
  });
  expectUnharmed(report);
  const counts = await service.database.owner.execute<{ count: number }>(sql`
    select stock_count::float as count from product_stock_location
    where merchant_id = ${service.attacker.ctx.merchantId} and stock_location_id = ${places[0]!.stockLocationId}`);
  expect(counts.map(({ count }) => count)).toEqual(Array(VARIANTS).fill((REQUESTS * ADJUSTED) / VARIANTS));
}, 240_000);

async function peopleWithDeliveries(): Promise<string[]> {
  const { db, merchantId, session } = service.attacker.ctx;
  const people = await db.execute<{ id: string }>(sql`
    insert into customer (merchant_id, first_name, email)
    select ${merchantId}, 'Ada', n || '@example.com' from generate_series(1, ${PEOPLE}::int) n returning id`);
  await db.execute(sql`
    insert into webhook_delivery
      (merchant_id, webhook_id, authorized_app_id, scope, endpoint, record_id, sequence, data, state, attempts)
    select merchant_id, uuid_v7(), ${session.authorizedAppId}, 'store/customer/updated', 'https://receiver.example/', id, n,
      rpad('{"id":"1","note":"', 2000, 'x') || '"}', 'DELIVERED', 1
    from customer, generate_series(1, ${DELIVERIES}::int) n where merchant_id = ${merchantId}`);
  return people.map(({ id }) => id);
}

async function stockPlaces() {
  const { attacker } = service;
  const saved = await attacker.send({
    query: 'mutation { saveStockLocation(input: { name: "Shop" }) { id } }',
  });
  const stockLocationId = (saved.body.data!.saveStockLocation as { id: string }).id;
  const places: { productId: string; variantId: string; stockLocationId: string }[] = [];
  for (let n = 0; n < VARIANTS; n++) {
    const { body } = await attacker.send({
      query: `mutation { saveProduct(input: { name: "Tee", type: PHYSICAL, variants: [{ sku: "${n}", prices: [{ sellPrice: 1 }] }] }) { id variants { id } } }`,
    });
    const product = body.data!.saveProduct as { id: string; variants: { id: string }[] };
    places.push({ productId: product.id, variantId: product.variants[0]!.id, stockLocationId });
  }
  return places;
}
