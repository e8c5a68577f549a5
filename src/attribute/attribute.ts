import { sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import { document, id, many, recordFields, shape, text, word } from '../db/read/projection.ts';
import type {
  ProductAttribute,
  ProductAttributeOption,
  ProductAttributeTableTemplate,
  ProductAttributeTranslation,
} from '../graphql/generated/types.ts';

const optionShape = shape<ProductAttributeOption>()(productAttributeOption, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  colorCode: (row) => text(row.colorCode),
  thumbnailImageId: (row) => text(row.thumbnailImageId),
});

export const attributeShape = shape<ProductAttribute>()(productAttribute, {
  ...recordFields(),
  id: (row) => id(row.id),
  name: (row) => text(row.name),
  type: (row) => word(row.type),
  description: (row) => text(row.description),
  options: (row, read) =>
    many(read, optionShape, (option) => ({
      where: [sql`${option.attributeId} = ${row.id}`, sql`not ${option.deleted}`],
      orderBy: [sql`${option.position}`],
    })),
  tableTemplate: (row, read) => document<ProductAttributeTableTemplate>(read, row.tableTemplate),
  translations: (row, read) => document<ProductAttributeTranslation[]>(read, row.translations),
});
