import type { Context } from '../../context.ts';
import { asAmount, asMeasure } from '../../values/decimal.ts';
import { normalizedName } from '../../field-input.ts';
import { productExtrasInput, variantExtrasInput, wantedAttributes } from '../import/extras-input.ts';
import type {
  FileEntry,
  FileProduct,
  ImportInput,
  ImportNotes,
  ImportVariant,
  Skipped,
} from '../import/import-input.ts';
import { type Imported, importProducts, type ImportOptions } from '../import/import-products.ts';
import type { StoreIds } from '../line/store-ids.ts';
import type { AttributeEntry, BundleEntry } from '../line/extras.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import { categoryPath } from '../line/category-path.ts';
import { matchVariants, variantKey } from '../line/variant-keys.ts';
import type { ProductLine, VariantLine } from './product-line-input.ts';
import { type LineEntry, readLines } from './read-lines.ts';

type ReadProduct = Exclude<LineEntry, { skipped: Skipped }>;

/** Imports products, one line of JSON each. */
export async function importJsonl(
  ctx: Context,
  chunks: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  return await importProducts(ctx, fileEntries(chunks), options);
}

async function* fileEntries(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
  for await (const entry of readLines(chunks))
    yield entry.skipped ? { skipped: entry.skipped } : { product: fileProduct(entry) };
}

function fileProduct({ product: line, line: number, bytes }: ReadProduct): FileProduct {
  const keys = keysOf(line);
  return {
    line: number,
    lineCount: Math.max(1, line.variants.length),
    bytes,
    handle: line.handle,
    sourceId: line.sourceId ?? null,
    isSlugFirst: true,
    exportedAt: () => ({
      product: line.updatedAt === undefined ? null : Date.parse(line.updatedAt),
      stock: line.stockUpdatedAt == null ? null : Date.parse(line.stockUpdatedAt),
    }),
    wanted: () => ({
      locations: line.variants.flatMap(({ stocks }) => (stocks ?? []).map(({ stockLocation }) => stockLocation)),
      existingLocations: [],
      attributes: [line, ...line.variants].flatMap(({ attributes }) =>
        wantedAttributes(attributes as AttributeEntry[]),
      ),
    }),
    input: (stored, storeIds, notes) => importInput(line, keys, stored, storeIds, notes),
    bundles: () =>
      line.variants.flatMap(({ bundle }, index) =>
        bundle === undefined ? [] : [{ variantKey: keys[index]!, bundle: bundle as BundleEntry | null }],
      ),
    locate: () => ({ line: number, title: null }),
  };
}

function keysOf({ variants }: ProductLine): string[] {
  return variants.map(
    ({ sourceId, sku = null, variantValues = [] }) =>
      sourceId ?? variantKey({ sku, variantValues: variantValues.map((value) => ({ name: value.variantValueName })) }),
  );
}

function importInput(
  line: ProductLine,
  keys: readonly string[],
  stored: PortableProduct | undefined,
  storeIds: StoreIds,
  notes: ImportNotes,
): ImportInput {
  const { metaData, ...extras } = productExtrasInput(line, stored, storeIds, notes);
  const matches = matchVariants(
    line.variants.map(({ sku = null, variantValues = [] }, index) => ({
      key: keys[index]!,
      sku,
      variantValues: variantValues.map((value) => ({ name: value.variantValueName })),
    })),
    stored?.variants ?? [],
  );
  const variants = line.variants.map((variant, index) =>
    variantInput(variant, keys[index]!, matches[index], storeIds, notes),
  );
  const kept = new Set(matches.map((match) => match?.id));
  const removed = (stored?.variants ?? []).filter(({ id }) => !kept.has(id));
  return {
    ...memberInput(line, stored),
    ...extras,
    metaData: {
      ...metaData,
      ...(stored ? {} : { slug: line.handle }),
      ...(line.pageTitle === undefined ? {} : { pageTitle: line.pageTitle }),
      ...(line.pageDescription === undefined ? {} : { description: line.pageDescription }),
    },
    variants: [...variants, ...removed.map(({ id, isActive }) => ({ id, isActive, prices: [], deleted: true }))],
  } as ImportInput;
}

/** The members that bulkUpdateProducts has too. What it needs and the line leaves out comes from the stored product. */
function memberInput(line: ProductLine, stored: PortableProduct | undefined) {
  const { brand, tags, categoryTexts, description, shortDescription, googleTaxonomyId, maxQuantityPerCart } = line;
  const categories = line.categories?.map(({ name }) => name.map(normalizedName));
  return {
    ...(stored ? { id: stored.id } : { sourceId: line.sourceId ?? line.handle }),
    deleted: false,
    name: normalizedName(line.name),
    type: line.type,
    brand,
    categories: (categories ?? stored?.categories.map(categoryPath) ?? []).map((name) => ({ name })),
    ...(categoryTexts && { categoryTexts }),
    tags,
    productVariantTypes: line.productVariantTypes ?? storedTypes(stored),
    description,
    shortDescription,
    googleTaxonomyId,
    maxQuantityPerCart: rounded(maxQuantityPerCart, asAmount),
    vendor: line.vendorId,
    weight: rounded(line.weight, asMeasure),
  };
}

function storedTypes(stored: PortableProduct | undefined) {
  return (stored?.variantTypes ?? []).map(({ name, order, values }) => ({
    order,
    variantTypeName: name,
    variantValues: values.map((value) => ({ name: value.name })),
  }));
}

function variantInput(
  line: VariantLine,
  key: string,
  stored: PortableVariant | undefined,
  storeIds: StoreIds,
  { unknown }: ImportNotes,
): ImportVariant {
  const { sku, barcodeList, sellIfOutOfStock, weight, hsCode, variantValues, images } = line;
  return {
    ...variantExtrasInput(line, stored, storeIds),
    ...(stored ? { id: stored.id } : { sourceId: key }),
    isActive: line.isActive ?? stored?.isActive ?? true,
    prices: line.prices.flatMap(({ priceList, ...price }) => {
      const priceListId = priceList == null ? null : storeIds.priceLists.find(priceList)?.id;
      if (priceListId === undefined) unknown(`price list ${priceList}`);
      return priceListId === undefined ? [] : [{ ...price, priceListId }];
    }),
    stocks: (line.stocks ?? []).flatMap(({ stockLocation, stockCount }) => {
      const stockLocationId = storeIds.locations.find(stockLocation)?.id;
      return stockLocationId === undefined ? [] : [{ stockLocationId, stockCount }];
    }),
    sku,
    barcodeList,
    sellIfOutOfStock,
    weight: rounded(weight, asMeasure),
    hsCode,
    variantValues,
    images,
  } as ImportVariant;
}

/** Rounded like stored numbers, so that an unchanged file changes nothing. What cannot be stored is refused later. */
function rounded(value: number | null | undefined, round: (value: number) => number | null) {
  return value == null ? value : (round(value) ?? value);
}
