import {
  type ProductLine,
  productShapes,
  type Shape,
  type VariantLine,
  variantShapes,
} from '../line/product-line-input.ts';
import {
  amount,
  barcodes,
  boolean,
  categories,
  type Codec,
  grams,
  inventoryPolicy,
  json,
  key,
  label,
  measure,
  productType,
  tags,
  text,
  time,
} from './codecs.ts';

type Titles = readonly [string, ...string[]];

/** A member of a line that has a column. `empty` is the value of an empty cell. */
type Member<Line> = {
  member: keyof Line & string;
  print: (value: unknown) => string;
  parse: (cell: string) => unknown;
  empty: unknown;
};
export type MemberColumn<Line> = Member<Line> & { column: Column };

/** A column that needs more than its own cell to be written or read. */
const column = (...titles: Titles) => ({ titles });
const keyColumn = (...titles: Titles) => ({ titles, isKey: true });
/** A column of numbers, or of true and false. */
const valueColumn = (...titles: Titles) => ({ titles, isValue: true });
const ofProduct = <Value>(member: keyof ProductLine, codec: Codec<Value>, ...titles: Titles) => ({
  titles,
  isValue: codec.isValue,
  isKey: codec.isKey,
  product: memberOf<ProductLine>(member, codec as Codec, productShapes[member]!),
});
const ofVariant = <Value>(member: keyof VariantLine, codec: Codec<Value>, ...titles: Titles) => ({
  titles,
  isValue: codec.isValue,
  isKey: codec.isKey,
  variant: memberOf<VariantLine>(member, codec as Codec, variantShapes[member]!),
});

function memberOf<Line>(
  member: keyof Line & string,
  { print, parse, empty = null }: Codec,
  shape: Shape,
): Member<Line> {
  return { member, print, parse: (cell) => parse(cell, shape), empty };
}

