import { sql } from 'drizzle-orm';
import { category } from '../../drizzle/category.ts';
import {
  boolean,
  document,
  documents,
  id,
  many,
  recordFields,
  shape,
  text,
  texts,
  word,
} from '../db/read/projection.ts';
import type {
  Category,
  CategoryCondition,
  CategoryPathItem,
  CategorySalesChannel,
  CategoryTranslation,
} from '../graphql/generated/types.ts';
import { metaDataOf } from '../page-metadata/page-metadata.ts';

const pathItemShape = shape<CategoryPathItem>()(category, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  description: (row) => text(row.description),
  imageId: (row) => text(row.imageId),
  isAutomated: (row) => boolean(row.isAutomated),
  metaData: (row, read) => metaDataOf(read, row.id),
  translations: (row, read) => document<CategoryTranslation[]>(read, row.translations),
});

export const categoryShape = shape<Category>()(category, {
  ...pathItemShape.fields,
  categoryPath: (row) => texts(row.path),
  categoryPathItems: (row, read) =>
    many(read, pathItemShape, (ancestor) => ({
      where: [sql`${ancestor.id} = any(${row.path})`],
      orderBy: [sql`array_position(${row.path}, ${ancestor.id})`],
    })),
  conditions: (row, read) => document<CategoryCondition[]>(read, row.conditions),
  orderType: (row) => word(row.orderType),
  parentId: (row) => id(row.parentId),
  salesChannelIds: (row) => texts(row.salesChannelIds),
  salesChannels: (row, read) => documents<CategorySalesChannel>(read, row.salesChannels),
  shouldMatchAllConditions: (row) => boolean(row.shouldMatchAllConditions),
});
