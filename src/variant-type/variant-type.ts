import { sql } from 'drizzle-orm';
import { variantType, variantValue } from '../../drizzle/variant-type.ts';
import { document, id, ids, many, recordFields, shape, text, word } from '../db/read/projection.ts';
import type { ProductVariantType, VariantTypeTranslation, VariantValue } from '../graphql/generated/types.ts';

export const variantValueShape = shape<VariantValue>()(variantValue, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  colorCode: (row) => text(row.colorCode),
  thumbnailImageId: (row) => text(row.thumbnailImageId),
});

export const variantTypeShape = shape<ProductVariantType>()(variantType, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  selectionType: (row) => word(row.selectionType),
  translations: (row, read) => document<VariantTypeTranslation[]>(read, row.translations),
  values: (row, read) => many(read, variantValueShape, (value) => valuesOf(row, value)),
  order: () => ({ sql: sql.raw(`'null'`) }),
  variantTypeId: (row) => id(row.id),
  variantValueIds: (row, read) => ids(read, variantValue, (value) => ({ id: value.id, ...valuesOf(row, value) })),
});

function valuesOf(type: typeof variantType, value: typeof variantValue) {
  return {
    where: [sql`${value.variantTypeId} = ${type.id}`, sql`not ${value.deleted}`],
    orderBy: [sql`${value.position}`],
  };
}
