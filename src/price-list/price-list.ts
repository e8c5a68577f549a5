import { priceList } from '../../drizzle/price-list.ts';
import { document } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { PriceList, PriceListRuleList } from '../graphql/generated/types.ts';

export const priceListProjection = projection<PriceList>()(priceList, {
  ruleList: (row, scope) => document<PriceListRuleList[]>(scope, row.ruleList),
});
