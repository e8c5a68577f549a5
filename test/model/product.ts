import { isDeepStrictEqual } from 'node:util';
import { storedPrice, withPrices } from './prices.ts';
import { withSlug } from './slugs.ts';
import {
  byId,
  canRefer,
  type ChannelSettings,
  type Price,
  type Product,
  type Refusal,
  refusedWith,
  type State,
  type Variant,
  type Verdict,
  withRecord,
} from './state.ts';

export type PriceInput = Partial<Price>;
export type VariantInput = {
  id?: string;
  sku?: string | null;
  isActive?: boolean;
  sellIfOutOfStock?: boolean | null;
  deleted?: boolean;
  prices?: PriceInput[];
};
export type Members = Partial<
  Pick<Product, 'sourceId' | 'vendorId' | 'maxQuantityPerCart' | 'brandId' | 'deleted'> &
    Record<'tagIds' | 'categoryIds' | 'salesChannelIds' | 'hiddenSalesChannelIds', string[] | null> & {
      salesChannels: ChannelSettings[] | null;
    }
>;
export type SaveProduct = Members & { id?: string; name: string; version?: number; variants: VariantInput[] };
export type PatchProduct = Members & { name?: string; variants?: VariantInput[] };

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

export function saveProduct(state: State, { id, version, variants, ...members }: SaveProduct): Verdict {
  const stored = id === undefined ? undefined : byId(state.products, id);
  const before = stored ?? NEW_PRODUCT;
  const refused = refusedWith(
    id !== undefined && !stored && 'NOT_FOUND',
    stored !== undefined && version !== undefined && version !== stored.version && 'CONFLICT',
    ...membersRefused(state, before, members),
    ...variantsRefused(state, before, variants),
  );
  if (refused) return refused;
  return {
    settle: (newId) => {
      const merged = merge(before, members);
      const sent = variants.map((variant, index) =>
        savedVariant(state, before, variant, () => newId(`variants.${index}.id`)),
      );
      const left = before.variants
        .filter((one) => !sent.some((other) => other.id === one.id))
        .map((one) => ({ ...one, deleted: true }));
      return withProduct(state, { ...merged, id: stored?.id ?? newId('id'), variants: [...sent, ...left] }, stored);
    },
  };
}

export function patchProduct(state: State, id: string, patch: PatchProduct, version?: number): Verdict {
  const found = byId(state.products, id);
  const stored = found ?? NEW_PRODUCT;
  const { variants = [], ...members } = patch;
  const refused = refusedWith(
    !found && 'NOT_FOUND',
    version !== undefined && version !== stored.version && 'CONFLICT',
    ...membersRefused(state, stored, members),
    ...variantsRefused(state, stored, variants),
  );
  if (refused) return refused;
  return {
    settle: (newId) => {
      const patched = variants.map((variant, index) => {
        const before = variant.id === undefined ? undefined : byId(stored.variants, variant.id);
        const value = patchedVariant(state, stored, variant, () => newId(`variants.${index}`));
        return { value, isLast: !value.deleted && before?.deleted !== false };
      });
      const kept = stored.variants.map((one) => patched.find(({ value }) => value.id === one.id)?.value ?? one);
      const last = patched.filter(({ isLast }) => isLast).map(({ value }) => value);
      const list = [...kept.filter((one) => !last.includes(one)), ...last];
      return withProduct(state, { ...merge(stored, members), variants: list }, stored);
    },
  };
}

