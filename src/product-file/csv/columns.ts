/** Option columns of every file. Products with more variant types add more. */
export const MIN_OPTIONS = 3;

/** The titles of each column: first the one that exports use, then those of other programs. */
const NAMES = {
  handle: ['Handle', 'URL handle'],
  title: ['Title'],
  description: ['Body (HTML)', 'Body', 'Description'],
  vendor: ['Vendor'],
  productCategory: ['Product Category', 'Standard Product Type', 'Standardized Product Type'],
  category: ['Type', 'Custom Product Type'],
  tags: ['Tags'],
  published: ['Published', 'Published on online store'],
  sku: ['Variant SKU', 'SKU'],
  grams: ['Variant Grams', 'Weight value (grams)'],
  inventoryTracker: ['Variant Inventory Tracker', 'Inventory tracker'],
  inventory: ['Variant Inventory Qty', 'Variant Inventory Quantity', 'Inventory quantity'],
  inventoryPolicy: ['Variant Inventory Policy', 'Continue selling when out of stock'],
  fulfillment: ['Variant Fulfillment Service', 'Fulfillment service'],
  price: ['Variant Price', 'Price'],
  compareAtPrice: ['Variant Compare At Price', 'Compare-at price'],
  requiresShipping: ['Variant Requires Shipping', 'Requires shipping'],
  barcode: ['Variant Barcode', 'Barcode'],
  image: ['Image Src', 'Product image URL'],
  imagePosition: ['Image Position'],
  giftCard: ['Gift Card'],
  pageTitle: ['SEO Title'],
  pageDescription: ['SEO Description'],
  googleTaxonomyId: ['Google Shopping / Google Product Category', 'Google Product Category'],
  variantImage: ['Variant Image', 'Variant image URL'],
  weight: ['Variant Weight'],
  weightUnit: ['Variant Weight Unit', 'Weight unit for display'],
  cost: ['Cost per item'],
  status: ['Status'],
  // Columns for members that Shopify's format does not have. No other program uses these titles.
  productType: ['Commerce / Product Type'],
  sourceId: ['Commerce / Source ID'],
  shortDescription: ['Commerce / Short Description'],
  vendorId: ['Commerce / Vendor ID'],
  productWeight: ['Commerce / Product Weight'],
  maxQuantityPerCart: ['Commerce / Max Quantity Per Cart'],
  variantTypes: ['Commerce / Options'],
  variantSourceId: ['Commerce / Variant Source ID'],
  isActive: ['Commerce / Variant Active'],
  hsCode: ['Commerce / Variant HS Code'],
  discountPrice: ['Commerce / Variant Discount Price'],
  currency: ['Commerce / Variant Currency'],
  stockLocations: ['Commerce / Stock Locations'],
  updatedAt: ['Commerce / Updated At'],
  stockUpdatedAt: ['Commerce / Stock Updated At'],
  brandTexts: ['Commerce / Brand Texts'],
  categoryTexts: ['Commerce / Category Texts'],
  colors: ['Commerce / Option Colors'],
  attributes: ['Commerce / Attributes'],
  translations: ['Commerce / Translations'],
  baseUnit: ['Commerce / Base Unit'],
  releaseDate: ['Commerce / Release Date'],
  salesChannels: ['Commerce / Sales Channels'],
  hiddenSalesChannels: ['Commerce / Hidden Sales Channels'],
  salesChannelSettings: ['Commerce / Sales Channel Settings'],
  dynamicPriceLists: ['Commerce / Dynamic Price Lists'],
  groupVariantsBy: ['Commerce / Group Variants By'],
  productOptionSetId: ['Commerce / Option Set ID'],
  productVolumeDiscountId: ['Commerce / Volume Discount ID'],
  subscriptionPlanId: ['Commerce / Subscription Plan ID'],
  canonicals: ['Commerce / SEO Canonicals'],
  disableIndex: ['Commerce / SEO Disable Index'],
  redirectTo: ['Commerce / SEO Redirect To'],
  metadataOverrides: ['Commerce / SEO Overrides'],
  metadataTranslations: ['Commerce / SEO Translations'],
  unit: ['Commerce / Variant Unit'],
  fileId: ['Commerce / Variant File ID'],
  variantSubscriptionPlanId: ['Commerce / Variant Subscription Plan ID'],
  variantAttributes: ['Commerce / Variant Attributes'],
  bundle: ['Commerce / Variant Bundle'],
} as const;

/** Columns that are imported but not exported, because other columns hold the same values exactly. */
const READ_ONLY: readonly Column[] = ['productCategory', 'weight', 'giftCard'];

export type Column = keyof typeof NAMES;

