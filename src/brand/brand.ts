import { productBrand } from '../../drizzle/brand.ts';
import { document, id, recordFields, text, texts, enumValue } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductBrand, ProductBrandTranslation } from '../graphql/generated/types.ts';
import { pageMetadataOf } from '../page-metadata/page-metadata.ts';

export const brandProjection = projection<ProductBrand>()(productBrand, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  description: (row) => text(row.description),
  imageId: (row) => text(row.imageId),
  metaData: (row, scope) => pageMetadataOf(scope, row.id),
  orderType: (row) => enumValue(row.orderType),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  translations: (row, scope) => document<ProductBrandTranslation[]>(scope, row.translations),
});
