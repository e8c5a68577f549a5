import { productBrand } from '../../drizzle/brand.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductBrand } from '../graphql/generated/types.ts';
import { pageMetadataOf } from '../page-metadata/page-metadata.ts';

export const brandProjection = projection<ProductBrand>()(productBrand, {
  metaData: (row, scope) => pageMetadataOf(scope, row.id),
});
