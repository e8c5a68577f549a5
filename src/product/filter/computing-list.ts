import { sql } from 'drizzle-orm';
import { priceList } from '../../../drizzle/price-list.ts';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { isId } from '../../db/sql/id.ts';
import { ownedBy } from '../../db/sql/parameter.ts';
import type { PriceFilterInput } from '../../graphql/generated/types.ts';
import { isDynamic, priceFormulas } from '../../price-list/dynamic-list.ts';

/** No price list has it, so that a condition with it finds no price. */
const NO_PRICE_LIST = '';

/** The filter without the saved rows of a list that computes prices: they are neither shown nor used. */
export async function withoutComputingList(
  ctx: Context,
  filter: PriceFilterInput | null | undefined,
): Promise<PriceFilterInput | null | undefined> {
  const id = filter?.priceListId;
  if (id == null || !isId(id) || ctx.session?.hasDynamicPriceLists === false) return filter;
  const [list] = await readRows(
    ctx,
    { currency: column.text, ruleList: column.unknown },
    sql`
    select ${priceList.currency} as "currency", ${priceList.ruleList} as "ruleList" from ${priceList}
    where ${ownedBy(ctx, priceList)} and ${priceList.id} = ${id}::uuid and ${isDynamic(priceList)}`,
  );
  const computes = list !== undefined && priceFormulas(list.ruleList, list.currency).length > 0;
  return computes ? { ...filter, priceListId: NO_PRICE_LIST } : filter;
}
