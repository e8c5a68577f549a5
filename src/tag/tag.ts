import { productTag } from '../../drizzle/tag.ts';
import { document } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductTag, ProductTagTranslation } from '../graphql/generated/types.ts';

export const tagProjection = projection<ProductTag>()(productTag, {
  translations: (row, scope) => document<ProductTagTranslation[]>(scope, row.translations),
});
