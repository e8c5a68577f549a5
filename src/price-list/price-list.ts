import { priceList } from '../../drizzle/price-list.ts';
import { boolean, document, id, recordFields, shape, text, word } from '../db/read/projection.ts';
import type { PriceList, PriceListRuleList } from '../graphql/generated/types.ts';

export const priceListShape = shape<PriceList>()(priceList, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  currency: (row) => text(row.currency),
  currencyCode: (row) => text(row.currencyCode),
  currencySymbol: (row) => text(row.currencySymbol),
  type: (row) => word(row.type),
  addProductsAutomatically: (row) => boolean(row.addProductsAutomatically),
  ruleList: (row, read) => document<PriceListRuleList[]>(read, row.ruleList),
});
