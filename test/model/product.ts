import { isDeepStrictEqual } from 'node:util';
import { storedPrice, withPrices } from './prices.ts';
import { withSlug } from './slugs.ts';
import {
  byId,
  canRefer,
  type ChannelSettings,
  merge,
  type Price,
  type Product,
  type Refusal,
  shown,
  type State,
  unknownIn,
  unless,
  type Variant,
  type Verdict,
  withRecord,
} from './state.ts';

export type PriceInput = Partial<Price>;
export type VariantInput = Partial<Omit<Variant, 'prices'>> & { prices?: PriceInput[] };
export type Members = Partial<
  Pick<Product, 'sourceId' | 'vendorId' | 'maxQuantityPerCart' | 'brandId' | 'deleted'> &
    Record<'tagIds' | 'categoryIds' | 'salesChannelIds' | 'hiddenSalesChannelIds', string[] | null> & {
      salesChannels: ChannelSettings[] | null;
    }
>;
/** `slug`: that of the metadata. */
export type SaveProduct = Members & {
  id?: string;
  name: string;
  version?: number;
  slug?: string;
  variants: VariantInput[];
};
export type PatchProduct = Members & { name?: string; slug?: string; variants?: VariantInput[] };

export const NEW_PRODUCT: Product = {
  id: '',
  name: '',
  sourceId: null,
  vendorId: null,
  maxQuantityPerCart: null,
  brandId: null,
  tagIds: [],
  categoryIds: [],
  salesChannelIds: [],
  hiddenSalesChannelIds: [],
  salesChannels: [],
  deleted: false,
  version: 0,
  variants: [],
};

const NEW_PRICE: Price = { sellPrice: 0, discountPrice: null, currency: null, priceListId: null };
const NEW_VARIANT = { sku: null, isActive: true, sellIfOutOfStock: null, deleted: false, prices: [] };

export function saveProduct(state: State, { id, version, variants, slug, ...members }: SaveProduct): Verdict {
  const stored = byId(state.products, id);
  const before = stored ?? NEW_PRODUCT;
  const refusals = [
    unknownIn(state.products, [id]),
    stored !== undefined && version !== undefined && version !== stored.version && ('CONFLICT' as const),
    ...membersRefused(state, before, members),
    ...variantsRefused(state, before, variants),
  ];
  return unless(refusals, (newId) => {
    const merged = merge(before, members);
    const sent = variants.map((variant, index) =>
      savedVariant(state, before, variant, () => newId(`variants.${index}.id`)),
    );
    const left = before.variants.filter((one) => !byId(sent, one.id)).map((one) => ({ ...one, deleted: true }));
    const product = { ...merged, id: stored?.id ?? newId('id'), variants: [...sent, ...left] };
    return withProduct(state, product, stored, slug);
  });
}

export function patchProduct(state: State, id: string, patch: PatchProduct, version?: number): Verdict {
  const stored = byId(state.products, id) ?? NEW_PRODUCT;
  const { variants = [], slug, ...members } = patch;
  const refusals = [
    unknownIn(state.products, [id]),
    version !== undefined && version !== stored.version && ('CONFLICT' as const),
    ...membersRefused(state, stored, members),
    ...variantsRefused(state, stored, variants),
  ];
  return unless(refusals, (newId) => {
    const patched = variants.map((one, index) => patchedVariant(state, stored, one, () => newId(`variants.${index}`)));
    const kept = stored.variants.map((one) => byId(patched, one.id) ?? one);
    const last = patched.filter(({ id, deleted }) => !deleted && byId(stored.variants, id)?.deleted !== false);
    const list = [...kept.filter((one) => !last.includes(one)), ...last];
    return withProduct(state, { ...merge(stored, members), variants: list }, stored, slug);
  });
}

export function deleteProducts(state: State, ids: readonly string[]): Verdict {
  return unless([unknownIn(state.products, ids)], () =>
    ids.reduce((after, id) => {
      const stored = byId(after.products, id)!;
      return withProduct(after, { ...stored, deleted: true }, stored);
    }, state),
  );
}

