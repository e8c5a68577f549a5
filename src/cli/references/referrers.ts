import { authorizedApp } from '../../../drizzle/app.ts';
import { productAttribute } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { customer } from '../../../drizzle/customer.ts';
import { pageMetadata } from '../../../drizzle/page-metadata.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { product, variant } from '../../../drizzle/product.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType } from '../../../drizzle/variant-type.ts';
import { webhook } from '../../../drizzle/webhook.ts';
import { storedMembers } from './generated/stored-members.ts';
import type { RecordTable } from '../../db/read/projection.ts';
import { id, idByType, list, nullable, object, type Rule, text } from './rules/rule.ts';

/** A table, and a rule for each column that neither a foreign key nor its type checks. NULL is always valid. */
export type Referrer = { table: RecordTable; columns: Readonly<Record<string, Rule>> };

/** The rules that `npm run codegen` writes, and rules of columns that no input has. */
export const referrers: readonly Referrer[] = [
  { table: product, columns: storedMembers.product },
  { table: variant, columns: storedMembers.variant },
  { table: category, columns: { path: list(id(category)), ...storedMembers.category } },
  { table: productBrand, columns: storedMembers.productBrand },
  { table: productTag, columns: storedMembers.productTag },
  { table: productAttribute, columns: storedMembers.productAttribute },
  { table: variantType, columns: storedMembers.variantType },
  { table: priceList, columns: storedMembers.priceList },
  { table: salesChannel, columns: storedMembers.salesChannel },
  { table: stockLocation, columns: storedMembers.stockLocation },
  // The other members of a price rule refer to nothing.
  { table: customer, columns: { priceListRules: list(object({ priceListId: nullable(id(priceList)) })) } },
  {
    table: pageMetadata,
    columns: {
      targetType: text,
      targetId: idByType('targetType', { BRAND: productBrand, CATEGORY: category, PRODUCT: product }),
    },
  },
  { table: authorizedApp, columns: { salesChannelId: id(salesChannel) } },
  { table: webhook, columns: storedMembers.webhook },
];
