import { productTag } from '../../drizzle/tag.ts';
import { document, id, recordFields, shape, text } from '../db/read/projection.ts';
import type { ProductTag, ProductTagTranslation } from '../graphql/generated/types.ts';

export const tagShape = shape<ProductTag>()(productTag, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  translations: (row, read) => document<ProductTagTranslation[]>(read, row.translations),
});
