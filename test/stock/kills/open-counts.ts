import { sql } from 'drizzle-orm';
import type { Context } from '../../../src/context.ts';
import { saveProductStockLocations } from '../../../src/stock/saveProductStockLocations.ts';
import { type Place, places } from '../places.ts';
import { PLACES, START } from './sent-units.ts';

/** Each count gets its first number, and its merchant a webhook for the ends of holds. */
export async function openCounts(own: Context, endpoint: string): Promise<Place[]> {
  const counted = await places(own, PLACES);
  const productStockLocationInputs = counted.map((place) => ({ ...place, stockCount: START }));
  await saveProductStockLocations(own, { input: { productStockLocationInputs } });
  await own.db.execute(sql`
    insert into webhook (merchant_id, authorized_app_id, scope, endpoint)
    values (${own.merchantId}, ${own.session.authorizedAppId}, 'store/stock/released', ${endpoint})`);
  return counted;
}
