import { sql } from 'drizzle-orm';
import { customer } from '../../drizzle/customer.ts';
import { erasure } from '../../drizzle/erasure.ts';
import type { Context } from '../context.ts';
import { newestFirst } from '../db/read/pagination.ts';
import { aliased, type Selection } from '../db/read/projection.ts';
import { readList } from '../db/read/read-page.ts';
import { isId } from '../db/sql/id.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { Erasure, QueryGetErasureArgs } from '../graphql/generated/types.ts';
import { erasureProjection } from './erasure/erasure.ts';

export async function getErasure(
  ctx: Context,
  { id }: QueryGetErasureArgs,
  selection: Selection,
): Promise<Erasure | null> {
  if (!isId(id)) return null;
  const [found] = await readList(ctx, erasureProjection, {
    selection,
    pagination: null,
    order: newestFirst(erasure),
    isSingle: true,
    where: (row, scope) => {
      const { row: erased, from } = aliased(scope, customer);
      const ofCustomer = sql`from ${from} where ${ownedBy(scope.tenant, erased)} and ${erased.id} = ${id}::uuid`;
      const { row: receipt, from: fromReceipts } = aliased(scope, erasure);
      // Plain SQL can have removed the row of an erased customer. Not `order by … limit 1`: without a receipt PostgreSQL
      // would read all of them by the index on their times.
      return [
        sql`${row.id} in (
          select ${id}::uuid
          union all select ${erased.erasureId} ${ofCustomer}
          union all select (array_agg(${receipt.id} order by ${receipt.createdAt} desc, ${receipt.id}))[1]
          from ${fromReceipts}
          where ${ownedBy(scope.tenant, receipt)} and ${receipt.customerIds} @> array[${id}::uuid]
            and not exists (select ${ofCustomer}))`,
      ];
    },
  });
  return found ?? null;
}
