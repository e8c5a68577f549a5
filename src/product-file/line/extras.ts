import type { StoredAttributeValue, StoredBundle, StoredSalesChannel } from '../../../drizzle/product-values.ts';
import { isId } from '../../db/sql/id.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import type { AttributeRow, ReferenceLabels } from './record-labels.ts';

/** Members of a product that the columns of a sheet do not have, with labels instead of ids. Null if empty. */
export type ProductExtras = {
  baseUnit: object | null;
  translations: object[] | null;
  releaseDate: string | null;
  productOptionSetId: string | null;
  productVolumeDiscountId: string | null;
  subscriptionPlanId: string | null;
  dynamicPriceLists: string[] | null;
  salesChannels: string[] | null;
  hiddenSalesChannels: string[] | null;
  salesChannelSettings: ChannelSettings[] | null;
  groupVariantsBy: string | null;
  attributes: AttributeEntry[] | null;
  canonicals: string[] | null;
  disableIndex: boolean | null;
  redirectTo: string | null;
  metadataOverrides: object[] | null;
  metadataTranslations: object[] | null;
};

export type VariantExtras = {
  unit: object | null;
  fileId: string | null;
  subscriptionPlanId: string | null;
  attributes: AttributeEntry[] | null;
  bundle: BundleEntry | null;
};

export type ChannelSettings = Omit<StoredSalesChannel, 'id'> & { salesChannel: string };
/** An attribute is found by name; a missing one is created with the type, and the table of the type TABLE. */
export type AttributeEntry = {
  attribute: string;
  type: string;
  tableTemplate?: object;
  option?: string;
  value?: string;
};
export type BundleEntry = Omit<StoredBundle, 'products'> & { products: BundleEntryProduct[] };
/** `product` is a handle; `variants` are the keys of the variants that may be chosen. */
export type BundleEntryProduct = Omit<StoredBundle['products'][number], 'productId' | 'filteredVariantIds'> & {
  product: string;
  variants: string[];
};

/** Called with a member that cannot be written, and the reason. */
export type OnOmission = (member: string, reason: string) => void;

const DELETED = 'refers to a deleted record';

export function productExtras(product: PortableProduct, labels: ReferenceLabels, omit: OnOmission): ProductExtras {
  const { metaData } = product;
  const channels = (member: 'salesChannelIds' | 'hiddenSalesChannelIds') =>
    listOf(product[member].flatMap((id) => labels.salesChannels.label(id) ?? omitted(omit, member)));
  return {
    baseUnit: product.baseUnit,
    translations: listOf(product.translations),
    releaseDate: product.releaseDate === null ? null : new Date(product.releaseDate).toISOString(),
    productOptionSetId: product.productOptionSetId,
    productVolumeDiscountId: product.productVolumeDiscountId,
    subscriptionPlanId: product.subscriptionPlanId,
    dynamicPriceLists: listOf(
      product.dynamicPriceListIds.flatMap((id) => labels.priceLists.label(id) ?? omitted(omit, 'dynamicPriceListIds')),
    ),
    salesChannels: channels('salesChannelIds'),
    hiddenSalesChannels: channels('hiddenSalesChannelIds'),
    salesChannelSettings: listOf(
      product.salesChannels.flatMap(({ id, ...settings }) => {
        const salesChannel = labels.salesChannels.label(id);
        return salesChannel === undefined ? omitted(omit, 'salesChannels') : [{ salesChannel, ...settings }];
      }),
    ),
    groupVariantsBy: product.groupVariantsBy?.name ?? null,
    attributes: attributeEntries(product.attributes, labels, omit),
    canonicals: listOf(metaData?.canonicals),
    disableIndex: metaData?.disableIndex ?? null,
    redirectTo: metaData?.redirectTo ?? null,
    metadataOverrides: listOf(metaData?.metadataOverrides as object[] | null | undefined),
    metadataTranslations: listOf(metaData?.translations as object[] | null | undefined),
  };
}

export function variantExtras(variant: PortableVariant, labels: ReferenceLabels, omit: OnOmission): VariantExtras {
  return {
    unit: variant.unit,
    fileId: variant.fileId,
    subscriptionPlanId: variant.subscriptionPlanId,
    attributes: attributeEntries(variant.attributes, labels, omit),
    bundle: variant.bundle && bundleEntry(variant.bundle, labels, omit),
  };
}

function omitted(omit: OnOmission, member: string, reason = DELETED): [] {
  omit(member, reason);
  return [];
}

function listOf<Entry>(list: readonly Entry[] | null | undefined): Entry[] | null {
  return list && list.length > 0 ? [...list] : null;
}

function attributeEntries(
  values: readonly StoredAttributeValue[],
  { attributes }: ReferenceLabels,
  omit: OnOmission,
): AttributeEntry[] | null {
  return listOf(
    values.flatMap((value) => {
      const attribute = attributes.get(value.productAttributeId ?? '');
      if (!attribute) return omitted(omit, 'attributes');
      if ((value.imageIds ?? []).length > 0) omit('attributes', `has images of the attribute ${attribute.name}`);
      return attributeEntry(value, attribute) ?? omitted(omit, 'attributes', `has ids as ${attribute.name}`);
    }),
  );
}

/** The value for a file; undefined if it refers to records by their ids, which do not exist in another shop. */
function attributeEntry(stored: StoredAttributeValue, attribute: AttributeRow): AttributeEntry | undefined {
  const { productAttributeOptionId: optionId, value } = stored;
  const option = attribute.options.find(({ id }) => id === optionId);
  if ((optionId !== null && !option) || hasIds(value, attribute)) return undefined;
  return {
    attribute: attribute.name,
    type: attribute.type,
    ...(attribute.tableTemplate && { tableTemplate: attribute.tableTemplate }),
    ...(option && { option: option.name }),
    ...(value !== null && { value }),
  };
}

const FREE_TEXT: ReadonlySet<string> = new Set(['HTML', 'TEXT', 'TABLE']);

function hasIds(value: string | null, { type }: AttributeRow): boolean {
  return value !== null && !FREE_TEXT.has(type) && value.split(/[,;|\s"[\]]+/).some(isId);
}

function bundleEntry(bundle: StoredBundle, { bundled }: ReferenceLabels, omit: OnOmission): BundleEntry {
  const products = bundle.products.flatMap(({ productId, filteredVariantIds, ...settings }): BundleEntryProduct[] => {
    const product = bundled.get(productId);
    if (!product) return omitted(omit, 'bundleSettings');
    const keys = new Map(product.variants.map(({ id, key }) => [id, key]));
    const variants = filteredVariantIds.flatMap((id) => keys.get(id) ?? omitted(omit, 'bundleSettings'));
    return [{ ...settings, product: product.handle, variants }];
  });
  return { ...bundle, products };
}
