import { z } from 'zod';
import { productAttributeTypeEnum } from '../../../drizzle/generated/enums.ts';
import { list, withElement } from '../../field-input.ts';
import { DEFAULT_LIST_SIZE } from '../../limits/list-size.ts';
import { normalizedName } from '../../values/text.ts';
import { bulkProductsInput } from '../../product/bulk/bulk-products-input.ts';
import {
  bulkUpdateProductHTMLMetaDataInput,
  bulkUpdateProductImageInput,
  bulkUpdateProductPriceInput,
  bulkUpdateProductStockInput,
  productAttributeValueInput,
  productInput,
  variantInput,
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
const metaDataMembers = bulkUpdateProductHTMLMetaDataInput.omit({ slug: true, deleted: true }).shape;

/** The members of `metaData` that have other names in a line, because the product has members of the same names. */
const PAGE_NAMES = { description: 'pageDescription', translations: 'metadataTranslations' } as const;
type PageName<Member> = Member extends keyof typeof PAGE_NAMES ? (typeof PAGE_NAMES)[Member] : Member;
type PageShape = { [Member in keyof typeof metaDataMembers as PageName<Member>]: (typeof metaDataMembers)[Member] };

/** The members of `metaData` by their names in a line. */
export type PageMember = keyof PageShape;
export const PAGE_MEMBERS: ReadonlyMap<PageMember, keyof typeof metaDataMembers> = new Map(
  Object.keys(metaDataMembers).map((member) => [(PAGE_NAMES as Record<string, string>)[member] ?? member, member]),
) as never;
const pageShape = Object.fromEntries(
  Array.from(PAGE_MEMBERS, ([name, member]) => [name, metaDataMembers[member]]),
) as PageShape;

const name = z.string().overwrite(normalizedName);
const text = z.string().nullable();
const names = list(z.string()).nullable();
const texts = typesOf(bulkProductsInput.entry.shape.categoryTexts.unwrap().element.omit({ name: true }).shape);

const attributes = list(
  z.strictObject({
    attribute: name,
    type: z.enum(productAttributeTypeEnum),
    tableTemplate: z.object({}).loose().optional(),
    option: name.optional(),
    value: productAttributeValueInput.shape.value.unwrap().unwrap().optional(),
  }),
)
  .nullable()
  .optional();

const bundleSettings = variantInput.shape.bundleSettings.unwrap().unwrap();
const { products: bundleProducts } = bundleSettings.shape;
/** It is checked here, because a bundle is written after its product. */
const bundle = bundleSettings
  .extend({
    products: withElement(
      bundleProducts,
      bundleProducts.element
        .omit({ productId: true, filteredVariantIds: true })
        .extend({ product: z.string(), variants: list(z.string(), DEFAULT_LIST_SIZE) })
        .strict(),
    ),
  })
  .strict();

const channelSettings = productInput.shape.salesChannels.unwrap().unwrap().element;

const price = z.strictObject({
  priceList: text.optional(),
  ...typesOf(bulkUpdateProductPriceInput.omit({ priceListId: true }).shape),
});

const stockCount = typesOf(bulkUpdateProductStockInput.pick({ stockCount: true }).shape);

const variantLine = z.strictObject({
  ...typesOf(variantMembers),
  prices: list(price).refine(
    (prices) => new Set(prices.map(({ priceList }) => priceList ?? null)).size === prices.length,
    {
      message: 'must not have two rows of one price list',
    },
  ),
  stocks: list(z.strictObject({ stockLocation: name, ...stockCount })).optional(),
  variantValues: list(z.strictObject({ variantTypeName: name, variantValueName: name })).optional(),
  images: list(z.strictObject(typesOf(bulkUpdateProductImageInput.shape))).optional(),
  attributes,
  bundle: bundle.nullable().optional(),
});

/**
 * A product as one line of JSON: the members of ProductInput, with names instead of the ids of other records. Members
 * that are missing stay; null clears. An unknown member is refused, so that a misspelt one is not lost. Limits, except
 * those of bundles, are checked by bulkUpdateProducts.
 */
export const productLine = z.strictObject({
  handle: z.string().min(1),
  updatedAt: z.iso.datetime({ offset: true }).optional(),
  stockUpdatedAt: z.iso.datetime({ offset: true }).nullable().optional(),
  ...typesOf(productMembers),
  brand: z
    .strictObject({ name, ...texts })
    .nullable()
    .optional(),
  categories: list(z.strictObject({ name: list(name) })).optional(),
  categoryTexts: list(z.strictObject({ name: list(z.string()), ...texts })).optional(),
  tags: list(z.strictObject({ name })).optional(),
  productVariantTypes: list(
    z.strictObject({
      order: z.number(),
      variantTypeName: name,
      variantValues: list(z.strictObject({ name, colorCode: text.optional() })),
    }),
  ).optional(),
  ...typesOf(pageShape),
  releaseDate: z.iso
    .datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })
    .nullable()
    .optional(),
  dynamicPriceLists: names.optional(),
  salesChannels: names.optional(),
  hiddenSalesChannels: names.optional(),
  salesChannelSettings: list(
    channelSettings
      .omit({ id: true })
      .extend({ salesChannel: z.string(), status: channelSettings.shape.status.unwrap().unwrap() })
      .strict(),
  )
    .nullable()
    .optional(),
  groupVariantsBy: name.nullable().optional(),
  attributes,
  variants: list(variantLine),
});

