import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import { document, documents, texts } from '../db/read/fields.ts';
import { hasMany } from '../db/read/relations.ts';
import { projection } from '../db/read/projection.ts';
import type {
  Category,
  CategoryCondition,
  CategoryPathItem,
  CategorySalesChannel,
} from '../graphql/generated/types.ts';
import { pageMetadataOf } from '../page-metadata/page-metadata.ts';

const pathItemProjection = projection<CategoryPathItem>()(category, {
  metaData: (row, scope) => pageMetadataOf(scope, row.id),
});

export const categoryProjection = projection<Category>()(category, {
  ...pathItemProjection.fields,
  categoryPath: (row) => texts(row.path),
  categoryPathItems: (row, scope) =>
    hasMany(scope, pathItemProjection, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
      mayBeLong: true,
    })),
  conditions: (row, scope) => document<CategoryCondition[]>(scope, row.conditions),
  salesChannels: (row, scope) => documents<CategorySalesChannel>(scope, row.salesChannels),
});
