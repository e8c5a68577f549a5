import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import type { Merchant } from '../support/own-service.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

/** Each list with pages in six orders, its table, and a column that has no default. */
const LISTS: [operation: string, table: string, column: string, value: string][] = [
  ['categoryPage', 'category', 'deleted', 'false'],
  ['productBrandPage', 'product_brand', 'deleted', 'false'],
  ['productTagPage', 'product_tag', 'deleted', 'false'],
  ['variantTypePage', 'variant_type', 'selection_type', 'choice'],
  ['priceListPage', 'price_list', 'currency', 'EUR'],
  ['salesChannelPage', 'sales_channel', 'type', 'POS'],
  ['productAttributePage', 'product_attribute', 'type', 'TEXT'],
  ['stockLocationPage', 'stock_location', 'deleted', 'false'],
  ['listProduct', 'product', 'type', 'PHYSICAL'],
];
const SORTS = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name'];
/** Rows of each merchant. Both merchants' rows have the same times and names. */
const ROWS = 12;
const LIMIT = 5;

type Row = { id: string; name: string; createdAt: number; updatedAt: number };
type Page = { count: number; data: Row[]; endCursor: string };

let service: AttackedService;
let other: Merchant;
beforeAll(async () => {
  service = await startAttackedService();
  other = await service.createMerchant();
  // Inserts rows of both merchants alternately, so that their ids alternate too.
  for (const [, table, column, value] of LISTS)
    await service.database.owner.execute(sql`
      insert into ${sql.identifier(table)} (merchant_id, name, created_at, updated_at, ${sql.identifier(column)})
      select merchant::uuid, 'Row ' || lpad(n::text, 2, '0'), '2026-01-01'::timestamptz + n / 3 * interval '1 day',
        '2026-02-01'::timestamptz + n % 5 * interval '1 day', ${sql.raw(`'${value}'`)}
      from generate_series(1, ${ROWS}::int) as n, unnest(${`{${service.attacker.ctx.merchantId},${other.ctx.merchantId}}`}::text[]) as merchant`);
});
afterAll(() => service.stop());

// docs/reliability-tests.md: 54
it("with another merchant's cursor, each list has only its own rows after it, in every order", async () => {
  const report = await attack('cursors of another merchant', service, async () => {
    for (const [operation] of LISTS)
      for (const sort of SORTS) {
        const own = await page(other, operation, { sort });
        const foreign = await page(service.attacker, operation, { sort, limit: LIMIT });
        const last = foreign.data.at(-1)!;
        expect(own.data.some(({ id }) => id === last.id)).toBe(false);
        const { count, data } = await page(other, operation, { sort, after: foreign.endCursor });
        expect(data, `${operation} ${sort}`).toEqual(own.data.filter((row) => isBehind(row, last, sort)));
        expect(data.length).toBeGreaterThan(0);
        expect(count).toBe(ROWS);
      }
  });
  expectUnharmed(report);
});

type Asked = { sort: string; limit?: number; after?: string };

async function ask(merchant: Merchant, operation: string, { sort, ...pagination }: Asked): Promise<Answer> {
  return await merchant.send({
    query: `query ($sort: String, $pagination: PaginationInput) { ${operation}(sort: $sort, pagination: $pagination) {
      count endCursor data { id name createdAt updatedAt } } }`,
    variables: { sort, pagination },
  });
}

async function page(merchant: Merchant, operation: string, asked: Asked): Promise<Page> {
  const answer = await ask(merchant, operation, asked);
  expect(codes(answer)).toEqual([]);
  return answer.body.data![operation] as Page;
}

/** Whether a row comes after another one in the documented order. */
function isBehind(row: Row, other: Row, sort: string): boolean {
  const name = sort.replace('-', '') as 'createdAt' | 'updatedAt' | 'name';
  if (row[name] === other[name]) return row.id > other.id;
  return row[name] > other[name] !== sort.startsWith('-');
}
