import { type SQL, sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import { productBrand } from '../../drizzle/brand.ts';
import { category } from '../../drizzle/category.ts';
import { priceList } from '../../drizzle/price-list.ts';
import { product } from '../../drizzle/product.ts';
import { salesChannel } from '../../drizzle/sales-channel.ts';
import { productTag } from '../../drizzle/tag.ts';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import type { Context } from '../context.ts';
import { idList } from '../db/parameter.ts';
import { checkStoredReferences, referenceCheck, type References } from '../db/reference.ts';
import { of, type Tenant } from '../db/tenant.ts';
import type { Step } from '../db/together.ts';
import { notFound } from '../errors.ts';
import type { ProductInput } from './product-input.ts';
import type { StoredProduct } from './storedProducts.ts';
import { storedReferences } from './storedReferences.ts';

type Path = (string | number)[];
type Found = { id: string; path: Path };

/** A product being saved: its input, where that stands among the arguments, and what is stored of it. */
export type ReferringProduct = { input: ProductInput; path: Path; stored: StoredProduct | undefined };

/**
 * The steps that refuse ids in products' inputs that name nothing of this merchant, or something deleted. What a stored
 * product refers to already it may keep, deleted or not: then the look is taken here, before anything is written.
 */
export async function productReferenceChecks(ctx: Context, products: ReferringProduct[]): Promise<Step<void>[]> {
  if (products.length === 0) return [];
  const found = merge(products.map(({ input, path }) => collect(input, path)));
  const references: References[] = [
    { table: productBrand, type: 'ProductBrand', ids: found.brand },
    { table: category, type: 'Category', ids: found.category },
    { table: productTag, type: 'ProductTag', ids: found.tag },
    { table: priceList, type: 'PriceList', ids: found.priceList },
    { table: salesChannel, type: 'SalesChannel', ids: found.salesChannel },
    { table: variantType, type: 'ProductVariantType', ids: found.variantType },
    { table: variantValue, type: 'VariantValue', ids: found.values.map(({ part }) => part) },
    { table: productAttribute, type: 'ProductAttribute', ids: found.attribute },
    { table: productAttributeOption, type: 'ProductAttributeOption', ids: found.options.map(({ part }) => part) },
    { table: product, type: 'Product', ids: found.product },
  ];
  const storedIds = products.flatMap(({ stored }) => (stored ? [stored.row.id] : []));
  if (storedIds.length === 0) return [...referenceCheck(ctx, references), ...partChecks(ctx, found)];
  await checkStoredReferences(ctx, references, async () => await storedReferences(ctx, storedIds));
  return partChecks(ctx, found);
}

/** A value of a variant type, or an option of an attribute: it has to be one of that very type or attribute. */
type Part = { whole: string; part: Found };

type Collected = Record<'brand' | 'category' | 'tag' | 'priceList' | 'salesChannel' | 'variantType' | 'attribute' | 'product', Found[]> & {
  values: Part[];
  options: Part[];
};

function merge(all: Collected[]): Collected {
  const members = Object.keys(all[0]!) as (keyof Collected)[];
  return Object.fromEntries(members.map((member) => [member, all.flatMap((collected) => collected[member] as unknown[])])) as Collected;
}

function collect(input: ProductInput, path: Path): Collected {
  const at = (...members: Path): Path => [...path, ...members];
  const list = (member: string, ids: readonly string[] | null | undefined): Found[] =>
    (ids ?? []).map((id, index) => ({ id, path: at(member, index) }));
  const single = (member: string, id: string | null | undefined): Found[] => (id == null ? [] : [{ id, path: at(member) }]);
  const found: Collected = {
    brand: single('brandId', input.brandId),
    category: list('categoryIds', input.categoryIds),
    tag: list('tagIds', input.tagIds),
    priceList: list('dynamicPriceListIds', input.dynamicPriceListIds),
    salesChannel: [
      ...list('salesChannelIds', input.salesChannelIds),
      ...list('hiddenSalesChannelIds', input.hiddenSalesChannelIds),
      ...(input.salesChannels ?? []).map(({ id }, index) => ({ id, path: at('salesChannels', index, 'id') })),
    ],
    variantType: single('groupVariantsByVariantTypeId', input.groupVariantsByVariantTypeId),
    attribute: [],
    product: [],
    values: [],
    options: [],
  };
  collectAttributes(found, input.attributes, at('attributes'));
  for (const [index, use] of (input.productVariantTypes ?? []).entries()) {
    found.variantType.push({ id: use.variantTypeId, path: at('productVariantTypes', index, 'variantTypeId') });
    for (const [valueIndex, id] of use.variantValueIds.entries()) {
      found.values.push({ whole: use.variantTypeId, part: { id, path: at('productVariantTypes', index, 'variantValueIds', valueIndex) } });
    }
  }
  for (const [index, variant] of input.variants.entries()) collectVariant(found, variant, at('variants', index));
  return found;
}

function collectVariant(found: Collected, variant: ProductInput['variants'][number], path: Path): void {
  collectAttributes(found, variant.attributes, [...path, 'attributes']);
  for (const [index, { priceListId }] of variant.prices.entries()) {
    if (priceListId != null) found.priceList.push({ id: priceListId, path: [...path, 'prices', index, 'priceListId'] });
  }
  for (const [index, { variantTypeId, variantValueId }] of (variant.variantValueIds ?? []).entries()) {
    const at = [...path, 'variantValueIds', index];
    found.variantType.push({ id: variantTypeId, path: [...at, 'variantTypeId'] });
    found.values.push({ whole: variantTypeId, part: { id: variantValueId, path: [...at, 'variantValueId'] } });
  }
  for (const [index, { productId }] of (variant.bundleSettings?.products ?? []).entries()) {
    found.product.push({ id: productId, path: [...path, 'bundleSettings', 'products', index, 'productId'] });
  }
}

function collectAttributes(found: Collected, attributes: ProductInput['attributes'], path: Path): void {
  for (const [index, { productAttributeId, productAttributeOptionId }] of (attributes ?? []).entries()) {
    if (productAttributeId != null) found.attribute.push({ id: productAttributeId, path: [...path, index, 'productAttributeId'] });
    if (productAttributeOptionId == null) continue;
    found.options.push({ whole: productAttributeId ?? '', part: { id: productAttributeOptionId, path: [...path, index, 'productAttributeOptionId'] } });
  }
}

function partChecks(ctx: Tenant, { values, options }: Collected): Step<void>[] {
  return [
    ...partCheck('VariantValue', values, (ids) => sql`
      select ${variantValue.id} as "id", ${variantValue.variantTypeId} as "whole" from ${variantValue}
      where ${of(ctx, variantValue)} and ${variantValue.id} = any(${ids})`),
    ...partCheck('ProductAttributeOption', options, (ids) => sql`
      select ${productAttributeOption.id} as "id", ${productAttributeOption.attributeId} as "whole" from ${productAttributeOption}
      where ${of(ctx, productAttributeOption)} and ${productAttributeOption.id} = any(${ids})`),
  ];
}

function partCheck(type: string, parts: Part[], select: (ids: SQL) => SQL): Step<void>[] {
  if (parts.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const wholeOf = new Map(rows.map(({ id, whole }) => [id, whole]));
    const stray = parts.filter(({ whole, part }) => whole !== '' && wholeOf.get(part.id) !== whole);
    if (stray.length > 0) throw notFound(type, stray.map(({ part }) => part.id), stray[0]!.part.path);
  };
  return [{ statement: select(idList(parts.map(({ part }) => part.id))), read }];
}
