import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import {
  type Exported,
  exportProducts,
  type ExportedProduct,
  type ExportOptions,
  type Snapshot,
  writeWholeFile,
} from '../export/export-products.ts';
import { categoryPath } from '../line/category-path.ts';
import { productExtras, variantExtras } from '../line/extras.ts';
import type { PortableProduct } from '../stored/portable-product.ts';
import type { PortableVariant } from '../stored/portable-variant.ts';
import { handleOf, lastChanges } from '../line/record-labels.ts';
import { writtenImages } from '../line/written-images.ts';
import { storedKeys } from '../line/variant-keys.ts';
import { colorOf, WrittenTexts } from '../line/written-texts.ts';
import type { ProductLine, VariantLine } from './product-line-input.ts';

/** Writes the merchant's products to a file, one line of JSON each. The file appears when it is complete. */
export async function exportJsonl(ctx: Context, path: string, options: ExportOptions): Promise<Exported> {
  return await writeWholeFile(path, async (open) => await writeJsonl(ctx, open, options));
}

/** Writes to a stream, page by page, from one snapshot. The stream is opened when lines follow. */
export async function writeJsonl(ctx: Context, open: () => Writable, options: ExportOptions): Promise<Exported> {
  return await exportProducts(ctx, options, async (snapshot) => await pipeline(Readable.from(lines(snapshot)), open()));
}

async function* lines({ pages, written }: Snapshot): AsyncGenerator<string> {
  const texts = new WrittenTexts();
  for await (const page of pages()) {
    const text = page.map((exported) => `${JSON.stringify(lineOf(exported, texts))}\n`).join('');
    written.rows += page.length;
    yield text;
  }
}

function lineOf({ product, storeIds, omit }: ExportedProduct, texts: WrittenTexts): ProductLine {
  const { metaData } = product;
  const keys = storedKeys(product.variants);
  const { brand, categoryTexts, colors } = texts.of(product);
  return {
    handle: handleOf(product),
    ...lastChanges(product),
    // An import uses the handle as the source id of a product that has none, so it need not be written.
    sourceId: product.sourceId === handleOf(product) ? null : product.sourceId,
    name: product.name,
    type: product.type,
    brand: product.brand && { name: product.brand.name, ...brand },
    categories: product.categories.map((category) => ({ name: categoryPath(category) })),
    ...(categoryTexts && { categoryTexts }),
    tags: product.tags,
    productVariantTypes: typesOf(product, colors),
    pageTitle: metaData?.pageTitle ?? null,
    pageDescription: metaData?.description ?? null,
    description: product.description,
    shortDescription: product.shortDescription,
    googleTaxonomyId: product.googleTaxonomyId,
    maxQuantityPerCart: product.maxQuantityPerCart,
    vendorId: product.vendorId,
    weight: product.weight,
    ...productExtras(product, storeIds, omit),
    variants: product.variants.map((variant, index) => ({
      ...variantLine(variant, keys[index]!, storeIds),
      ...variantExtras(variant, storeIds, omit),
    })),
  } as ProductLine;
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

function variantLine(
  variant: PortableVariant,
  sourceId: string,
  { priceLists, locations, publicUrl }: ExportedProduct['storeIds'],
): VariantLine {
  const prices = variant.prices.flatMap(({ priceListId, currency, ...price }) => {
    const priceList = priceListId === null ? null : priceLists.label(priceListId);
    return priceList === undefined ? [] : [{ priceList, ...price, currencyCode: currency }];
  });
  const stocks = variant.stocks.flatMap(({ stockLocationId, stockCount }) => {
    const stockLocation = locations.label(stockLocationId);
    return stockLocation === undefined ? [] : [{ stockLocation, stockCount }];
  });
  return {
    sourceId,
    sku: variant.sku,
    barcodeList: variant.barcodeList,
    isActive: variant.isActive,
    sellIfOutOfStock: variant.sellIfOutOfStock,
    weight: variant.weight,
    hsCode: variant.hsCode,
    prices,
    stocks: stocks.toSorted((a, b) => (a.stockLocation < b.stockLocation ? -1 : 1)),
    variantValues: variant.variantValues.flatMap(({ typeName, name }) =>
      typeName === null ? [] : [{ variantTypeName: typeName, variantValueName: name }],
    ),
    images: writtenImages(variant, publicUrl).map(({ url, ...image }) => ({ imageUrl: url, ...image })),
  };
}
