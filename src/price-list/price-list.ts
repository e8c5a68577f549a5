import { priceList } from '../../drizzle/price-list.ts';
import { boolean, document, id, recordFields, text, enumValue } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { PriceList, PriceListRuleList } from '../graphql/generated/types.ts';

export const priceListProjection = projection<PriceList>()(priceList, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  currency: (row) => text(row.currency),
  currencyCode: (row) => text(row.currencyCode),
  currencySymbol: (row) => text(row.currencySymbol),
  type: (row) => enumValue(row.type),
  addProductsAutomatically: (row) => boolean(row.addProductsAutomatically),
  ruleList: (row, scope) => document<PriceListRuleList[]>(scope, row.ruleList),
});
