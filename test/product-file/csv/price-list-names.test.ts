import { afterAll, beforeAll, expect, it } from 'vitest';
import { savePriceList } from '../../../src/price-list/savePriceList.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { catalogue, exportText, importText } from './sheets.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Names that contain delimiters, quotes or names of other columns: each must be read as one column of this list. */
it.each(['批发', '$ / €', ';'.repeat(255), '\t;\t', 'Price / x', '"', 'a\nb'.repeat(80)])(
  'a sheet keeps the prices of a price list with the name %j',
  async (name) => {
    const [ctx, other] = [await createContext(database.db), await createContext(database.db)];
    const input = { name, currency: 'EUR', currencySymbol: '€' };
    const { id: priceListId } = await savePriceList(ctx, { input }, { id: {} });
    await savePriceList(other, { input }, { id: {} });
    const product = plainProduct('Tee', 'tee');
    const prices = [
      { sellPrice: 10, buyPrice: 1 },
      { sellPrice: 9, discountPrice: 7, buyPrice: 2, priceListId },
    ];
    await productSaver(ctx)({ ...product, variants: [{ ...product.variants[0], prices }] });
    const sheet = await exportText(ctx);
    const nothing = { skipped: [], ignoredColumns: [] };
    expect(await importText(ctx, sheet)).toMatchObject({ ...nothing, unchanged: 1 });
    expect(await importText(other, sheet)).toMatchObject({ ...nothing, created: 1 });
    const listed = JSON.stringify(await catalogue(other));
    expect(listed).toContain('"sellPrice":9,"buyPrice":2,"discountPrice":7');
    expect(listed).toContain('"sellPrice":10,"buyPrice":1,"discountPrice":null');
  },
);