export function deleteProducts(state: State, ids: readonly string[]): Verdict {
  return (
    refusedWith(ids.some((id) => !byId(state.products, id)) && 'NOT_FOUND') ?? {
      settle: () =>
        ids.reduce((after, id) => {
          const stored = byId(after.products, id)!;
          return withProduct(after, { ...stored, deleted: true }, stored);
        }, state),
    }
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
  const shown = product.variants.filter(({ id, deleted }) => knowsDeleted || !deleted || ids.includes(id));
  const known = shown.flatMap(({ prices }) => prices.flatMap(({ priceListId }) => priceListId ?? []));
  return [
    hasTwins(ids) && 'ARGUMENT_VALIDATION_ERROR',
    ids.some((id) => !byId(product.variants, id)) && 'NOT_FOUND',
    ...variants.flatMap(({ id, prices = [] }) => {
      const stored = id === undefined ? undefined : byId(product.variants, id);
      const lists = prices.map(({ priceListId = null }) => priceListId);
      return [
        hasTwins(lists) && ('ARGUMENT_VALIDATION_ERROR' as const),
        id === undefined && !lists.includes(null) && ('ARGUMENT_VALIDATION_ERROR' as const),
        !canRefer(
          state,
          'priceList',
          lists.filter((one) => one !== null),
          known,
        ) && ('NOT_FOUND' as const),
        prices.some(
          ({ sellPrice, priceListId = null }) =>
            sellPrice === undefined && !stored?.prices.some((price) => price.priceListId === priceListId),
        ) && ('ARGUMENT_VALIDATION_ERROR' as const),
      ];
    }),
  ];
}

/** A member that is left out keeps its value; null clears it, of a list too. */
export function merge(stored: Product, members: Members & { name?: string }): Product {
  const sent = Object.entries(members).filter(([, value]) => value !== undefined);
  return {
    ...stored,
    ...Object.fromEntries(
      sent.map(([member, value]) => [
        member,
        value === null && Array.isArray(stored[member as keyof Product]) ? [] : value,
      ]),
    ),
  };
}

/** `isActive` and `deleted` have defaults also for a stored variant. */
function savedVariant(state: State, product: Product, input: VariantInput, newId: () => string): Variant {
  const empty = { sellPrice: 0, discountPrice: null, currency: null, priceListId: null };
  const prices = input.prices?.map((row) => ({ ...empty, ...row })) ?? [];
  return patchedVariant(state, product, { isActive: true, deleted: false, ...input, prices }, newId);
}

export function patchedVariant(state: State, product: Product, input: VariantInput, newId: () => string): Variant {
  const stored = input.id === undefined ? undefined : byId(product.variants, input.id);
  const rows = (input.prices ?? []).map((row): Price => {
    const { priceListId = null } = row;
    const before = stored?.prices.find((price) => price.priceListId === priceListId);
    return storedPrice(state, before, {
      sellPrice: row.sellPrice ?? before!.sellPrice,
      discountPrice: keptOr(row.discountPrice, before?.discountPrice),
      currency: keptOr(row.currency, before?.currency),
      priceListId,
    });
  });
  return {
    id: stored?.id ?? newId(),
    sku: keptOr(input.sku, stored?.sku),
    isActive: input.isActive ?? stored?.isActive ?? true,
    sellIfOutOfStock: keptOr(input.sellIfOutOfStock, stored?.sellIfOutOfStock),
    deleted: input.deleted ?? stored?.deleted ?? false,
    prices: withPrices(stored?.prices ?? [], rows),
  };
}

function keptOr<T>(sent: T | undefined, stored: T | null | undefined): T | null {
  return sent === undefined ? (stored ?? null) : sent;
}

/** `version` counts the changes: it stays if nothing is different. */
export function withProduct(state: State, product: Product, stored: Product | undefined): State {
  const isChanged = !stored || !isDeepStrictEqual(written(product), written(stored));
  const version = (stored?.version ?? 0) + (isChanged ? 1 : 0);
  const after = { ...state, products: withRecord(state.products, { ...product, version }) };
  return withSlug(after, product.id, product.name);
}

/** The members that a save compares: those of deleted variants too, which have no order. */
function written(product: Product): object {
  const deleted = product.variants.filter((one) => one.deleted).map(comparableVariant);
  return { ...comparable(product), deletedVariants: deleted.toSorted((a, b) => a.id.localeCompare(b.id)) };
}

/** The members that a client sees, without what has no order. */
export function comparable(product: Product): object {
  const { version: _, ...members } = product;
  return { ...members, variants: product.variants.filter(({ deleted }) => !deleted).map(comparableVariant) };
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
