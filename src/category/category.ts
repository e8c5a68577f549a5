import { sql } from 'drizzle-orm';
import { category, categorySalesChannel } from '../../drizzle/category.ts';
import { boolean, document, id, ids, many, recordFields, shape, text, texts, word } from '../db/shape.ts';
import type { Category, CategoryCondition, CategoryPathItem, CategorySalesChannel, CategoryTranslation } from '../graphql/types.generated.ts';
import { metaDataOf } from '../meta-data/meta-data.ts';

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

const salesChannelShape = shape<CategorySalesChannel>()(categorySalesChannel, {
  id: (row) => id(row.salesChannelId),
  // Read only from rows that have one.
  status: (row) => ({ sql: word(row.status).sql }),
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
  salesChannelIds: (row, read) =>
    ids(read, categorySalesChannel, (channel) => ({
      id: channel.salesChannelId,
      where: [sql`${channel.categoryId} = ${row.id}`, sql`${channel.listed}`],
      orderBy: [sql`${channel.position}`],
    })),
  salesChannels: (row, read) =>
    many(read, salesChannelShape, (channel) => ({
      where: [sql`${channel.categoryId} = ${row.id}`, sql`${channel.status} is not null`],
      orderBy: [sql`${channel.position}`],
    })),
  shouldMatchAllConditions: (row) => boolean(row.shouldMatchAllConditions),
});
