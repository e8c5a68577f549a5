import { type SQL, sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import { id } from '../db/read/fields.ts';
import { hasManyIds, hasMany } from '../db/read/relations.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductVariantType, VariantValue } from '../graphql/generated/types.ts';

export const variantValueProjection = projection<VariantValue>()(variantValue, {});

export const variantTypeProjection = projection<ProductVariantType>()(variantType, {
  values: (row, scope) => hasMany(scope, variantValueProjection, (value) => valuesOf(row, value)),
  order: () => ({ sql: sql.raw(`'null'`) }),
  variantTypeId: (row) => id(row.id),
  variantValueIds: (row, scope) =>
    hasManyIds(scope, variantValue, (value) => ({ id: value.id, ...valuesOf(row, value) })),
});

/** Removed values follow the others. */
const variantTypeWithRemovedValues = projection<ProductVariantType>()(variantType, {
  ...variantTypeProjection.fields,
  values: (row, scope) =>
    hasMany(scope, variantValueProjection, (value) => ({
      where: [ofType(row, value)],
      orderBy: [sql`${value.deleted}`, sql`${value.position}`, sql`${value.id}`],
    })),
});

/** What `listVariantType` and `variantTypePage` list. */
export const variantTypeList = { projection: variantTypeProjection, withRemoved: variantTypeWithRemovedValues };

function valuesOf(type: typeof variantType, value: typeof variantValue) {
  return {
    where: [ofType(type, value), sql`not ${value.deleted}`],
    orderBy: [sql`${value.position}`, sql`${value.id}`],
  };
}

function ofType(type: typeof variantType, value: typeof variantValue): SQL {
  return sql`${value.variantTypeId} = ${type.id}`;
}
