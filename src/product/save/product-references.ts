import { type SQL, sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../../drizzle/attribute.ts';
import { productBrand } from '../../../drizzle/brand.ts';
import { category } from '../../../drizzle/category.ts';
import { priceList } from '../../../drizzle/price-list.ts';
import { product } from '../../../drizzle/product.ts';
import { salesChannel } from '../../../drizzle/sales-channel.ts';
import { productTag } from '../../../drizzle/tag.ts';
import { variantType, variantValue } from '../../../drizzle/variant-type.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { referenceCheck, type References } from '../../db/write/reference-check.ts';
import { ownedBy, type Tenant } from '../../db/sql/tenant.ts';
import type { PipelineStep } from '../../db/write/pipeline.ts';
import { notFound } from '../../errors.ts';
import type { ProductInput } from './product-input.ts';
import type { StoredProduct } from './stored-products.ts';
import { storedReferenceIds } from './stored-references.ts';

type Path = (string | number)[];
type Found = { id: string; path: Path };

/** A product being saved: its input, where that stands among the arguments, and what is stored of it. */
export type ReferringProduct = { input: ProductInput; path: Path; stored: StoredProduct | undefined };

/**
 * The steps that refuse ids in products' inputs that name nothing of this merchant, or something deleted. What a stored
 * product refers to already it may keep, deleted or not.
 */
export function productReferenceChecks(ctx: Tenant, products: ReferringProduct[]): PipelineStep<void>[] {
  if (products.length === 0) return [];
  const found = collect(products);
  const stored = storedReferenceIds(products.flatMap(({ stored }) => stored ?? []));
  const references: References[] = [
    { table: productBrand, type: 'ProductBrand', ids: found.brand, stored },
    { table: category, type: 'Category', ids: found.category, stored },
    { table: productTag, type: 'ProductTag', ids: found.tag, stored },
    { table: priceList, type: 'PriceList', ids: found.priceList, stored },
    { table: salesChannel, type: 'SalesChannel', ids: found.salesChannel, stored },
    { table: variantType, type: 'ProductVariantType', ids: found.variantType, stored },
    { table: variantValue, type: 'VariantValue', ids: found.values.map(({ part }) => part), stored },
    { table: productAttribute, type: 'ProductAttribute', ids: found.attribute, stored },
    {
      table: productAttributeOption,
      type: 'ProductAttributeOption',
      ids: found.options.map(({ part }) => part),
      stored,
    },
    { table: product, type: 'Product', ids: found.product, stored },
  ];
  return [...referenceCheck(ctx, references), ...partChecks(ctx, found)];
}

/** A value of a variant type, or an option of an attribute: it has to be one of that very type or attribute. */
type Part = { whole: string; part: Found };

/** What all products of a request name: its thousands of ids go into one set of lists. */
type Collected = Record<
  'brand' | 'category' | 'tag' | 'priceList' | 'salesChannel' | 'variantType' | 'attribute' | 'product',
  Found[]
> & {
  values: Part[];
  options: Part[];
};

function collect(products: ReferringProduct[]): Collected {
  const found: Collected = {
    brand: [],
    category: [],
    tag: [],
    priceList: [],
    salesChannel: [],
    variantType: [],
    attribute: [],
    product: [],
    values: [],
    options: [],
  };
  for (const { input, path } of products) collectProduct(found, input, path);
  return found;
}

function collectProduct(found: Collected, input: ProductInput, path: Path): void {
  addOne(found.brand, input.brandId, path, 'brandId');
  addList(found.category, input.categoryIds, path, 'categoryIds');
  addList(found.tag, input.tagIds, path, 'tagIds');
  addList(found.priceList, input.dynamicPriceListIds, path, 'dynamicPriceListIds');
  addList(found.salesChannel, input.salesChannelIds, path, 'salesChannelIds');
  addList(found.salesChannel, input.hiddenSalesChannelIds, path, 'hiddenSalesChannelIds');
  input.salesChannels?.forEach(({ id }, index) =>
    found.salesChannel.push({ id, path: [...path, 'salesChannels', index, 'id'] }),
  );
  addOne(found.variantType, input.groupVariantsByVariantTypeId, path, 'groupVariantsByVariantTypeId');
  collectAttributes(found, input.attributes, path);
  input.productVariantTypes?.forEach(({ variantTypeId, variantValueIds }, index) => {
    const at = [...path, 'productVariantTypes', index];
    found.variantType.push({ id: variantTypeId, path: [...at, 'variantTypeId'] });
    variantValueIds.forEach((id, value) =>
      found.values.push({ whole: variantTypeId, part: { id, path: [...at, 'variantValueIds', value] } }),
    );
  });
  input.variants.forEach((variant, index) => collectVariant(found, variant, path, index));
}

function collectVariant(found: Collected, variant: ProductInput['variants'][number], path: Path, place: number): void {
  const at = (...members: Path): Path => [...path, 'variants', place, ...members];
  if (variant.attributes) collectAttributes(found, variant.attributes, at());
  variant.prices.forEach(({ priceListId }, index) => {
    if (priceListId != null) found.priceList.push({ id: priceListId, path: at('prices', index, 'priceListId') });
  });
  variant.variantValueIds?.forEach(({ variantTypeId, variantValueId }, index) => {
    found.variantType.push({ id: variantTypeId, path: at('variantValueIds', index, 'variantTypeId') });
    found.values.push({
      whole: variantTypeId,
      part: { id: variantValueId, path: at('variantValueIds', index, 'variantValueId') },
    });
  });
  variant.bundleSettings?.products.forEach(({ productId }, index) =>
    found.product.push({ id: productId, path: at('bundleSettings', 'products', index, 'productId') }),
  );
}

function collectAttributes(found: Collected, attributes: ProductInput['attributes'], path: Path): void {
  attributes?.forEach(({ productAttributeId, productAttributeOptionId }, index) => {
    const at = (member: string): Path => [...path, 'attributes', index, member];
    if (productAttributeId != null) found.attribute.push({ id: productAttributeId, path: at('productAttributeId') });
    if (productAttributeOptionId == null) return;
    found.options.push({
      whole: productAttributeId ?? '',
      part: { id: productAttributeOptionId, path: at('productAttributeOptionId') },
    });
  });
}

function addOne(found: Found[], id: string | null | undefined, path: Path, member: string): void {
  if (id != null) found.push({ id, path: [...path, member] });
}

function addList(found: Found[], ids: readonly string[] | null | undefined, path: Path, member: string): void {
  ids?.forEach((id, index) => found.push({ id, path: [...path, member, index] }));
}

function partChecks(ctx: Tenant, { values, options }: Collected): PipelineStep<void>[] {
  return [
    ...partCheck(
      'VariantValue',
      values,
      (ids) => sql`
      select ${variantValue.id} as "id", ${variantValue.variantTypeId} as "whole" from ${variantValue}
      where ${ownedBy(ctx, variantValue)} and ${variantValue.id} = any(${ids})`,
    ),
    ...partCheck(
      'ProductAttributeOption',
      options,
      (ids) => sql`
      select ${productAttributeOption.id} as "id", ${productAttributeOption.attributeId} as "whole" from ${productAttributeOption}
      where ${ownedBy(ctx, productAttributeOption)} and ${productAttributeOption.id} = any(${ids})`,
    ),
  ];
}

function partCheck(type: string, parts: Part[], select: (ids: SQL) => SQL): PipelineStep<void>[] {
  if (parts.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const wholeOf = new Map(rows.map(({ id, whole }) => [id, whole]));
    const stray = parts.filter(({ whole, part }) => whole !== '' && wholeOf.get(part.id) !== whole);
    if (stray.length > 0)
      throw notFound(
        type,
        stray.map(({ part }) => part.id),
        stray[0]!.part.path,
      );
  };
  return [{ statement: select(idArray(parts.map(({ part }) => part.id))), read }];
}
