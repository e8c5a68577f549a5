import type { Context } from '../../context.ts';
import type { InputPath } from '../../errors.ts';
import type { QueryListProductArgs } from '../../graphql/generated/types.ts';
import { withFrequency } from './attribute-filter.ts';
import { withoutComputingList } from './computing-list.ts';
import { withSubcategories } from './category-tree.ts';
import type { ProductConditions } from './product-filters.ts';

type SentConditions = Pick<QueryListProductArgs, 'attributeId' | 'categoryIds' | 'price'>;

/**
 * Adds to the conditions what they depend on in the database: the subcategories of categories, whether attributes are
 * frequent, and whether a price list computes its prices. `path` is the place of the conditions in the arguments.
 */
export async function resolveConditions<Sent extends SentConditions>(
  ctx: Context,
  sent: Sent,
  path: InputPath,
): Promise<Sent & Pick<ProductConditions, 'attributeId' | 'categoryIds' | 'price'>> {
  if (sent.categoryIds == null && sent.attributeId == null && sent.price == null)
    return sent as Sent & { attributeId?: null };
  return {
    ...sent,
    categoryIds: await withSubcategories(ctx, sent.categoryIds, [...path, 'categoryIds']),
    attributeId: await withFrequency(ctx, sent.attributeId),
    price: await withoutComputingList(ctx, sent.price),
  };
}
