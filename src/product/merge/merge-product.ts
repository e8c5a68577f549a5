import type { StoredSalesChannel } from '../../../drizzle/product-values.ts';
import { product } from '../../../drizzle/product.ts';
import { newRowOf } from '../../db/write/saved-record.ts';
import { conflict, type InputPath } from '../../errors.ts';
import * as sdl from '../generated/product-input.ts';
import type { ProductInput } from '../input/product-input.ts';
import type { ProductRow, StoredProduct } from '../stored/stored-products.ts';
import type { ProductWrite } from '../stored/write-product-rows.ts';
import { storedAttributes } from './merge-variant.ts';
import { type MergedVariants, mergeVariants, type UnnamedVariants } from './merge-variants.ts';
import { everyMember, listStores, storedList, storedMembers, type Stores } from './stored-members.ts';

export type MergedProduct = ProductWrite & {
  /** See `MergedVariants.sent`. */
  sentVariants: MergedVariants['sent'];
};

const newProduct = newRowOf(product);

const salesChannel = everyMember<sdl.ProductSalesChannelInput>(sdl.productSalesChannelInput);
const STORES: Stores<ProductInput, ProductRow> = {
  ...listStores(product),
  productVariantTypes: (sent) =>
    storedList(sent, (type) => ({ ...type, variantValueIds: [...new Set(type.variantValueIds)] })),
  attributes: storedAttributes,
};

/** The product as it will be stored: members that were sent replace the stored ones. */
export function mergeProduct(
  input: ProductInput,
  stored: StoredProduct | undefined,
  unnamed: UnnamedVariants,
  path: InputPath,
): MergedProduct {
  refuseStaleVersion(input, stored);
  const { id: _id, version: _version, metaData: _metaData, deleted, variants, salesChannels, ...members } = input;
  const row = stored?.row ?? newProduct();
  const { sent, all } = mergeVariants(variants, stored?.variants ?? new Map(), unnamed, [...path, 'variants']);
  return {
    stored: stored?.row,
    row: {
      ...row,
      ...storedMembers<typeof members, ProductRow>(members, STORES),
      ...(salesChannels !== undefined && { salesChannels: mergeChannels(salesChannels, row.salesChannels) }),
      deleted: deleted ?? row.deleted,
    } as ProductRow,
    variants: all,
    sentVariants: sent,
  };
}

/** An entry without a status keeps the stored one. */
function mergeChannels(
  sent: readonly sdl.ProductSalesChannelInput[] | null,
  stored: StoredSalesChannel[] | null,
): StoredSalesChannel[] | null {
  const statuses = new Map(stored?.map(({ id, status }) => [id, status]));
  return storedList(sent, (entry) => ({
    ...salesChannel(entry),
    status: entry.status ?? statuses.get(entry.id) ?? 'VISIBLE',
  }));
}

function refuseStaleVersion({ version }: ProductInput, stored: StoredProduct | undefined): void {
  if (!stored || version === undefined || version === null || version === stored.row.version) return;
  throw conflict(`The product was saved by someone else: its version is ${stored.row.version}, not ${version}.`, {
    version: stored.row.version,
  });
}
