import { productTag } from '../../drizzle/tag.ts';
import { document, id, recordFields, text } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductTag, ProductTagTranslation } from '../graphql/generated/types.ts';

export const tagProjection = projection<ProductTag>()(productTag, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  translations: (row, scope) => document<ProductTagTranslation[]>(scope, row.translations),
});
