import { connectOnce } from '../src/db/connection/connect.ts';
import { STOCK_LOCATION_ID } from './stock-workloads.ts';

/** The place of the stock workloads, which generated shops do not have. */
export async function addStockLocation(databaseUrl: string, merchantId: string): Promise<void> {
  const client = connectOnce(databaseUrl);
  try {
    await client`
      insert into stock_location (merchant_id, id, name) values (${merchantId}, ${STOCK_LOCATION_ID}, 'Warehouse')`;
  } finally {
    await client.end();
  }
}
