import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';

type Row = Record<string, unknown>;
/** A row of a record. `isProduct`: otherwise of a record that a revert takes back before products. */
type ShopRow = { recordId: string; isProduct: boolean; path: string; members: Row };
/** Rows by table and id. */
export type Shop = Map<string, ShopRow>;

const TABLES = ['product', 'variant', 'html_meta_data', 'product_brand', 'product_tag'];
/** Members that a revert does not take back. */
const MARKS = ['updated_at', 'version', 'created_at'];

/** What clients can read of products, brands and tags. Each member of a price is a member of its variant. */
export async function readShop({ db, merchantId }: Pick<Context, 'db' | 'merchantId'>): Promise<Shop> {
  const shop: Shop = new Map();
  for (const table of TABLES)
    for (const { row } of await db.execute<{ row: Row }>(
      sql`select row_to_json(t) as row from ${sql.identifier(table)} t where merchant_id = ${merchantId}`,
    ))
      shop.set(`${table} ${String(row['id'])}`, shopRow(table, row));
  return shop;
}

function shopRow(table: string, row: Row): ShopRow {
  const members = Object.entries(row).flatMap(([column, value]): (readonly [string, unknown])[] => {
    if (MARKS.includes(column)) return [];
    return column === 'prices' ? priceMembers(value as Row[]) : [[camelCase(column), JSON.stringify(value)]];
  });
  return {
    recordId: String(row['product_id'] ?? row['target_id'] ?? row['id']),
    isProduct: table === 'product' || table === 'variant' || row['target_type'] === 'PRODUCT',
    path: table === 'variant' ? `variants.${String(row['id'])}.` : table === 'html_meta_data' ? 'metaData.' : '',
    members: Object.fromEntries(members.filter(([, value]) => value !== 'null' && value !== '[]')),
  };
}

function priceMembers(prices: readonly Row[]): (readonly [string, string])[] {
  return prices.flatMap(({ priceListId, ...price }) =>
    Object.entries(price).map(
      ([member, value]) =>
        [`prices.${(priceListId as string | null) ?? 'base'}.${member}`, JSON.stringify(value)] as const,
    ),
  );
}

function camelCase(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** A member of a record. */
export type Touched = { recordId: string; path: string };

/** The shop before a change, after it, and now. */
export type Shops = { before: Shop; after: Shop; now: Shop };

/** The members that the change touched and that have another value since, by record and path. */
export function touchedSince({ before, after, now }: Shops): Touched[] {
  return [...after].flatMap(([key, { recordId, path, members: later }]) => {
    const former = before.get(key)?.members;
    const present = now.get(key)!.members;
    return touchedMembers(former, later)
      .filter((member) => present[member] !== later[member] && present[member] !== former?.[member])
      .map((member) => ({ recordId, path: path + member }));
  });
}

/** Of a created row, the members that it got a value in. */
function touchedMembers(former: Row | undefined, later: Row): string[] {
  if (!former) return Object.keys(later);
  return Object.keys({ ...former, ...later }).filter((member) => former[member] !== later[member]);
}

/**
 * The shop after the change was taken back in the records for which `isDue` holds: touched members have their former
 * values, rows that it created are deleted, except pages, all others are as they are now. Records with a touched member that has
 * changed since stay as they are.
 */
export function expectedShop(shops: Shops, isDue: (row: ShopRow) => boolean): Shop {
  const { before, after, now } = shops;
  const left = new Set(touchedSince(shops).map(({ recordId }) => recordId));
  return new Map(
    [...now].map(([key, row]): [string, ShopRow] => {
      const [former, later] = [before.get(key)?.members, after.get(key)?.members];
      if (!later || left.has(row.recordId) || !isDue(row)) return [key, row];
      const members: Row = former
        ? Object.fromEntries(touchedMembers(former, later).map((member) => [member, former[member]]))
        : row.path === 'metaData.'
          ? {}
          : { deleted: 'true' };
      const taken = Object.entries({ ...row.members, ...members }).filter(([, value]) => value !== undefined);
      return [key, { ...row, members: Object.fromEntries(taken) }];
    }),
  );
}

/** The members in which two states differ. The positions of deleted variants are not compared. */
export function differing(expected: Shop, found: Shop): string[] {
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((key) => {
    const [one, other] = [expected.get(key)?.members ?? {}, found.get(key)?.members ?? {}];
    return Object.keys({ ...one, ...other })
      .filter((member) => one[member] !== other[member] && !(member === 'position' && other['deleted'] === 'true'))
      .map((member) => `${key} ${member}: ${String(one[member])} was expected, ${String(other[member])} was found`);
  });
}

/** The ids of the products, in their order. */
export function idsOf(shop: Shop): string[] {
  const products = [...shop.values()].filter(({ isProduct, path }) => isProduct && path === '');
  return products.map(({ recordId }) => recordId).sort();
}

export function texts(conflicts: readonly Touched[]): Set<string> {
  return new Set(conflicts.map(({ recordId, path }) => `${recordId} ${path}`));
}
