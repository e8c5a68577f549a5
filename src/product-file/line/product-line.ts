import type { StoredPrice } from '../../../drizzle/product-values.ts';
import { productSalesChannelInput, type ProductSalesChannelInput } from '../../product/generated/product-input.ts';
import { everyMember } from '../../product/merge/stored-members.ts';
import type { ProductRow } from '../../product/stored/stored-products.ts';
import { handleOf, hasRemovedValue, type PortableProduct } from '../stored/portable-product.ts';
import { categoryPath, live } from '../stored/record-names.ts';
import { attributeEntries } from './attribute-entries.ts';
import { DELETED, omitted, type OnOmission, valueOrNull } from './omission.ts';
import {
  PAGE_MEMBERS,
  type PageMember,
  type ProductLine,
  productMembers,
  type TypeLine,
} from './product-line-input.ts';
import { LABEL_LISTS, type LabelList, type NamedRecords } from './named-records.ts';
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
  const { names, stored } = product;
  const { row } = stored;
  const handle = handleOf(product);
  const [brand] = present(names.brands, [row.brandId], () => omit('brandId', DELETED));
  const categories = present(names.categories, row.categoryIds, () => omit('categoryIds', DELETED)).map((category) =>
    categoryPath(category, names),
  );
  const categoryTexts = categories.flatMap((path) => texts?.ofCategories(path) ?? []);
  const tags = present(names.tags, row.tagIds, () => omit('tagIds', DELETED));
  omitDeleted(product, records, omit);
  return {
    handle,
    updatedAt: timeOf(product.updatedAt),
    stockUpdatedAt: product.stockUpdatedAt === null ? null : timeOf(product.stockUpdatedAt),
    ...ownMembers<ProductLine, keyof typeof productMembers>(row, productMembers),
    // An import uses the handle as the source id of a product that has none, so it need not be written.
    sourceId: row.sourceId === handle ? null : row.sourceId,
    brand: brand ? { name: brand.name, ...texts?.ofBrand(brand) } : null,
    categories: categories.map((path) => ({ name: path.map(({ name }) => name) })),
    ...(categoryTexts.length > 0 && { categoryTexts }),
    tags: tags.map(({ name }) => ({ name })),
    productVariantTypes: typesOf(product, texts),
    ...pageMembers(product),
    releaseDate: row.releaseDate,
    ...labelLists(row, records, omit),
    salesChannelSettings: valueOrNull(
      (row.salesChannels ?? []).flatMap((channel) => {
        const salesChannel = records.salesChannels.label(channel.id);
        return salesChannel === undefined
          ? omitted(omit, 'salesChannels')
          : [{ salesChannel, ...channelSettings(channel), status: channel.status }];
      }),
    ),
    groupVariantsBy: live(names.variantTypes, row.groupVariantsByVariantTypeId)[0]?.name ?? null,
    attributes: attributeEntries(row.attributes, records, omit),
    variants: variantLines(product.variants, records, omit),
  } satisfies ProductLine;
}

/** The records that are not deleted. Tells once if there are others. */
function present<Row extends { deleted: boolean }>(
  rows: ReadonlyMap<string, Row>,
  ids: readonly (string | null)[],
  onDeleted: () => void,
): Row[] {
  const found = live(rows, ...ids);
  if (found.length < ids.filter((id) => id !== null).length) onDeleted();
  return found;
}

function ignore(): void {}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Names what the variants of a product have and a file cannot, because the records are deleted. */
function omitDeleted({ variants }: PortableProduct, { priceLists }: NamedRecords, omit: OnOmission): void {
  const isKnown = ({ priceListId }: StoredPrice): boolean => priceListId === null || !!priceLists.get(priceListId);
  if (variants.some(({ row }) => row.prices?.every(isKnown) === false)) omit('variants.prices', DELETED);
  if (variants.some(hasRemovedValue)) omit('variants.variantValueIds', DELETED);
}

function typesOf({ stored: { row }, names }: PortableProduct, texts: WrittenTexts | undefined): TypeLine[] {
  return (row.productVariantTypes ?? []).flatMap(({ variantTypeId, order, variantValueIds }) =>
    live(names.variantTypes, variantTypeId).map(({ name }) => ({
      order,
      variantTypeName: name,
      variantValues: live(names.variantValues, ...variantValueIds).map((value) => ({
        name: value.name,
        ...texts?.ofValue(name, value),
      })),
    })),
  );
}

function labelLists(row: ProductRow, records: NamedRecords, omit: OnOmission): Pick<ProductLine, LabelList> {
  const lists: Partial<Pick<ProductLine, LabelList>> = {};
  for (const { list, ids, kind } of LABEL_LISTS)
    lists[list] = valueOrNull(row[ids].flatMap((id) => records[kind].label(id) ?? omitted(omit, ids)));
  return lists as Pick<ProductLine, LabelList>;
}

function pageMembers({ metaData }: PortableProduct): Pick<ProductLine, PageMember> {
  const members: Partial<Record<PageMember, unknown>> = {};
  for (const [name, member] of PAGE_MEMBERS) members[name] = valueOrNull(metaData?.[member]);
  return members as Pick<ProductLine, PageMember>;
}
