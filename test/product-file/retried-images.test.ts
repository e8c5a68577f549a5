import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { exportFile, type Format, FORMATS, importFile } from './files.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const IMAGE = { imageUrl: 'https://p.example/1.jpg', isMain: true, order: 1 };
const VARIANT = { sku: 'tee', prices: [{ sellPrice: 1 }], images: [IMAGE] };
const LINE = JSON.stringify({ handle: 'tee', name: 'Tee', type: 'PHYSICAL', variants: [VARIANT] });

it.each(Object.keys(FORMATS) as Format[])(
  'failed pictures are requested again for the export of another shop, which is older than the product (%s)',
  async (format) => {
    const ctx = await createContext(database.db);
    await importFile(ctx, 'jsonl', LINE);
    const { text } = await exportFile(ctx, format);
    const other = await createContext(database.db);
    expect(await importFile(other, format, text)).toMatchObject({ created: 1, imagesPending: 1 });
    await database.db.execute(
      sql`update bulk_operation_image set state = 'FAILED' where merchant_id = ${other.merchantId}`,
    );
    const retried = await importFile(other, format, text, { retryImages: true });
    expect(retried).toMatchObject({ updated: 1, imagesPending: 1, skipped: [] });
    expect(await importFile(other, format, text)).toMatchObject({ unchanged: 1, skipped: [] });
  },
);
