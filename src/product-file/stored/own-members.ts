import type { Projection, Selection, TenantTable } from '../../db/read/projection.ts';
import {
  bulkUpdateProductHTMLMetaDataInput,
  type BulkUpdateProductHTMLMetaDataInput,
  productInput,
  type ProductInput,
  variantInput,
  type VariantInput,
} from '../../product/generated/product-input.ts';

/**
 * The members that a file has with the same name and value as the record. Left out here are members with ids of other
 * records, for which a file has names, and members with another shape in a file.
 */
export const productMembers = productInput.omit({
  id: true,
  version: true,
  deleted: true,
  releaseDate: true,
  brandId: true,
  categoryIds: true,
  tagIds: true,
  productVariantTypes: true,
  groupVariantsByVariantTypeId: true,
  dynamicPriceListIds: true,
  salesChannelIds: true,
  hiddenSalesChannelIds: true,
  salesChannels: true,
  attributes: true,
  metaData: true,
  variants: true,
}).shape;
export const variantMembers = variantInput.omit({
  id: true,
  deleted: true,
  prices: true,
  images: true,
  variantValueIds: true,
  attributes: true,
  bundleSettings: true,
}).shape;
/** The slug is the handle of a file. */
export const metaDataMembers = bulkUpdateProductHTMLMetaDataInput.omit({ slug: true }).shape;

type Members<Input, Name extends keyof Input> = { [Member in Name]-?: Exclude<Input[Member], undefined> };
export type ProductMembers = Members<ProductInput, keyof typeof productMembers>;
export type VariantMembers = Members<VariantInput, keyof typeof variantMembers>;
export type MetaDataMembers = Members<BulkUpdateProductHTMLMetaDataInput, keyof typeof metaDataMembers>;

/** The selection that reads the members. */
export function selectionOf(members: object): Selection {
  return Object.fromEntries(Object.keys(members).map((name) => [name, {}]));
}

/** The fields of a projection of the service, for the members that a file reads in the same way. */
export function sameFields<Type, Own, Table extends TenantTable>({ fields }: Projection<Own, Table>) {
  type Fields = Projection<Type, Table>['fields'];
  return fields as unknown as Pick<Fields, keyof Fields & keyof Own>;
}
