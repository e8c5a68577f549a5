import { type SQL, sql } from 'drizzle-orm';
import { productStockLocation } from '../../../drizzle/product-stock-location.ts';
import { variant } from '../../../drizzle/product.ts';
import { stockLocation } from '../../../drizzle/stock.ts';
import { nullCondition, positiveConditions, type StringFilter } from '../../db/filter/filter.ts';
import { idLiteralMatcher } from '../../db/filter/matcher.ts';
import { aliased, type SqlScope } from '../../db/read/projection.ts';
import { exists } from '../../db/read/relations.ts';
import { idLiterals, ownedBy } from '../../db/sql/parameter.ts';
import type { StockFilterInput } from '../../graphql/generated/types.ts';
import { heldCount } from '../../stock/hold/held-count.ts';
import { type Filter, hasVariant, type ProductRow, rowFilter, valueCondition } from './row-filter.ts';

type StockRow = typeof productStockLocation;

/** Products with a stock count at a location, however large the count is. */
export function locationFilter(row: ProductRow, scope: SqlScope, filter: Filter): SQL[] {
  if (!filter) return [];
  // The count that is found meets the first condition. The others may be met by other counts of its variant.
  const isAtLocation = (wanted: StringFilter): SQL => {
    const at = (stock: StockRow): SQL[] => positiveConditions(idLiteralMatcher(stock.stockLocationId), wanted);
    return hasCount(row, scope, (stock) =>
      at(stock).map((condition, n) => (n === 0 ? condition : hasOther(stock, scope, (other) => at(other)[n]!))),
    );
  };
  return [
    ...rowFilter(filter, isAtLocation),
    ...valueCondition(
      filter,
      isAtLocation({}),
      hasVariant(row, scope, () => []),
    ),
  ];
}

/**
 * Products of which a variant has more than 0 pieces at one of the locations, or, with `inStock: false`, of which none
 * has.
 */
export function stockFilter(row: ProductRow, scope: SqlScope, filter: StockFilterInput | null | undefined): SQL[] {
  if (!filter) return [];
  const { inStock, isAvailable, stockLocationIds } = filter;
  const ofLocations = (stock: StockRow): SQL[] =>
    stockLocationIds ? [sql`${stock.stockLocationId} = any(${idLiterals(stockLocationIds, 'uuid')})`] : [];
  const isInStock = hasCount(row, scope, (stock) => [sql`${stock.stockCount} > 0`, ...ofLocations(stock)]);
  const hasAvailable = (): SQL =>
    hasCount(row, scope, (stock) => [sql`${stock.stockCount} > ${heldCount(stock, scope)}`, ...ofLocations(stock)]);
  return [
    ...(typeof isAvailable === 'boolean' ? [isAvailable ? hasAvailable() : sql`not ${hasAvailable()}`] : []),
    ...(typeof inStock === 'boolean' ? [inStock ? isInStock : sql`not ${isInStock}`] : []),
    ...nullCondition(sql`not ${hasCount(row, scope, ofLocations)}`, filter),
  ];
}

function hasCount(row: ProductRow, scope: SqlScope, where: (stock: StockRow) => SQL[]): SQL {
  return exists(scope, productStockLocation, (stock) => [
    sql`${stock.productId} = ${row.id}`,
    ...isOpen(stock, scope),
    exists(scope, variant, (variant) => [sql`${variant.id} = ${stock.variantId}`, sql`not ${variant.deleted}`]),
    ...where(stock),
  ]);
}

function hasOther(stock: StockRow, scope: SqlScope, condition: (other: StockRow) => SQL): SQL {
  return exists(scope, productStockLocation, (other) => [
    sql`${other.variantId} = ${stock.variantId}`,
    ...isOpen(other, scope),
    condition(other),
  ]);
}

/** Whether neither the count nor its location is deleted. */
function isOpen(stock: StockRow, scope: SqlScope): SQL[] {
  return [sql`not ${stock.deleted}`, sql`${stock.stockLocationId} = any(${openLocations(scope)})`];
}

/** An array, which is read once. Joined, Postgres would expect few matches and read all products and stock counts. */
function openLocations(scope: SqlScope): SQL {
  const { row, from } = aliased(scope, stockLocation);
  return sql`array(select ${row.id} from ${from} where ${ownedBy(scope.tenant, row)} and not ${row.deleted})`;
}
