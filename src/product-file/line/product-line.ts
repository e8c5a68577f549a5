import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { productSalesChannelInput, type ProductSalesChannelInput } from '../../product/generated/product-input.ts';
import { everyMember } from '../../product/merge/stored-members.ts';
import { handleOf, type PortableProduct } from '../stored/portable-product.ts';
import { categoryPath } from '../stored/record-names.ts';
import { attributeEntries } from './attribute-entries.ts';
import { DELETED, omitted, type OnOmission, valueOrNull } from './omission.ts';
import { PAGE_MEMBERS, type PageMember, type ProductLine, productMembers } from './product-line-input.ts';
import type { NamedRecords } from './named-records.ts';
import { ownMembers, variantLines } from './variant-line.ts';
import type { WrittenTexts } from './written-texts.ts';

const channelSettings = everyMember<Omit<ProductSalesChannelInput, 'id'>>(productSalesChannelInput.omit({ id: true }));

type Written = {
  /** The texts that the file has already. Without it no texts are written. */
  texts?: WrittenTexts;
  omit?: OnOmission;
};

/** The line of a stored product. Members that no line can have are left out, and named by `omit`. */
export function lineOf(product: PortableProduct, records: NamedRecords, { texts, omit = ignore }: Written = {}) {
  const { row } = product.stored;
  const handle = handleOf(product);
  const categoryTexts = texts?.ofCategories(product.categories) ?? [];
  omitDeleted(product, records, omit);
  const channels = (member: 'salesChannelIds' | 'hiddenSalesChannelIds') =>
    valueOrNull(row[member].flatMap((id) => records.salesChannels.label(id) ?? omitted(omit, member)));
  return {
    handle,
    updatedAt: timeOf(product.updatedAt),
    stockUpdatedAt: product.stockUpdatedAt === null ? null : timeOf(product.stockUpdatedAt),
    ...ownMembers<ProductLine, keyof typeof productMembers>(row, productMembers),
    // An import uses the handle as the source id of a product that has none, so it need not be written.
    sourceId: row.sourceId === handle ? null : row.sourceId,
    brand: product.brand && { name: product.brand.name, ...texts?.ofBrand(product.brand) },
    categories: product.categories.map((category) => ({ name: categoryPath(category) })),
    ...(categoryTexts.length > 0 && { categoryTexts }),
    tags: product.tags,
    productVariantTypes: typesOf(product, texts),
    ...pageMembers(product),
    releaseDate: row.releaseDate,
    dynamicPriceLists: valueOrNull(
      row.dynamicPriceListIds.flatMap((id) => records.priceLists.label(id) ?? omitted(omit, 'dynamicPriceListIds')),
    ),
    salesChannels: channels('salesChannelIds'),
    hiddenSalesChannels: channels('hiddenSalesChannelIds'),
    salesChannelSettings: valueOrNull(
      (row.salesChannels ?? []).flatMap((channel) => {
        const salesChannel = records.salesChannels.label(channel.id);
        return salesChannel === undefined
          ? omitted(omit, 'salesChannels')
          : [{ salesChannel, ...channelSettings(channel) }];
      }),
    ),
    groupVariantsBy: product.groupVariantsBy,
    attributes: attributeEntries(row.attributes, records, omit),
    variants: variantLines(product.variants, records, omit),
  } satisfies ProductLine;
}

function ignore(): void {}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Names the references of a product that a file cannot have, because their records are deleted. */
function omitDeleted(product: PortableProduct, { priceLists }: NamedRecords, omit: OnOmission): void {
  const { brand, categories, tags, variants } = product;
  const { brandId, categoryIds, tagIds } = product.stored.row;
  if (brandId !== null && !brand) omit('brandId', DELETED);
  if (categories.length < categoryIds.length) omit('categoryIds', DELETED);
  if (tags.length < tagIds.length) omit('tagIds', DELETED);
  const isKnown = ({ priceListId }: StoredPrice): boolean => priceListId === null || !!priceLists.get(priceListId);
  if (variants.some(({ row }) => row.prices?.every(isKnown) === false)) omit('variants.prices', DELETED);
  if (variants.some(({ variantValues }) => variantValues.some(({ typeName }) => typeName === null)))
    omit('variants.variantValueIds', DELETED);
}

function typesOf({ variantTypes }: PortableProduct, texts: WrittenTexts | undefined) {
  return variantTypes.map(({ name, order, values }) => ({
    order,
    variantTypeName: name,
    variantValues: values.map((value) => ({ name: value.name, ...texts?.ofValue(name, value) })),
  }));
}

function pageMembers({ metaData }: PortableProduct): Pick<ProductLine, PageMember> {
  const members: Partial<Record<PageMember, unknown>> = {};
  for (const [name, member] of PAGE_MEMBERS) members[name] = valueOrNull(metaData?.[member]);
  return members as Pick<ProductLine, PageMember>;
}
