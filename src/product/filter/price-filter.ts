import { type SQL, sql } from 'drizzle-orm';
import { productPrice } from '../../../drizzle/product-price.ts';
import { withoutRoundingError } from '../../values/decimal.ts';
import type { SqlScope } from '../../db/read/projection.ts';
import { exists } from '../../db/read/relations.ts';
import { isId, NO_ID } from '../../db/sql/id.ts';
import { idLiteral } from '../../db/sql/parameter.ts';
import type { PriceFilterInput } from '../../graphql/generated/types.ts';
import type { ProductRow } from './row-filter.ts';

/**
 * No price list has it. With null in its place PostgreSQL drops the table from the plan, and a cluster refuses the
 * statement.
 */
const UNUSED_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type Bound = 'gt' | 'gte' | 'lt' | 'lte';
const BOUNDS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Products of which a variant has a price within the bounds. */
export function priceFilter(row: ProductRow, scope: SqlScope, filter: PriceFilterInput | null | undefined): SQL[] {
  if (!filter) return [];
  const hasPrice = (where: (prices: typeof productPrice) => SQL[]): SQL =>
    exists(scope, productPrice, (prices) => [
      sql`${prices.productId} = ${row.id}`,
      sql`${prices.priceListId} = ${priceListLiteral(filter.priceListId)}`,
      ...where(prices),
    ]);
  const bounds = (Object.keys(BOUNDS) as Bound[]).filter((bound) => typeof filter[bound] === 'number');
  return [
    ...(bounds.length > 0 ? [hasPrice((prices) => withinBounds(prices, filter, bounds))] : []),
    ...(filter.isNull === true ? [sql`not ${hasPrice(() => [])}`] : []),
    ...(filter.isNull === false ? [hasPrice(() => [])] : []),
  ];
}

/** The price list as a literal, so that the plan knows it. No list has an id of wrong form. */
export function priceListLiteral(id: string | null | undefined): SQL {
  if (id == null) return idLiteral(NO_ID);
  return idLiteral(isId(id) && id !== NO_ID ? id : UNUSED_ID);
}

/**
 * The index serves the conditions on `lowest` and `highest`. Between these two there may be no price within the bounds,
 * so that the prices are compared too, if both sides have a bound.
 */
function withinBounds(
  { lowest, highest, prices }: typeof productPrice,
  filter: PriceFilterInput,
  bounds: Bound[],
): SQL[] {
  const compared = (price: SQL, bound: Bound): SQL =>
    sql`${price} ${sql.raw(`${BOUNDS[bound]} '${withoutRoundingError(filter[bound]!)}'::numeric`)}`;
  const lower = bounds.filter((bound) => bound === 'gt' || bound === 'gte');
  const upper = bounds.filter((bound) => bound === 'lt' || bound === 'lte');
  const needed = [
    ...lower.map((bound) => compared(sql`${highest}`, bound)),
    ...upper.map((bound) => compared(sql`${lowest}`, bound)),
  ];
  if (lower.length === 0 || upper.length === 0) return needed;
  const isWithin = bounds.map((bound) => compared(sql.raw('price'), bound));
  return [...needed, sql`exists (select from unnest(${prices}) as price where ${sql.join(isWithin, sql` and `)})`];
}
