import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import { boolean, document, documents, id, recordFields, text, texts, enumValue } from '../db/read/fields.ts';
import { hasMany } from '../db/read/relations.ts';
import { projection } from '../db/read/projection.ts';
import type {
  Category,
  CategoryCondition,
  CategoryPathItem,
  CategorySalesChannel,
  CategoryTranslation,
} from '../graphql/generated/types.ts';
import { pageMetadataOf } from '../page-metadata/page-metadata.ts';

const pathItemProjection = projection<CategoryPathItem>()(category, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  description: (row) => text(row.description),
  imageId: (row) => text(row.imageId),
  isAutomated: (row) => boolean(row.isAutomated),
  metaData: (row, scope) => pageMetadataOf(scope, row.id),
  translations: (row, scope) => document<CategoryTranslation[]>(scope, row.translations),
});

export const categoryProjection = projection<Category>()(category, {
  ...pathItemProjection.fields,
  categoryPath: (row) => texts(row.path),
  categoryPathItems: (row, scope) =>
    hasMany(scope, pathItemProjection, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
  conditions: (row, scope) => document<CategoryCondition[]>(scope, row.conditions),
  orderType: (row) => enumValue(row.orderType),
  parentId: (row) => id(row.parentId),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  salesChannels: (row, scope) => documents<CategorySalesChannel>(scope, row.salesChannels),
  shouldMatchAllConditions: (row) => boolean(row.shouldMatchAllConditions),
});
