import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withoutTriggers } from '../../support/database.ts';
import { type Merchant, type OwnService, startOwnService } from '../../support/own-service.ts';
import { codes } from '../../support/post.ts';

const PRODUCTS = 20;
const VARIANTS = 1_000;
/** Text of each variant, 240 MB in all. Ordinary requests that change one variant each can store it. */
const TEXT_BYTES = 12_000;
/** Reading 360 MB took more than 1,000 MiB, or ended the process. */
const MAX_GROWTH_MIB = 400;

let service: OwnService;
let merchant: Merchant;
let ids: string[];
beforeAll(async () => {
  service = await startOwnService();
  merchant = await service.createMerchant();
  const { database } = service;
  const { merchantId } = merchant.ctx;
  const rows = await database.db.execute<{ id: string }>(sql`
    insert into product (merchant_id, name, type)
    select ${merchantId}, 'Long ' || n, 'PHYSICAL' from generate_series(1, ${PRODUCTS}::int) as n returning id`);
  ids = rows.map(({ id }) => id);
  // With triggers the texts would be stored again in the history.
  await withoutTriggers(database.owner, async (owner) => {
    for (const id of ids)
      await owner.execute(sql`
        insert into variant (merchant_id, id, product_id, position, attributes)
        select ${merchantId}, uuid_v7(), ${id}::uuid, n, json_build_array(json_build_object(
          'productAttributeId', uuid_v7(), 'value', repeat('long ', ${TEXT_BYTES / 5}::int)))
        from generate_series(1, ${VARIANTS}::int) as n`);
  });
});
afterAll(() => service.stop());

// Deleted variants are read too, because a bulk request may restore them.
it.each(['live', 'deleted'])(
  'changes at most 48 MiB of products with %s variants at once',
  async (kind) => {
    const { merchantId } = merchant.ctx;
    const isDeleted = kind === 'deleted';
    await withoutTriggers(
      service.database.owner,
      async (owner) =>
        await owner.execute(sql`
          update variant set deleted = ${isDeleted} where merchant_id = ${merchantId} and deleted <> ${isDeleted}`),
    );
    const before = service.memoryMib();
    const members = { type: 'PHYSICAL', variants: [], categories: [], productVariantTypes: [] };
    const query = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
    const send = (list: string[], name: string) =>
      merchant.send({ query, variables: { input: list.map((id) => ({ ...members, id, name })) } });
    const refused = await Promise.all([send(ids, kind), send(ids.toReversed(), kind)]);
    const growthMib = service.memoryMib() - before;
    for (const answer of refused) {
      expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
      expect(JSON.stringify(answer.body)).toContain('send fewer products at once');
    }
    expect(growthMib).toBeLessThan(MAX_GROWTH_MIB);
    expect(codes(await send(ids.slice(0, 2), `Two ${kind}`))).toEqual([]);
  },
  120_000,
);
