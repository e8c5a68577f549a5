import { sql } from 'drizzle-orm';
import { product } from '../../../drizzle/product.ts';
import type { PipelineStep } from '../../db/connection/pipeline.ts';
import { idArray, ownedBy, type Tenant } from '../../db/sql/parameter.ts';
import { type InputPath, notFound } from '../../errors.ts';

/**
 * The step that locks the products until the end of the transaction and refuses unknown ones. `ids` are in the order of
 * the input; `path` is the path of an id in the arguments.
 */
export function lockProducts(
  ctx: Tenant,
  ids: readonly string[],
  path: (index: number) => InputPath,
): PipelineStep<void> {
  const distinctIds = [...new Set(ids)];
  const statement = sql`
    select ${product.id} as "id" from ${product}
    where ${ownedBy(ctx, product)} and ${product.id} = any(${idArray(distinctIds)}) and not ${product.deleted}
    order by ${product.id} for update`;
  const read = (rows: readonly Record<string, unknown>[]): void => {
    const known = new Set(rows.map(({ id }) => id));
    const missing = distinctIds.filter((id) => !known.has(id));
    if (missing.length > 0) throw notFound('Product', missing, path(ids.indexOf(missing[0]!)));
  };
  return { statement, read };
}
