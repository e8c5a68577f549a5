import { aliasedTable, type SQL, sql } from 'drizzle-orm';
import { product, type variant } from '../../../drizzle/product.ts';
import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { type DerivedMember, documents, selectedMembers } from '../../db/read/fields.ts';
import { type JsonExpression, PAGE, placeholder, type SqlScope } from '../../db/read/projection.ts';
import { type DeriveMember, selectObjectMembers } from '../../db/read/json-selection.ts';
import { addOnce, addSharedText } from '../../db/read/relations.ts';
import { listText, storedObjects } from '../../db/read/stored-list.ts';
import type { LowestPrice, ProductPrice } from '../../graphql/generated/types.ts';
import type { ComputedPrices } from './computed-prices.ts';
import { dynamicPriceLists } from './dynamic-price-lists.ts';
import { DEFAULT_DAYS, gap, isReduced, lowestPrice } from './lowest-price.ts';
import { currencyJoin, currencyMembers, type ShownPrice } from './price-currency.ts';
import { priceChanges } from './price-changes.ts';
import { priceHistories, type PriceHistories } from './price-history.ts';

/** `place`: the variant, if the selection needs it. */
type PlacedPrice = ShownPrice & { place?: VariantPlace };
type VariantPlace = { readonly productId: string; readonly variantId: string };

const derived: Record<string, DerivedMember<PlacedPrice>> = {
  ...currencyMembers,
  isComputed: () => (price) => price.computedBy !== undefined,
  lowestPriceBeforeReduction,
};

/** The saved prices of a variant. Events have them, and no members that they did not always have. */
export function savedPrices(row: typeof variant, scope: SqlScope): JsonExpression<ProductPrice[]> {
  return {
    ...(needsPlace(scope)
      ? placedPrices(row, scope)
      : documents<ProductPrice, PlacedPrice>(scope, row.prices, derived)),
    event: {
      kind: 'documents',
      column: row.prices,
      derive: currencyJoin,
      omitted: ['isComputed', 'lowestPriceBeforeReduction'],
    },
  };
}

/**
 * The saved prices, and those that the price lists of the product compute. Computed prices are not stored: a page reads
 * the rules once, and Node computes the prices of its variants.
 */
export function shownPrices(row: typeof variant, scope: SqlScope): JsonExpression<ProductPrice[]> {
  const place = dynamicPriceLists(scope);
  const members = selectedMembers<PlacedPrice>(scope, derived);
  const { dynamicPriceListIds } = aliasedTable(product, PAGE);
  const isPlaced = needsPlace(scope);
  // Postgres writes a uuid array as {id,id}.
  const text = sql`${dynamicPriceListIds}::text || ${savedText(row)}`;
  const stored = isPlaced ? sql`${placeText(row)} || ${text}` : text;
  return placeholder(scope, stored, (text, page) => {
    const start = text.indexOf('{');
    const end = text.indexOf('}');
    const saved = text.slice(end + 1);
    const lists = page.value(place) as ComputedPrices | null;
    if (lists === null && !isPlaced) return members.text(listText(saved), page);
    const rows = storedObjects<StoredPrice>(saved);
    const prices = lists === null ? rows : lists.shown(rows, text.slice(start + 1, end).split(','));
    const at = isPlaced ? { place: placeOf(text) } : {};
    return JSON.stringify(prices.map((price) => members.entry({ ...price, ...at }, page)));
  });
}

function savedText(row: typeof variant): SQL {
  return sql`coalesce(${row.prices}::text, '[]')`;
}

function needsPlace({ selection }: SqlScope): boolean {
  return Object.hasOwn(selection, 'lowestPriceBeforeReduction');
}

/** The saved prices, with their variant. */
function placedPrices(row: typeof variant, scope: SqlScope): JsonExpression<ProductPrice[]> {
  const members = selectedMembers<PlacedPrice>(scope, derived);
  return placeholder(scope, sql`${placeText(row)} || ${savedText(row)}`, (text, page) => {
    const prices = storedObjects<StoredPrice>(text.slice(2 * ID_LENGTH));
    return JSON.stringify(prices.map((price) => members.entry({ ...price, place: placeOf(text) }, page)));
  });
}

const ID_LENGTH = 36;

function placeText(row: typeof variant): SQL {
  return sql`${row.productId}::text || ${row.id}::text`;
}

function placeOf(text: string): VariantPlace {
  return { productId: text.slice(0, ID_LENGTH), variantId: text.slice(ID_LENGTH, 2 * ID_LENGTH) };
}

/** The histories of all prices of the page are read once. Nothing is looked up for a price without a reduction. */
function lowestPriceBeforeReduction(scope: SqlScope): DeriveMember<PlacedPrice> {
  const histories = addOnce(scope, 'histories of prices', () =>
    addSharedText(scope, priceChanges(scope, sql`select id from ${sql.identifier(PAGE)}`), priceHistories),
  );
  const currencyOf = currencyMembers.currency({ ...scope, selection: {} });
  const select = selectObjectMembers<LowestPrice>(scope.selection, {});
  return (price, page) => {
    if (!isReduced(price)) return null;
    if (price.computedBy) return select(gap('COMPUTED_PRICES'), page);
    const inheritedCurrency = currencyOf({ ...price, currency: null }, page) as string | null;
    const place = { ...price.place!, priceListId: price.priceListId ?? null, inheritedCurrency };
    const found = page.value(histories) as PriceHistories | null;
    if (found === null) return select(gap('TOO_MANY_CHANGES'), page);
    const lowest = lowestPrice(found.of(place, price), { days: DEFAULT_DAYS, beforeMs: null });
    return lowest && select(lowest, page);
  };
}