/** The columns in their order, with all their titles: first the one that exports use, then those of other programs. */
const COLUMNS = {
  handle: column('Handle', 'URL handle'),
  title: ofProduct('name', label, 'Title'),
  description: ofProduct('description', text, 'Body (HTML)', 'Body', 'Description'),
  vendor: column('Vendor'),
  productCategory: ofProduct(
    'categories',
    categories,
    'Product Category',
    'Standard Product Type',
    'Standardized Product Type',
  ),
  category: ofProduct('categories', categories, 'Type', 'Custom Product Type'),
  tags: ofProduct('tags', tags, 'Tags'),
  published: valueColumn('Published', 'Published on online store'),
  sku: ofVariant('sku', key, 'Variant SKU', 'SKU'),
  grams: ofVariant('weight', grams, 'Variant Grams', 'Weight value (grams)'),
  inventoryTracker: column('Variant Inventory Tracker', 'Inventory tracker'),
  inventory: valueColumn('Variant Inventory Qty', 'Variant Inventory Quantity', 'Inventory quantity'),
  inventoryPolicy: ofVariant(
    'sellIfOutOfStock',
    inventoryPolicy,
    'Variant Inventory Policy',
    'Continue selling when out of stock',
  ),
  fulfillment: column('Variant Fulfillment Service', 'Fulfillment service'),
  price: valueColumn('Variant Price', 'Price'),
  compareAtPrice: valueColumn('Variant Compare At Price', 'Compare-at price'),
  requiresShipping: valueColumn('Variant Requires Shipping', 'Requires shipping'),
  barcode: ofVariant('barcodeList', barcodes, 'Variant Barcode', 'Barcode'),
  image: column('Image Src', 'Product image URL'),
  imagePosition: valueColumn('Image Position'),
  giftCard: valueColumn('Gift Card'),
  pageTitle: ofProduct('pageTitle', text, 'SEO Title'),
  pageDescription: ofProduct('pageDescription', text, 'SEO Description'),
  googleTaxonomyId: ofProduct(
    'googleTaxonomyId',
    text,
    'Google Shopping / Google Product Category',
    'Google Product Category',
  ),
  variantImage: column('Variant Image', 'Variant image URL'),
  weight: valueColumn('Variant Weight'),
  weightUnit: column('Variant Weight Unit', 'Weight unit for display'),
  cost: valueColumn('Cost per item'),
  status: column('Status'),
  // Columns for members that Shopify's format does not have. No other program uses these titles.
  productType: ofProduct('type', productType, 'Commerce / Product Type'),
  sourceId: ofProduct('sourceId', key, 'Commerce / Source ID'),
  shortDescription: ofProduct('shortDescription', text, 'Commerce / Short Description'),
  vendorId: ofProduct('vendorId', text, 'Commerce / Vendor ID'),
  productWeight: ofProduct('weight', measure, 'Commerce / Product Weight'),
  maxQuantityPerCart: ofProduct('maxQuantityPerCart', amount, 'Commerce / Max Quantity Per Cart'),
  variantTypes: column('Commerce / Options'),
  variantSourceId: keyColumn('Commerce / Variant Source ID'),
  isActive: valueColumn('Commerce / Variant Active'),
  hsCode: ofVariant('hsCode', text, 'Commerce / Variant HS Code'),
  discountPrice: valueColumn('Commerce / Variant Discount Price'),
  currency: column('Commerce / Variant Currency'),
  stockLocations: column('Commerce / Stock Locations'),
  stockUpdatedAt: ofProduct('stockUpdatedAt', time, 'Commerce / Stock Updated At'),
  brandTexts: column('Commerce / Brand Texts'),
  categoryTexts: ofProduct('categoryTexts', json, 'Commerce / Category Texts'),
  colors: column('Commerce / Option Colors'),
  attributes: ofProduct('attributes', json, 'Commerce / Attributes'),
  translations: ofProduct('translations', json, 'Commerce / Translations'),
  baseUnit: ofProduct('baseUnit', json, 'Commerce / Base Unit'),
  releaseDate: ofProduct('releaseDate', json, 'Commerce / Release Date'),
  salesChannels: ofProduct('salesChannels', json, 'Commerce / Sales Channels'),
  hiddenSalesChannels: ofProduct('hiddenSalesChannels', json, 'Commerce / Hidden Sales Channels'),
  salesChannelSettings: ofProduct('salesChannelSettings', json, 'Commerce / Sales Channel Settings'),
  dynamicPriceLists: ofProduct('dynamicPriceLists', json, 'Commerce / Dynamic Price Lists'),
  groupVariantsBy: ofProduct('groupVariantsBy', json, 'Commerce / Group Variants By'),
  productOptionSetId: ofProduct('productOptionSetId', json, 'Commerce / Option Set ID'),
  productVolumeDiscountId: ofProduct('productVolumeDiscountId', json, 'Commerce / Volume Discount ID'),
  subscriptionPlanId: ofProduct('subscriptionPlanId', json, 'Commerce / Subscription Plan ID'),
  canonicals: ofProduct('canonicals', json, 'Commerce / SEO Canonicals'),
  disableIndex: ofProduct('disableIndex', boolean, 'Commerce / SEO Disable Index'),
  redirectTo: ofProduct('redirectTo', json, 'Commerce / SEO Redirect To'),
  metadataOverrides: ofProduct('metadataOverrides', json, 'Commerce / SEO Overrides'),
  metadataTranslations: ofProduct('metadataTranslations', json, 'Commerce / SEO Translations'),
  unit: ofVariant('unit', json, 'Commerce / Variant Unit'),
  fileId: ofVariant('fileId', json, 'Commerce / Variant File ID'),
  variantSubscriptionPlanId: ofVariant('subscriptionPlanId', json, 'Commerce / Variant Subscription Plan ID'),
  variantAttributes: ofVariant('attributes', json, 'Commerce / Variant Attributes'),
  bundle: ofVariant('bundle', json, 'Commerce / Variant Bundle'),
  updatedAt: ofProduct('updatedAt', time, 'Commerce / Updated At'),
};

export type Column = keyof typeof COLUMNS;

/** Columns that are imported but not exported, because other columns hold the same values exactly. */
export const READ_ONLY: readonly Column[] = ['productCategory', 'weight', 'giftCard'];

type Entry = {
  titles: Titles;
  isValue?: boolean;
  isKey?: boolean;
  product?: Member<ProductLine>;
  variant?: Member<VariantLine>;
};
const ENTRIES = Object.entries(COLUMNS) as [Column, Entry][];

/** Columns of numbers, true and false, besides those of price lists. */
export const VALUE_COLUMNS: readonly Column[] = ENTRIES.flatMap(([name, { isValue }]) => (isValue ? [name] : []));
/** The places of the columns in which shortened numbers are refused. */
export function keyPlaces(columns: ReadonlyMap<Column, number>): ReadonlySet<number> {
  return new Set(ENTRIES.flatMap(([name, { isKey }]) => (isKey ? (columns.get(name) ?? []) : [])));
}

export const COLUMN_TITLES = ENTRIES.map(([name, { titles }]) => [name, titles] as const);
export const PRODUCT_COLUMNS = ENTRIES.flatMap(([name, { product }]) =>
  product ? [{ ...product, column: name }] : [],
);
export const VARIANT_COLUMNS = ENTRIES.flatMap(([name, { variant }]) =>
  variant ? [{ ...variant, column: name }] : [],
);

/** The title of a column in exports and in messages. */
export function titleOf(column: Column): string {
  return COLUMNS[column].titles[0];
}
