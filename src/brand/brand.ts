import { productBrand } from '../../drizzle/brand.ts';
import { document, id, recordFields, shape, text, texts, word } from '../db/read/projection.ts';
import type { ProductBrand, ProductBrandTranslation } from '../graphql/generated/types.ts';
import { metaDataOf } from '../page-metadata/page-metadata.ts';

export const brandShape = shape<ProductBrand>()(productBrand, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  description: (row) => text(row.description),
  imageId: (row) => text(row.imageId),
  metaData: (row, read) => metaDataOf(read, row.id),
  orderType: (row) => word(row.orderType),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  translations: (row, read) => document<ProductBrandTranslation[]>(read, row.translations),
});
