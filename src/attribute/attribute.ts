import { type SQL, sql } from 'drizzle-orm';
import { productAttribute, productAttributeOption } from '../../drizzle/attribute.ts';
import { hasMany } from '../db/read/relations.ts';
import { projection } from '../db/read/projection.ts';
import type { ProductAttribute, ProductAttributeOption } from '../graphql/generated/types.ts';

const optionProjection = projection<ProductAttributeOption>()(productAttributeOption, {});

export const attributeProjection = projection<ProductAttribute>()(productAttribute, {
  options: (row, scope) =>
    hasMany(scope, optionProjection, (option) => ({
      where: [ofAttribute(row, option), sql`not ${option.deleted}`],
      orderBy: [sql`${option.position}`, sql`${option.id}`],
    })),
});

/** Removed options stand behind the others. */
const attributeWithRemovedOptions = projection<ProductAttribute>()(productAttribute, {
  ...attributeProjection.fields,
  options: (row, scope) =>
    hasMany(scope, optionProjection, (option) => ({
      where: [ofAttribute(row, option)],
      orderBy: [sql`${option.deleted}`, sql`${option.position}`, sql`${option.id}`],
    })),
});

/** What `listProductAttribute` and `productAttributePage` list. */
export const attributeList = { projection: attributeProjection, withRemoved: attributeWithRemovedOptions };

function ofAttribute(attribute: typeof productAttribute, option: typeof productAttributeOption): SQL {
  return sql`${option.attributeId} = ${attribute.id}`;
}
