import { sql } from 'drizzle-orm';
import { productBrand, productBrandSalesChannel } from '../../drizzle/brand.ts';
import { document, id, ids, recordFields, shape, text, word } from '../db/shape.ts';
import type { ProductBrand, ProductBrandTranslation } from '../graphql/types.generated.ts';
import { metaDataOf } from '../meta-data/meta-data.ts';

export const brandShape = shape<ProductBrand>()(productBrand, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  description: (row) => text(row.description),
  imageId: (row) => text(row.imageId),
  metaData: (row, read) => metaDataOf(read, row.id),
  orderType: (row) => word(row.orderType),
  salesChannelIds: (row, read) =>
    ids(read, productBrandSalesChannel, (channel) => ({
      id: channel.salesChannelId,
      where: [sql`${channel.brandId} = ${row.id}`],
      orderBy: [sql`${channel.position}`],
    })),
  translations: (row, read) => document<ProductBrandTranslation[]>(read, row.translations),
});
