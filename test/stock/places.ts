import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { saveStockLocation } from '../../src/stock/saveStockLocation.ts';

export type Place = { productId: string; variantId: string; stockLocationId: string };

/** Saves products and stock locations, ten variants for each location. */
export async function places(owner: Context, count: number): Promise<Place[]> {
  const locations: string[] = [];
  while (locations.length * 10 < count || locations.length < Math.min(count, 2)) {
    locations.push((await saveStockLocation(owner, { input: { name: 'Warehouse' } }, { id: {} })).id);
  }
  const places = Array.from({ length: count }, (_, index) => ({
    productId: newId(),
    variantId: newId(),
    stockLocationId: locations[index % locations.length]!,
  }));
  const text = JSON.stringify(places);
  await owner.db.execute(sql`
    insert into product (merchant_id, id, name, type)
    select ${owner.merchantId}::uuid, "productId", 'Shirt', 'PHYSICAL' from json_to_recordset(${text}::json) as places("productId" uuid)`);
  await owner.db.execute(sql`
    insert into variant (merchant_id, id, product_id, position)
    select ${owner.merchantId}::uuid, "variantId", "productId", 0 from json_to_recordset(${text}::json) as places("variantId" uuid, "productId" uuid)`);
  return places;
}