export type ProductLine = z.infer<typeof productLine>;
export type VariantLine = z.infer<typeof variantLine>;
export type PriceLine = VariantLine['prices'][number];
export type ValueLine = NonNullable<VariantLine['variantValues']>[number];
export type TypeLine = NonNullable<ProductLine['productVariantTypes']>[number];
export type ImageLine = NonNullable<VariantLine['images']>[number];
export type AttributeEntry = NonNullable<ProductLine['attributes']>[number];
export type BundleEntry = NonNullable<VariantLine['bundle']>;

/** What a cell of a sheet may hold. */
export type Shape = z.ZodType;
export const productShapes: Record<string, Shape> = productLine.shape;
export const variantShapes: Record<string, Shape> = variantLine.shape;

/** Texts of a brand that an import may have to create. */
export const textsShape = z.strictObject(texts);
/** By variant type and value. `z.record` would leave out the name `__proto__`. */
export const colorsShape = z.custom<Record<string, Record<string, string>>>(
  (value) => isRecordOf(value, (colors) => isRecordOf(colors, (color) => typeof color === 'string')),
  'must be colors by variant type and value',
);

function isRecordOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isEntry);
}

type TypeOf<Value> = undefined extends Value ? z.ZodOptional<z.ZodType<Exclude<Value, undefined>>> : z.ZodType<Value>;
type TypesOf<Shape extends z.ZodRawShape> = { [Member in keyof Shape]: TypeOf<z.input<Shape[Member]>> };

/** The types of the members without their rules, which are checked when the product is written. */
function typesOf<Shape extends z.ZodRawShape>(shape: Shape): TypesOf<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, member]) => [name, typeOf(member as Schema)]),
  ) as unknown as TypesOf<Shape>;
}

/** A schema of any kind: each has the members of its kind only. */
type Schema = z.ZodType & { unwrap: () => Schema; in: Schema; element: Schema; shape: z.ZodRawShape };

/** A value that can be stored is read as it is stored, so that the two can be compared. */
function typeOf(schema: Schema): z.ZodType {
  switch (schema.type) {
    case 'optional':
    case 'default':
      return typeOf(schema.unwrap()).optional();
    case 'nullable':
      return typeOf(schema.unwrap()).nullable();
    case 'pipe':
      return typeOf(schema.in).overwrite((value) => {
        const { success, data } = schema.safeParse(value);
        return success ? data : value;
      });
    case 'array':
      return list(typeOf(schema.element));
    case 'object':
      return z.strictObject(typesOf(schema.shape));
    case 'string':
      return z.string();
    case 'number':
      return z.number();
    default:
      return schema;
  }
}
