import { sql } from 'drizzle-orm';
import { boolean, index, text } from 'drizzle-orm/pg-core';
import { document, recordColumns, sortIndexes } from './columns.ts';
import {
  type priceListCurrencyRateTypeEnum,
  type priceListRulesAmountTypeEnum,
  type priceListRulesOperationTypeEnum,
  priceListTypeEnum,
} from './generated/enums.ts';
import { recordTable } from './table.ts';

type RuleListDocument = {
  basePriceListId?: string | null;
  currencyRateSettings?: { amount?: number | null; type: (typeof priceListCurrencyRateTypeEnum)[number] } | null;
  currencySettings: { roundingFormat?: string | null };
  rules: {
    amount: number;
    amountType: (typeof priceListRulesAmountTypeEnum)[number];
    operationType: (typeof priceListRulesOperationTypeEnum)[number];
  }[];
};

export const priceList = recordTable(
  'price_list',
  {
    name: text('name').notNull(),
    currency: text('currency').notNull(),
    currencyCode: text('currency_code'),
    currencySymbol: text('currency_symbol'),
    type: text('type', { enum: priceListTypeEnum }),
    addProductsAutomatically: boolean('add_products_automatically'),
    ruleList: document<RuleListDocument[]>('rule_list'),
    ...recordColumns(),
  },
  (t) => [
    ...sortIndexes('price_list', t),
    // Each page of products of a merchant that has such lists asks for them.
    index('price_list_dynamic')
      .on(t.merchantId, t.createdAt, t.id)
      .where(
        sql`type in ('DYNAMIC', 'DYNAMIC_RATE') and not deleted
          and json_array_length(case when json_typeof(rule_list) = 'array' then rule_list end) > 0`,
      ),
  ],
);
