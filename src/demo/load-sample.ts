import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.ts';
import type { AcrossContext } from '../db/connection/across-merchants.ts';
import { newId } from '../db/sql/id.ts';
import { changeOrigin } from '../db/write/change-origin.ts';
import { addPictures } from '../image/add-pictures.ts';
import type { ImageDependencies } from '../image/upload-image.ts';
import { listMerchants } from '../merchant/list-merchants.ts';
import { importCsv } from '../product-file/csv/import-csv.ts';

const CATALOGUE = new URL('../../examples/catalogue.csv', import.meta.url);
const PICTURES = new URL('../../examples/pictures/', import.meta.url);

/** Imports the catalogue of `examples/` with its pictures into the demo shop. Importing it again changes nothing. */
export async function loadSample(
  parts: Pick<Context, 'log' | 'webhook'> & AcrossContext & ImageDependencies,
): Promise<{ products: number; pictures: number }> {
  const [merchant] = await listMerchants(parts);
  const { merchantId } = merchant!;
  const session = { merchantId, authorizedAppId: '', scopes: new Set<never>() };
  const origin = changeOrigin({ merchantId, operation: 'commerce start' });
  const ctx = { ...parts, requestId: newId(), session, merchantId, origin };
  const { created, updated, unchanged } = await importCsv(ctx, createReadStream(CATALOGUE), {
    retryImages: false,
    onBatch: () => {},
  });
  const { added } = await addPictures(ctx, fileURLToPath(PICTURES));
  return { products: created + updated + unchanged, pictures: added };
}
