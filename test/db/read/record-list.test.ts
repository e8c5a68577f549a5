import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categoryPage } from '../../../src/category/categoryPage.ts';
import { productAttributePage } from '../../../src/attribute/productAttributePage.ts';
import { productBrandPage } from '../../../src/brand/productBrandPage.ts';
import type { Context } from '../../../src/context.ts';
import { priceListPage } from '../../../src/price-list/priceListPage.ts';
import { salesChannelPage } from '../../../src/sales-channel/salesChannelPage.ts';
import { stockLocationPage } from '../../../src/stock/stockLocationPage.ts';
import { productTagPage } from '../../../src/tag/productTagPage.ts';
import { variantTypePage } from '../../../src/variant-type/variantTypePage.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { explaining } from '../../support/plan.ts';

type Row = { id: string; name: string; createdAt: number; updatedAt: number };
type Page = { count: number; data: Row[]; hasNext: boolean; endCursor: string | null; limit: number; page: number };
type Args = { sort?: string; pagination?: object; includeDeleted?: boolean };
type ReadPage = (ctx: Context, args: Args, selection: never) => Promise<unknown>;

const PAGES = {
  categoryPage,
  productAttributePage,
  productBrandPage,
  priceListPage,
  salesChannelPage,
  stockLocationPage,
  productTagPage,
  variantTypePage,
} satisfies Record<string, ReadPage>;

