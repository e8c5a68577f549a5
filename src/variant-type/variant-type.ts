import { sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import { document, id, recordFields, text, enumValue } from '../db/read/fields.ts';
import { hasManyIds, hasMany } from '../db/read/relations.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductVariantType, VariantTypeTranslation, VariantValue } from '../graphql/generated/types.ts';

export const variantValueProjection = projection<VariantValue>()(variantValue, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  colorCode: (row) => text(row.colorCode),
  thumbnailImageId: (row) => text(row.thumbnailImageId),
});

export const variantTypeProjection = projection<ProductVariantType>()(variantType, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  selectionType: (row) => enumValue(row.selectionType),
  translations: (row, scope) => document<VariantTypeTranslation[]>(scope, row.translations),
  values: (row, scope) => hasMany(scope, variantValueProjection, (value) => valuesOf(row, value)),
  order: () => ({ sql: sql.raw(`'null'`) }),
  variantTypeId: (row) => id(row.id),
  variantValueIds: (row, scope) =>
    hasManyIds(scope, variantValue, (value) => ({ id: value.id, ...valuesOf(row, value) })),
});

function valuesOf(type: typeof variantType, value: typeof variantValue) {
  return {
    where: [sql`${value.variantTypeId} = ${type.id}`, sql`not ${value.deleted}`],
    orderBy: [sql`${value.position}`],
  };
}