export function membersRefused(state: State, stored: Product, members: Members): (Refusal | false)[] {
  const { sourceId } = members;
  const isTaken = (other: Product) => other.id !== stored.id && other.sourceId === sourceId;
  // A reference that the product has in another member may be sent too.
  const channels = channelsOf(stored);
  const lists = [
    ['tag', members.tagIds, stored.tagIds],
    ['category', members.categoryIds, stored.categoryIds],
    ['channel', members.salesChannelIds, channels],
    ['channel', members.hiddenSalesChannelIds, channels],
    ['channel', members.salesChannels?.map(({ id }) => id), channels],
    ['brand', members.brandId && [members.brandId], stored.brandId === null ? [] : [stored.brandId]],
  ] as const;
  return [
    typeof sourceId === 'string' && state.products.some(isTaken) && 'CONFLICT',
    ...lists.map(([kind, ids, known]) => !canRefer(state, kind, ids || [], known) && ('NOT_FOUND' as const)),
  ];
}

export function channelsOf({ salesChannelIds, hiddenSalesChannelIds, salesChannels }: Product): string[] {
  return [...salesChannelIds, ...hiddenSalesChannelIds, ...salesChannels.map(({ id }) => id)];
}

/** `knowsDeleted`: whether references of deleted variants that the request does not name may be sent again. */
export function variantsRefused(
  state: State,
  product: Product,
  variants: readonly VariantInput[],
  knowsDeleted = false,
): (Refusal | false)[] {
  const ids = variants.flatMap(({ id }) => id ?? []);
  const known = listsOf(product.variants.filter(({ id, deleted }) => knowsDeleted || !deleted || ids.includes(id)));
  return [
    hasTwins(ids) && 'ARGUMENT_VALIDATION_ERROR',
    unknownIn(product.variants, ids),
    !canRefer(state, 'priceList', listsOf(variants), known) && 'NOT_FOUND',
    variants.some(({ id, prices = [] }) => {
      const lists = prices.map(({ priceListId = null }) => priceListId);
      const stored = byId(product.variants, id);
      const isUnpriced = (row: PriceInput) => row.sellPrice === undefined && !priceOf(stored, row);
      return hasTwins(lists) || (id === undefined && !lists.includes(null)) || prices.some(isUnpriced);
    }) && 'ARGUMENT_VALIDATION_ERROR',
  ];
}

/** The price lists of prices. */
export function listsOf(variants: readonly { prices?: PriceInput[] }[]): string[] {
  return variants.flatMap(({ prices = [] }) => prices.flatMap(({ priceListId }) => priceListId ?? []));
}

/** `isActive` and `deleted` have defaults also for a stored variant. */
function savedVariant(state: State, product: Product, input: VariantInput, newId: () => string): Variant {
  const prices = input.prices?.map((row) => ({ ...NEW_PRICE, ...row })) ?? [];
  return patchedVariant(state, product, { isActive: true, deleted: false, ...input, prices }, newId);
}

export function patchedVariant(
  state: State,
  product: Product,
  { id, prices: sent = [], ...members }: VariantInput,
  newId: () => string,
): Variant {
  const stored = byId(product.variants, id);
  const rows = sent.map((row): Price => {
    const before = priceOf(stored, row);
    return storedPrice(state, before, merge(before ?? NEW_PRICE, row));
  });
  const before = stored ?? { ...NEW_VARIANT, id: newId() };
  return { ...merge(before, members), prices: withPrices(before.prices, rows) };
}

export function priceOf(variant: Variant | undefined, { priceListId = null }: PriceInput): Price | undefined {
  return variant?.prices.find((price) => price.priceListId === priceListId);
}

/** `version` counts the changes: it stays if nothing is different, also of the metadata. */
export function withProduct(state: State, product: Product, stored: Product | undefined, slug?: string): State {
  const { slugs } = withSlug(state, product.id, product.name, slug);
  const isChanged = slugs !== state.slugs || !stored || !isDeepStrictEqual(written(product), written(stored));
  const version = (stored?.version ?? 0) + (isChanged ? 1 : 0);
  return { ...state, slugs, products: withRecord(state.products, { ...product, version }) };
}

/** The members that a save compares: those of deleted variants too, which have no order. */
function written(product: Product): object {
  const deleted = product.variants.filter((one) => one.deleted).map(comparableVariant);
  return { ...comparable(product), deletedVariants: deleted.toSorted((a, b) => a.id.localeCompare(b.id)) };
}

/** The members that a client sees, without what has no order. */
export function comparable(product: Product): object {
  const { version: _, ...members } = product;
  return { ...members, variants: shown(product.variants).map(comparableVariant) };
}

export function comparableVariant(variant: Variant): Variant {
  return { ...variant, prices: variant.prices.toSorted((a, b) => listOf(a).localeCompare(listOf(b))) };
}

function listOf({ priceListId }: Price): string {
  return priceListId ?? '';
}

export function hasTwins(list: readonly (string | null)[]): boolean {
  return new Set(list).size < list.length;
}