/** Each list, its paged sibling, its table, and a column that has no default. */
const LISTS: [list: string, page: keyof typeof PAGES, table: string, required?: [column: string, value: string]][] = [
  ['listCategory', 'categoryPage', 'category'],
  ['listProductBrand', 'productBrandPage', 'product_brand'],
  ['listProductTag', 'productTagPage', 'product_tag'],
  ['listVariantType', 'variantTypePage', 'variant_type', ['selection_type', 'choice']],
  ['listPriceList', 'priceListPage', 'price_list', ['currency', 'EUR']],
  ['listSalesChannel', 'salesChannelPage', 'sales_channel', ['type', 'POS']],
  ['listProductAttribute', 'productAttributePage', 'product_attribute', ['type', 'TEXT']],
  ['listStockLocation', 'stockLocationPage', 'stock_location'],
];
const SORTS = ['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'name', '-name'];
const ROWS = 40;
const PAGE_LIMIT = 7;
/** Enough that an index scan costs less than reading and sorting all of them. */
const MANY_ROWS = 3_000;

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  ctx = await createContext(database.db);
  for (const [, , table, required] of LISTS) await insert(table, required, ROWS);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/**
 * Inserts rows with equal times and names, so that the order depends on the ids. Names that must be unique differ in
 * case only.
 */
async function insert(table: string, required: [string, string] | undefined, rows: number, prefix = ''): Promise<void> {
  const [column, value] = required ?? ['deleted', 'false'];
  await database.db.execute(sql`
    insert into ${sql.identifier(table)} (merchant_id, name, created_at, updated_at, ${sql.identifier(column)})
    select ${ctx.merchantId}::uuid, ${prefix}::text || lpad((n * 17 % ${rows}::int)::text, 5, '0'),
      '2026-01-01'::timestamptz + n % 7 * interval '1 day', '2026-02-01'::timestamptz + n % 5 * interval '1 day', ${sql.raw(`'${value}'`)}
    from generate_series(0, ${rows}::int - 1) as n`);
}

const execute = async (statement: SQL) => await database.db.execute(statement);

async function page(operation: string, args: Args): Promise<Page> {
  const { data, errors } = await api.call(ctx, operation, args);
  expect(errors).toBeUndefined();
  return data![operation] as Page;
}

async function plain(list: string): Promise<Row[]> {
  const { data } = await api.call(ctx, list, { pagination: { limit: 200 } });
  return data![list] as Row[];
}

/** Reads all pages by cursor. Calls `between` after each page except the last one. */
async function walk(operation: string, sort: string, between: (seen: Row[]) => Promise<unknown> = async () => {}) {
  const seen: Row[] = [];
  for (let after: string | null = null; ;) {
    const { data, hasNext, endCursor } = await page(operation, { sort, pagination: { limit: PAGE_LIMIT, after } });
    expect(data.length).toBe(hasNext ? PAGE_LIMIT : data.length);
    seen.push(...data);
    if (!hasNext) return seen;
    after = endCursor;
    await between(seen);
  }
}

/** The order that the SDL promises, computed in JavaScript. */
function sorted(rows: Row[], sort: string): Row[] {
  const name = sort.replace('-', '') as 'createdAt' | 'updatedAt' | 'name';
  const sign = sort.startsWith('-') ? -1 : 1;
  const compare = <T>(a: T, b: T): number => (a < b ? -1 : Number(a > b));
  return rows.toSorted((a, b) => sign * compare(a[name], b[name]) || compare(a.id, b.id));
}

const ids = (rows: Row[]): string[] => rows.map(({ id }) => id);

describe.each(LISTS)('the pages of %s', (list, operation, table, required) => {
  it('have the records of the plain list, in each order', async () => {
    const all = await plain(list);
    expect(all).toHaveLength(ROWS);
    expect(await walk(operation, '-createdAt')).toEqual(all);
    for (const sort of SORTS) expect(ids(await walk(operation, sort)), sort).toEqual(ids(sorted(all, sort)));
    expect(await page(operation, { pagination: { limit: 3, page: 2 } })).toMatchObject({
      count: ROWS,
      data: all.slice(3, 6),
      hasNext: true,
      limit: 3,
      page: 2,
    });
  });

  it('neither repeat nor miss a record while others are created and deleted', async () => {
    for (const [index, sort] of SORTS.entries()) {
      const before = await plain(list);
      const removed = new Set<string>();
      const seen = await walk(operation, sort, async (rows) => {
        const shown = new Set(ids(rows));
        const next = before.filter(({ id }) => !shown.has(id) && !removed.has(id)).slice(0, 1);
        const victims = ids([rows.at(-1)!, ...next]);
        for (const id of victims) removed.add(id);
        await execute(sql`
          update ${sql.identifier(table)} set deleted = true
          where merchant_id = ${ctx.merchantId} and id = any(${`{${victims.join(',')}}`}::uuid[])`);
        await insert(table, required, 2, `new ${index} ${rows.length} `);
      });
      const lasting = before.filter(({ id }) => !removed.has(id));
      const known = new Set(ids(lasting));
      expect(
        ids(seen).filter((id) => known.has(id)),
        sort,
      ).toEqual(ids(sorted(lasting, sort)));
      expect(new Set(ids(seen)).size, sort).toBe(seen.length);
      await execute(sql`
        delete from ${sql.identifier(table)} where merchant_id = ${ctx.merchantId} and name like 'new %'`);
      await execute(
        sql`update ${sql.identifier(table)} set deleted = false where merchant_id = ${ctx.merchantId} and deleted`,
      );
    }
  });

  it('refuse unknown cursors, pages and orders, and name them', async () => {
    const { endCursor } = await page(operation, { sort: 'name', pagination: { limit: 1 } });
    const [name] = JSON.parse(Buffer.from(endCursor!, 'base64url').toString()) as [string];
    const forged = (...members: unknown[]) => Buffer.from(JSON.stringify([name, ...members])).toString('base64url');
    const { id } = (await plain(list))[0]!;
    const refused: [Args, (string | number)[]][] = [
      ...[
        '',
        'x',
        endCursor!,
        forged('-createdAt', 'x', id),
        forged('-createdAt', '1', 'x'),
        forged({}),
        'a'.repeat(9_999),
      ].map((after): [Args, string[]] => [{ pagination: { after } }, ['pagination', 'after']]),
      [{ sort: 'name', pagination: { after: forged('name', 'a\0', id) } }, ['pagination', 'after']],
      [{ sort: '-name', pagination: { after: endCursor } }, ['pagination', 'after']],
      [{ sort: 'deleted' }, ['sort']],
      [{ sort: '' }, ['sort']],
      [{ sort: '--name' }, ['sort']],
      [{ pagination: { limit: 201 } }, ['pagination', 'limit']],
      [{ pagination: { page: 0 } }, ['pagination', 'page']],
    ];
    const ignored = await api.call(ctx, operation, { sort: 'name', pagination: { after: endCursor, page: 0 } });
    expect(ignored.errors).toBeUndefined();
    for (const [args, path] of refused) {
      const { data, errors } = await api.call(ctx, operation, args);
      expect(errors, JSON.stringify(args).slice(0, 100)).toMatchObject([
        { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path }] } },
      ]);
      expect(data ?? null).toBeNull();
    }
  });
});

describe('among many records', () => {
  beforeAll(async () => {
    ctx = await createContext(database.db);
    for (const [, , table, required] of LISTS) await insert(table, required, MANY_ROWS);
    await database.owner.execute(sql.raw(`analyze ${LISTS.map(([, , table]) => table).join(', ')}`));
  });

  it.each(LISTS)('each order of the pages of %s is read from its index', async (_, operation, table) => {
    for (const sort of SORTS) {
      const { endCursor } = await page(operation, { sort, pagination: { limit: 200, page: 5 } });
      for (const pagination of [{ limit: 20 }, { limit: 20, after: endCursor }]) {
        const plans: string[] = [];
        await PAGES[operation](
          { db: explaining(database.db, plans), merchantId: ctx.merchantId } as Context,
          { sort, pagination },
          {
            data: { id: {}, name: {} },
          } as never,
        );
        const index = `${table}_${sort.replace('-', '').replace(/At$/, '')}`;
        expect(plans.join(), `${sort} ${JSON.stringify(pagination)}`).toMatch(
          new RegExp(`using ${index}(?:_\\d+)?\\b`),
        );
        expect(plans.join(), sort).not.toMatch(new RegExp(`Seq Scan on ${table}`));
      }
    }
  });
});
