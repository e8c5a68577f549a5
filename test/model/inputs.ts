import fc from 'fast-check';
import { type BulkEntry, bulkProduct } from './bulk.ts';
import { type BulkChoice, type Members, NOWHERE, slot, type VariantChoice } from './choices.ts';
import { withShownPrices } from './prices.ts';
import { priceOf } from './product.ts';
import { byId, type Kind, shown, type Place, type Product, type State } from './state.ts';

const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000';

export function idAt(list: readonly { id: string }[], slot: number): string {
  return slot === NOWHERE || list.length === 0 ? UNKNOWN_ID : list[slot % list.length]!.id;
}

/** Mostly a place that has a count, so that changes of counts meet. */
export const place = fc.record({
  count: fc.option(slot, { nil: null, freq: 3 }),
  product: slot,
  variant: slot,
  location: slot,
});

export function placeAt(
  { stocks, products, named }: State,
  { count, product, variant, location }: Record<'product' | 'variant' | 'location', number> & { count: number | null },
): Place {
  const stored = count === null || count === NOWHERE ? undefined : stocks[count % stocks.length];
  if (stored) return placeIds(stored);
  const productId = idAt(products, product);
  const variantId = idAt(byId(products, productId)?.variants ?? [], variant);
  return { productId, variantId, stockLocationId: idAt(named.location, location) };
}

function placeIds({ productId, variantId, stockLocationId }: Place): Place {
  return { productId, variantId, stockLocationId };
}

/** Without the members that are undefined. */
export function defined<T extends object>(members: T): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}

export function memberInputs(state: State, { brand, tags, categories, channels, hidden, settings, ...plain }: Members) {
  const ids = (kind: Kind, chosen: readonly number[] | null | undefined) => chosen && idsAt(state.named[kind], chosen);
  const inChannels = ({ channel, ...members }: NonNullable<typeof settings>[number]) =>
    idsAt(state.named.channel, [channel]).map((id) => ({ id, ...members }));
  return {
    ...plain,
    brandId: typeof brand === 'number' ? (idsAt(state.named.brand, [brand])[0] ?? null) : brand,
    tagIds: ids('tag', tags),
    categoryIds: ids('category', categories),
    salesChannelIds: ids('channel', channels),
    hiddenSalesChannelIds: ids('channel', hidden),
    salesChannels: settings && distinct(settings.flatMap(inChannels), ({ id }) => id, false),
  };
}

/** None if there are none: nearly all requests would be refused. */
function idsAt(list: readonly { id: string }[], slots: readonly number[]): string[] {
  return list.length === 0 ? [] : [...new Set(slots.map((one) => idAt(list, one)))];
}

export function variantInputs(
  state: State,
  product: Product | undefined,
  variants: readonly VariantChoice[],
  mayRepeat: boolean,
) {
  const inputs = variants.map((one) => variantInput(state, product, one, mayRepeat));
  return distinct(inputs, ({ id }, index) => id ?? `new ${index}`, mayRepeat);
}

/** A new variant is never sent as deleted: clients would not learn its id. */
function variantInput(
  state: State,
  product: Product | undefined,
  { slot, prices = [], deleted, ...members }: VariantChoice,
  mayRepeat: boolean,
) {
  const id = slot === null || !product ? undefined : idAt(product.variants, slot);
  const stored = byId(product?.variants ?? [], id);
  const read = stored && withShownPrices(state, stored);
  const rows = prices.map(({ priceList, isAsRead, ...row }) => {
    const priceListId = priceList === null ? null : idAt(state.named.priceList, priceList);
    return (isAsRead && priceOf(read, { priceListId })) || { ...row, priceListId };
  });
  const hasBase = rows.some(({ priceListId }) => priceListId === null);
  const sent = id === undefined && !hasBase ? [...rows, { priceListId: null }] : rows;
  return defined({
    id,
    ...members,
    deleted: id === undefined ? undefined : deleted,
    prices: distinct(sent, ({ priceListId }) => priceListId, mayRepeat).map((row) =>
      id === undefined ? { sellPrice: 5, ...row } : row,
    ),
  });
}

export function bulkEntryOf(
  state: State,
  { find, slot, sourceId, settings, brand, tags, categories, variants, ...members }: BulkChoice,
): BulkEntry {
  const key = find === 'id' ? { id: idAt(state.products, slot) } : find === 'sourceId' ? { sourceId } : {};
  const stored = bulkProduct(state, key);
  const names = categories ?? stored?.categoryIds.map((own) => byId(state.named.category, own)!.name) ?? [];
  return defined({
    ...key,
    ...members,
    salesChannels: memberInputs(state, { settings }).salesChannels,
    brand: brand && { name: brand },
    tags: tags?.map((name) => ({ name })),
    categories: names.map((name) => ({ name: [name] })),
    variants: bulkVariants(state, stored, variants),
  });
}

/** Variants of the product that are not deleted, or new ones of a new product. */
function bulkVariants(state: State, product: Product | undefined, variants: readonly VariantChoice[]) {
  const live = product && { ...product, variants: shown(product.variants) };
  const sent = variantInputs(state, live, variants, false).filter(({ id }) => (id === undefined) === !product);
  return sent.map(withWholePrices);
}

/** As `BulkUpdateProductsInput` wants it: a price has its currency under another name. */
export function asBulkInput(entry: BulkEntry): object {
  const variants = entry.variants.map(({ prices = [], ...variant }) => ({
    ...variant,
    prices: prices.map(({ currency, ...price }) => defined({ ...price, currencyCode: currency })),
  }));
  return { ...entry, variants, type: 'PHYSICAL', productVariantTypes: [] };
}

/** With the slug in the metadata. */
export function withPage({ slug, ...input }: Record<string, unknown>): object {
  return slug === undefined ? input : { ...input, metaData: { slug } };
}

/** Without entries that have the key of an earlier one. */
export function distinct<T>(
  list: readonly T[],
  key: (entry: T, index: number) => string | null,
  mayRepeat: boolean,
): T[] {
  const keys = list.map(key);
  return list.filter((_, index) => mayRepeat || keys.indexOf(keys[index]!) === index);
}

/** As `ProductInput` wants them: the list of prices is required, and so is the price of a row. */
export function withWholePrices<T extends { prices?: { sellPrice?: number; priceListId: string | null }[] }>(
  variant: T,
) {
  return { ...variant, prices: (variant.prices ?? []).map((row) => ({ sellPrice: 5, ...row })) };
}