/** The price members with one column per price list. */
const LIST_PRICES = {
  price: 'Price / ',
  compareAtPrice: 'Compare At Price / ',
  cost: 'Cost per item / ',
  discountPrice: 'Commerce / Discount Price / ',
  currency: 'Commerce / Currency / ',
} as const;

export type PriceColumn = keyof typeof LIST_PRICES;

/** One column per stock location, as earlier exports had. Imported only. */
const INVENTORY_PREFIX = 'Commerce / Inventory / ';

const COLUMN_BY_NAME: ReadonlyMap<string, Column> = new Map(
  Object.entries(NAMES).flatMap(([column, names]) => names.map((name) => [plain(name), column as Column])),
);

/** The positions of the columns in a row. */
export type Layout = {
  titles: readonly string[];
  columns: ReadonlyMap<Column, number>;
  options: readonly { name: number; value: number }[];
  /** By the label of a price list. */
  listPrices: ReadonlyMap<string, ReadonlyMap<PriceColumn, number>>;
  /** By the label of a stock location. */
  inventories: ReadonlyMap<string, number>;
  /** Titles of unknown columns. */
  unread: readonly string[];
};

/** Parses the header of a file. Ignores unknown columns; of two columns with the same title the first counts. */
export function readLayout(header: readonly string[]): Layout {
  const columns = new Map<Column, number>();
  const options = new Map<number, { name?: number; value?: number }>();
  const listPrices = new Map<string, Map<PriceColumn, number>>();
  const inventories = new Map<string, number>();
  for (const [place, title] of header.entries()) {
    const listPrice = listPriceOf(title);
    // The name of a price list may have no Latin letter: `Price / 批发` would be read as the column Price.
    const column = listPrice ? undefined : COLUMN_BY_NAME.get(plain(title));
    const option = /^option(\d{1,3}) (name|value)$/.exec(plain(title));
    if (column) setOnce(columns, column, place);
    else if (option) options.set(Number(option[1]), { [option[2]!]: place, ...options.get(Number(option[1])) });
    else if (startsWith(title, INVENTORY_PREFIX))
      setOnce(inventories, title.slice(INVENTORY_PREFIX.length).trim(), place);
    else if (listPrice)
      listPrices.set(listPrice.label, setOnce(listPrices.get(listPrice.label) ?? new Map(), listPrice.column, place));
  }
  const whole = [...options]
    .sort(([a], [b]) => a - b)
    .flatMap(([, { name, value }]) => (name === undefined || value === undefined ? [] : [{ name, value }]));
  const ofOptions = whole.flatMap(({ name, value }) => [name, value]);
  const ofPrices = [...listPrices.values()].flatMap((places) => [...places.values()]);
  const read = new Set([...columns.values(), ...ofOptions, ...ofPrices, ...inventories.values()]);
  const unread = header.filter((title, place) => !read.has(place) && title.trim() !== '');
  return { titles: header, columns, options: whole, listPrices, inventories, unread };
}

export type LayoutContent = {
  optionCount: number;
  priceListLabels: readonly string[];
};

/** The header of an export. */
export function headerOf({ optionCount, priceListLabels }: LayoutContent): string[] {
  const written = (Object.keys(NAMES) as Column[])
    .filter((column) => !READ_ONLY.includes(column))
    .map((column) => NAMES[column][0]);
  const behind = written.indexOf(NAMES.published[0]) + 1;
  const options = Array.from({ length: Math.max(MIN_OPTIONS, optionCount) }, (_, index) => [
    `Option${index + 1} Name`,
    `Option${index + 1} Value`,
  ]);
  return [
    ...written.slice(0, behind),
    ...options.flat(),
    ...written.slice(behind),
    ...priceListLabels.flatMap((label) => Object.values(LIST_PRICES).map((prefix) => prefix + label)),
  ];
}

/** The title of a column in messages. */
export function titleOf(column: Column): string {
  return NAMES[column][0];
}

/** The title with its letters and digits only, because programs differ in case, dashes and spaces. */
function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

function listPriceOf(title: string): { column: PriceColumn; label: string } | undefined {
  for (const [column, prefix] of Object.entries(LIST_PRICES)) {
    if (startsWith(title, prefix)) return { column: column as PriceColumn, label: title.slice(prefix.length).trim() };
  }
  return undefined;
}

function startsWith(title: string, prefix: string): boolean {
  return title.toLowerCase().startsWith(prefix.toLowerCase());
}

function setOnce<Key>(places: Map<Key, number>, key: Key, place: number): Map<Key, number> {
  return places.has(key) ? places : places.set(key, place);
}
