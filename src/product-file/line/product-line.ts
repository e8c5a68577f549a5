import { productMembers } from '../stored/own-members.ts';
import { categoryPath, handleOf, type PortableProduct } from '../stored/portable-product.ts';
import { attributeEntries } from './attribute-entries.ts';
import { omitted, type OnOmission, valueOrNull } from './omission.ts';
import { PAGE_MEMBERS, type PageMember, type ProductLine } from './product-line-input.ts';
import type { StoreIds } from './store-ids.ts';
import { ownMembers, variantLines } from './variant-line.ts';
import { colorOf, type WrittenTexts } from './written-texts.ts';

type Written = {
  /** The texts that the file has already. Without it no texts are written. */
  texts?: WrittenTexts;
  omit?: OnOmission;
};

/** The line of a stored product. Members that no line can have are left out, and named by `omit`. */
export function lineOf(product: PortableProduct, records: StoreIds, { texts, omit = ignore }: Written = {}) {
  const handle = handleOf(product);
  const { brand, categoryTexts, colors } = texts?.of(product) ?? {};
  const channels = (member: 'salesChannelIds' | 'hiddenSalesChannelIds') =>
    valueOrNull(product[member].flatMap((id) => records.salesChannels.label(id) ?? omitted(omit, member)));
  return {
    handle,
    updatedAt: timeOf(product.updatedAt),
    stockUpdatedAt: product.stockUpdatedAt === null ? null : timeOf(product.stockUpdatedAt),
    ...ownMembers(product, productMembers),
    // An import uses the handle as the source id of a product that has none, so it need not be written.
    sourceId: product.sourceId === handle ? null : product.sourceId,
    brand: product.brand && { name: product.brand.name, ...brand },
    categories: product.categories.map((category) => ({ name: categoryPath(category) })),
    ...(categoryTexts && { categoryTexts }),
    tags: product.tags,
    productVariantTypes: typesOf(product, colors),
    ...pageMembers(product),
    releaseDate: product.releaseDate === null ? null : timeOf(product.releaseDate),
    dynamicPriceLists: valueOrNull(
      product.dynamicPriceListIds.flatMap((id) => records.priceLists.label(id) ?? omitted(omit, 'dynamicPriceListIds')),
    ),
    salesChannels: channels('salesChannelIds'),
    hiddenSalesChannels: channels('hiddenSalesChannelIds'),
    salesChannelSettings: valueOrNull(
      product.salesChannels.flatMap(({ id, ...settings }) => {
        const salesChannel = records.salesChannels.label(id);
        return salesChannel === undefined ? omitted(omit, 'salesChannels') : [{ salesChannel, ...settings }];
      }),
    ),
    groupVariantsBy: product.groupVariantsBy?.name ?? null,
    attributes: attributeEntries(product.attributes, records, omit),
    variants: variantLines(product.variants, records, omit),
  } satisfies ProductLine;
}

function ignore(): void {}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

function typesOf({ variantTypes }: PortableProduct, colors: Record<string, Record<string, string>> | undefined) {
  return variantTypes.map(({ name: variantTypeName, order, values }) => ({
    order,
    variantTypeName,
    variantValues: values.map(({ name }) => {
      const colorCode = colorOf(colors, variantTypeName, name);
      return { name, ...(colorCode !== undefined && { colorCode }) };
    }),
  }));
}

function pageMembers({ metaData }: PortableProduct): Pick<ProductLine, PageMember> {
  const members = Array.from(PAGE_MEMBERS, ([name, member]) => [name, valueOrNull(metaData?.[member])]);
  return Object.fromEntries(members) as Pick<ProductLine, PageMember>;
}
