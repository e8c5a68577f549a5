import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveProductAttribute } from '../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../src/brand/saveProductBrand.ts';
import { saveCategory } from '../../src/category/saveCategory.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { saveProduct } from '../../src/product/saveProduct.ts';
import { saveSalesChannel } from '../../src/sales-channel/saveSalesChannel.ts';
import { saveProductTag } from '../../src/tag/saveProductTag.ts';
import { saveVariantType } from '../../src/variant-type/saveVariantType.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { catalogue } from './csv/sheets.ts';
import { exportFile, type Format, FORMATS, importFile, tryFile } from './files.ts';

/**
 * Texts that a careless export or import changes: white space, Unicode forms, quotes, formulas, numbers, JSON and names
 * of JavaScript.
 */
const ODD_TEXTS = [
  'cafe\u0301',
  'caf\u00e9',
  '\u2126',
  ' sp ',
  '\u00a0nbsp\u00a0',
  'zero\u200bwidth\u200d',
  '\u200b',
  'line\nbreak',
  '\nline\n',
  'cr\r\nlf\rcr',
  'tab\tstop\t',
  '"quoted"',
  '"',
  'a;b,c|d\te',
  '=1+1',
  "'x",
  "'=1",
  "''",
  '+1',
  '-1',
  '-1+2',
  '@sum',
  '👩‍👩‍👧',
  '\u202eRTL\u202c',
  '\ufeffBOM\ufeff',
  '\ufffd',
  '007',
  '4.00638E+12',
  '1,234',
  'null',
  'true',
  '{"a":1}',
  '["a"]',
  '[',
  'a > b = c; d',
  'Default Title',
  '__proto__',
  'constructor',
  '😀'.repeat(255),
];
/** Texts without a visible character. They are not used for names, which must not be blank. */
const BLANK_TEXTS = ['', ' ', '\t', '\r\n', '\u00a0', '\ufeff', '\u2028', "'", "' "];
const TEXTS = [...ODD_TEXTS, ...BLANK_TEXTS];

const TIMEOUT_MS = 180_000;

const id = { id: {} };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Saves records whose names contain the text, and a product that refers to them and has the text in each member. */
async function saveOdd(ctx: Context, text: string, named: string, channelId: string): Promise<void> {
  const texts = { description: text, translations: [{ locale: 'de', name: text, description: text }] };
  const brand = await saveProductBrand(ctx, { input: { name: named, ...texts } as never }, id);
  const root = await saveCategory(ctx, { input: { name: named, ...texts } as never }, id);
  const leaf = await saveCategory(ctx, { input: { name: named, parentId: root.id } as never }, id);
  const tag = await saveProductTag(ctx, { input: { name: named } }, id);
  const values = [{ name: named, colorCode: '#abcdef' }, { name: `${named}2` }];
  const typeInput = { name: named, selectionType: 'color' as const, values };
  const type = await saveVariantType(ctx, { input: typeInput as never }, { id: {}, values: id });
  const options = [{ name: named }];
  const choice = await saveProductAttribute(
    ctx,
    { input: { name: named, type: 'CHOICE', options } },
    { id: {}, options: id },
  );
  const free = await saveProductAttribute(ctx, { input: { name: `${named}2`, type: 'TEXT' } }, id);
  const attributes = [
    { productAttributeId: choice.id, productAttributeOptionId: choice.options![0]!.id },
    { productAttributeId: free.id, value: text },
  ];
  const variants = type.values.map(({ id: variantValueId }, index) => ({
    isActive: true,
    prices: [{ sellPrice: 1 }],
    sourceId: index === 0 ? text : `${Array.from(text).slice(0, 254).join('')}2`,
    sku: text,
    barcodeList: [text, text],
    hsCode: text,
    fileId: text,
    subscriptionPlanId: text,
    attributes,
    variantValueIds: [{ variantTypeId: type.id, variantValueId }],
  }));
  const metaData = {
    slug: `p-${newId()}`,
    pageTitle: text,
    description: text,
    canonicals: [text],
    redirectTo: text,
    metadataOverrides: [{ language: text, pageTitle: text, description: text, storefrontId: text }],
    translations: [{ locale: 'de', slug: 'x', pageTitle: text, description: text }],
  };
  const input = {
    name: named,
    type: 'PHYSICAL',
    sourceId: text,
    description: text,
    shortDescription: text,
    googleTaxonomyId: text,
    vendorId: text,
    productOptionSetId: text,
    productVolumeDiscountId: text,
    subscriptionPlanId: text,
    translations: texts.translations,
    baseUnit: { type: 'GRAM', baseAmount: 1, unitId: text },
    salesChannels: [{ id: channelId, status: 'VISIBLE', productVolumeDiscountId: text }],
    brandId: brand.id,
    categoryIds: [root.id, leaf.id],
    tagIds: [tag.id],
    productVariantTypes: [{ order: 0, variantTypeId: type.id, variantValueIds: type.values.map((value) => value.id) }],
    groupVariantsByVariantTypeId: type.id,
    attributes,
    metaData,
    variants,
  };
  await saveProduct(ctx, { input: input as never }, id);
}

