import { readFileSync } from 'node:fs';
import { connectOnce } from '../src/db/connection/connect.ts';

/** Products per shop: one large shop among small ones. */
export const SHOPS: readonly number[] = [100_000, ...Array.from({ length: 9 }, () => 2_000)];

const definitions = new URL('catalogue.sql', import.meta.url);

/**
 * Fills a database with the same shops each time, unless it has them already, and returns the ids of their merchants.
 * `bench.id('product', shop, number)` computes the id of a record in SQL.
 */
export async function loadCatalogue(
  url: string,
  shops: readonly number[] = SHOPS,
  onShop: (shop: number) => void = () => {},
): Promise<string[]> {
  const client = connectOnce(url);
  try {
    const [schema] = await client`select 1 from pg_namespace where nspname = 'bench'`;
    if (!schema) await client.unsafe(readFileSync(definitions, 'utf8'));
    const loaded = await client`select 1 from merchant where merchant_id = bench.id('merchant', 0, 0)`;
    if (loaded.length === 0) {
      for (const [shop, products] of shops.entries()) {
        await client`select bench.load_shop(${shop}::int, ${products}::int)`;
        onShop(shop);
      }
      await client.unsafe('vacuum analyze');
    }
    const merchants = await client<{ id: string }[]>`
      select bench.id('merchant', shop, 0) as id from generate_series(0, ${shops.length - 1}::int) as shop order by shop`;
    return merchants.map(({ id }) => id);
  } finally {
    await client.end();
  }
}
