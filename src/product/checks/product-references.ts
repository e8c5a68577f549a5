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
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { notFound } from '../../errors.ts';
import { attributeValueCheck } from './attribute-values.ts';
import { type Part, type ReferencedIds, referencedIds, type ReferringProduct } from './referenced-ids.ts';
import { storedReferenceIds } from './stored-references.ts';

/**
 * The steps that refuse ids of unknown or deleted records. References that a stored product already has are accepted,
 * even if the record has been deleted since. Also refuses values that are not of their attribute's type. `ignored`: ids
 * that are not stored, and may be those of deleted records.
 */
export function productReferenceChecks(
  ctx: Tenant,
  products: ReferringProduct[],
  ignored: ReadonlySet<string>,
): PipelineStep<void>[] {
  if (products.length === 0) return [];
  const found = referencedIds(products);
  const stored = storedReferenceIds(products.flatMap(({ stored }) => stored ?? [])).union(ignored);
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
  return [...referenceCheck(ctx, references), ...partChecks(ctx, found), ...attributeValueCheck(ctx, products)];
}

function partChecks(ctx: Tenant, { values, options }: ReferencedIds): PipelineStep<void>[] {
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
      select ${productAttributeOption.id} as "id", ${productAttributeOption.attributeId} as "whole"
      from ${productAttributeOption}
      where ${ownedBy(ctx, productAttributeOption)} and ${productAttributeOption.id} = any(${ids})`,
    ),
  ];
}

function partCheck(type: string, parts: Part[], select: (ids: SQL) => SQL): PipelineStep<void>[] {
  if (parts.length === 0) return [];
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const ownerOf = new Map(rows.map(({ id, whole }) => [id, whole]));
    const mismatched = parts.filter(({ whole, part }) => whole !== '' && ownerOf.get(part.id) !== whole);
    if (mismatched.length > 0)
      throw notFound(
        type,
        mismatched.map(({ part }) => part.id),
        mismatched[0]!.part.path,
      );
  };
  return [{ statement: select(idArray(parts.map(({ part }) => part.id))), read }];
}