async function newShop(): Promise<{ ctx: Context; channelId: string }> {
  const ctx = await createContext(database.db);
  const channel = await saveSalesChannel(ctx, { input: { name: 'Web', type: 'STOREFRONT' } }, id);
  return { ctx, channelId: channel.id };
}

async function oddShop(texts: readonly string[]): Promise<Context> {
  const { ctx, channelId } = await newShop();
  const names = new Set<string>();
  for (const text of texts) {
    const name = nameLike(text, names);
    names.add(name);
    await saveOdd(ctx, text, name, channelId);
  }
  return ctx;
}

/** Makes a valid name of the text: not blank, short enough for an option value, and none of `taken`. */
function nameLike(text: string, taken: ReadonlySet<string>): string {
  const name = Array.from(text.trim() === '' ? `N${text}N` : text)
    .slice(0, 90)
    .join('')
    .normalize('NFC')
    .trim();
  return taken.has(name) ? `${name} 2nd` : name;
}

/** Replaces ids by null, because they differ between shops. Keeps slugs, which may contain ids. */
function withoutIds(products: unknown[]): unknown {
  return JSON.parse(JSON.stringify(products).replaceAll(/"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/g, 'null'));
}

describe.each(Object.keys(FORMATS) as Format[])('a file of %s', (format) => {
  it(
    'brings each text back as it is stored, into its own shop, over other texts, and into another shop',
    { timeout: TIMEOUT_MS },
    async () => {
      const ctx = await oddShop(TEXTS);
      const stored = await catalogue(ctx);
      expect(stored).toHaveLength(TEXTS.length);
      const { text } = await exportFile(ctx, format);
      const nothing = { created: 0, updated: 0, skipped: [], kept: [] };
      expect(await tryFile(ctx, format, text)).toMatchObject({ ...nothing, differences: [] });
      expect(await importFile(ctx, format, text)).toMatchObject({ ...nothing, unchanged: TEXTS.length });
      expect(await catalogue(ctx)).toEqual(stored);

      const { ctx: other } = await newShop();
      expect(await importFile(other, format, text)).toMatchObject({ created: TEXTS.length, skipped: [] });
      expect(withoutIds(await catalogue(other))).toEqual(withoutIds(stored));

      await ctx.db.execute(sql`
      update product set description = 'other', short_description = null, google_taxonomy_id = 'other', vendor_id = 'other'
      where merchant_id = ${ctx.merchantId}`);
      await ctx.db.execute(sql`
      update variant set sku = 'other', hs_code = null, barcode_list = array['1'], file_id = 'other'
      where merchant_id = ${ctx.merchantId}`);
      expect(await importFile(ctx, format, text, { keep: 'sheet' })).toMatchObject({
        updated: TEXTS.length,
        skipped: [],
      });
      expect(await catalogue(ctx)).toEqual(stored);
    },
  );
});
