import { type SQL, sql } from 'drizzle-orm';
import { product, variant } from '../../../drizzle/product.ts';
import { ownedBy, type Tenant } from '../../db/sql/parameter.ts';

/** What conditions compare, as columns of `PART`. */
export type Fact =
  | 'attributeIds'
  | 'brandId'
  | 'categoryIds'
  | 'createdAt'
  | 'isDiscounted'
  | 'name'
  | 'optionIds'
  | 'prices'
  | 'tagIds';

/** The CTE with the products that are compared. */
export const PART = 'part';

/** A price in JSON that is written as a number; plain SQL may have stored another text. */
const NUMBER = sql.raw(`'^-?\\d{1,30}(\\.\\d{1,30})?([eE][+-]?\\d{1,2})?$'`);

const FACTS: Record<Fact, (tenant: Tenant) => SQL> = {
  attributeIds: (tenant) => sql`
    ${attributesAndOptions(product)} || array(
      select used_id from ${variant}, unnest(${attributesAndOptions(variant)}) as used_id
      where ${ofProduct(tenant)})`,
  brandId: () => sql`${product.brandId}`,
  categoryIds: () => sql`${product.categoryIds}`,
  createdAt: () => sql`${product.createdAt}`,
  isDiscounted: (tenant) => sql`
    exists (
      select from ${basePrices()}
      where ${ofProduct(tenant)} and ${isBasePrice} and ${amount('discountPrice')} < ${amount('sellPrice')})`,
  name: () => sql`fold(${product.name})`,
  optionIds: (tenant) => sql`array(
    select used_id from ${variant}, unnest(${variant.variantTypeIds} || json_texts(${variant.variantValueIds}, 'variantValueId')) as used_id
    where ${ofProduct(tenant)})`,
  prices: (tenant) => sql`(
    select range_agg(numrange(${amount('sellPrice')}, ${amount('sellPrice')}, '[]')) from ${basePrices()}
    where ${ofProduct(tenant)} and ${isBasePrice} and ${amount('sellPrice')} is not null)`,
  tagIds: () => sql`${product.tagIds}`,
};

/** The column of a fact. */
export function fact(name: Fact): SQL {
  return sql`${sql.identifier(PART)}.${sql.identifier(name)}`;
}

/** The facts as columns of a select from `product`. */
export function factColumns(tenant: Tenant, facts: readonly Fact[]): SQL[] {
  return [...new Set(facts)].map((name) => sql`${FACTS[name](tenant)} as ${sql.identifier(name)}`);
}

/** An option is given by its id, or by its id in the text of the value. */
function attributesAndOptions({ attributeIds, attributes }: typeof product | typeof variant): SQL {
  return sql`${attributeIds} || json_texts(${attributes}, 'productAttributeOptionId') || json_text_ids(${attributes}, 'value')`;
}

function ofProduct(tenant: Tenant): SQL {
  return sql`${ownedBy(tenant, variant)} and ${variant.productId} = ${product.id} and not ${variant.deleted}`;
}

function basePrices(): SQL {
  const list = sql`
    case when json_typeof(${variant.prices}) = 'array' and is_readable(${variant.prices}) then ${variant.prices} end`;
  return sql`${variant}, json_array_elements(${list}) as listed(price)`;
}

const isBasePrice = sql`listed.price ->> 'priceListId' is null`;

function amount(member: 'sellPrice' | 'discountPrice'): SQL {
  const text = sql`listed.price ->> ${sql.raw(`'${member}'`)}`;
  return sql`case when ${text} ~ ${NUMBER} then (${text})::numeric end`;
}
