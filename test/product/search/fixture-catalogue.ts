import { saveProductAttribute } from '../../../src/attribute/saveProductAttribute.ts';
import { saveProductBrand } from '../../../src/brand/saveProductBrand.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import type { Context } from '../../../src/context.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { saveProductTag } from '../../../src/tag/saveProductTag.ts';
import { saveVariantType } from '../../../src/variant-type/saveVariantType.ts';

const id = { id: {} };

/**
 * A product with the names of the records it refers to. `material` is an option, `care` a text, `colour` a variant's.
 */
export type FixtureProduct = {
  name: string;
  description?: string;
  sku?: string;
  barcode?: string;
  brand?: string;
  category?: string;
  tag?: string;
  material?: string;
  care?: string;
  colour?: string;
  translations?: { locale: string; name?: string; description?: string }[];
};

/** Saved in this order, so that later ones come first among equally relevant ones. */
export const FIXTURE_CATALOGUE: readonly FixtureProduct[] = [
  // English
  { name: 'Merino Wool Sweater', sku: 'MWS-100', brand: 'Northwind', category: 'Knitwear', colour: 'Navy' },
  { name: 'Wireless Headphones', sku: 'WH-1000XM5', barcode: '4548736132580', description: 'Ships with a travel case' },
  { name: 'Headphone Stand', description: '<p>Made for wireless models</p>', care: 'Wipe with a dry cloth' },
  { name: 'Blue Rain Jacket', material: 'Gore-Tex', tag: 'outdoor gear' },
  { name: 'Jacket for Rain and Wind', description: 'Keeps you dry' },
  { name: 'Rain', description: 'A perfume' },
  { name: 'Leather Belt', description: 'hand stitched in Porto' },
  { name: 'Leather Strap', description: 'stitched by machine, finished by hand' },
  { name: 'Tea Light' },
  { name: 'Tea Light Holder: tea light, tea light, tea light' },
  { name: 'Lamp oil' },
  { name: 'Lampshade' },
  { name: 'Desk light', description: 'A lamp' },
  { name: 'KM 2' },
  // German
  { name: 'Weiße Baumwollbluse', category: 'Damenmode' },
  { name: 'Kaffeemühle mit Edelstahlmahlwerk', sku: 'KM-2' },
  {
    name: 'Kinderschlafanzug',
    translations: [{ locale: 'en', name: "Children's Pajamas", description: 'With little owls' }],
  },
  { name: 'Gummistiefel für Kinder', colour: 'Zitronengelb' },
  // Turkish
  { name: 'Kışlık Yün Şapka', colour: 'Gül Kurusu' },
  { name: 'Işıklı Çocuk Ayakkabısı' },
  { name: 'Bakır Çaydanlık', category: 'Mutfak Gereçleri' },
  // French
  { name: 'Crème Brûlée au Thé', brand: 'Pâtisserie Lenôtre' },
  { name: "Robe d'été à fleurs", material: 'Coton biologique' },
  { name: 'Théière en fonte', translations: [{ locale: 'de', name: 'Gusseiserne Teekanne' }] },
  // Russian
  { name: 'Зимняя куртка мужская', sku: 'ЗК-7' },
  { name: 'Чайник электрический', description: 'Объём 1,7 литра' },
  { name: 'Шерстяной шарф', category: 'Аксессуары' },
  { name: 'Ёлочная игрушка' },
  // Arabic
  { name: 'قميص قطني أزرق' },
  { name: 'حذاء رياضي للأطفال', category: 'أحذية' },
  { name: 'إبريق شاي نحاسي', brand: 'دار النحاس' },
  { name: 'عطر الورد' },
  // Greek
  { name: 'Χειμωνιάτικο μπουφάν' },
  { name: 'Κεραμική κούπα', material: 'Πηλός' },
  { name: 'Παιχνίδια για σκύλους' },
  // Hebrew
  { name: 'חולצת כותנה לבנה' },
  { name: 'כוס קרמיקה', category: 'מטבח' },
  // Chinese
  { name: '无线蓝牙耳机', sku: 'BT-88', description: '降噪设计,续航三十小时。' },
  { name: '不锈钢保温杯', brand: '山外山' },
  { name: '儿童保温水壶', category: '家居用品' },
  { name: '耳机收纳盒', material: '再生塑料' },
  { name: '凤凰单丛乌龙茶' },
  // Japanese
  { name: 'ワイヤレスイヤホン', description: '防水で、通勤にも最適です。' },
  { name: 'ワインオープナー' },
  { name: '南部鉄器の急須' },
  { name: '抹茶茶碗セット', colour: '若草色' },
  { name: '折りたたみ傘 軽量' },
  // Thai
  { name: 'เสื้อยืดผ้าฝ้ายสีขาว' },
  { name: 'รองเท้าผ้าใบเด็ก', category: 'สินค้าเด็ก' },
  { name: 'แก้วกาแฟเซรามิก', description: 'ใช้กับไมโครเวฟได้' },
  // Korean
  { name: '무선 이어폰' },
  { name: '여성용 가죽 가방', category: '패션잡화' },
  { name: '스테인리스 텀블러', colour: '하늘색' },
];

export async function saveFixtureCatalogue(ctx: Context, products = FIXTURE_CATALOGUE): Promise<void> {
  const records = await saveRecords(ctx, products);
  for (const product of products) {
    const input = { ...inputOf(product, records), type: 'PHYSICAL' as const };
    await saveProduct(ctx, { input }, id);
  }
}

type Records = Awaited<ReturnType<typeof saveRecords>>;

async function saveRecords(ctx: Context, products: readonly FixtureProduct[]) {
  const options = { id: {}, options: { id: {}, name: {} } };
  return {
    brands: await named(products, 'brand', async (name) => await saveProductBrand(ctx, { input: { name } }, id)),
    categories: await named(products, 'category', async (name) => await saveCategory(ctx, { input: { name } }, id)),
    tags: await named(products, 'tag', async (name) => await saveProductTag(ctx, { input: { name } }, id)),
    material: await saveProductAttribute(
      ctx,
      { input: { name: 'Material', type: 'CHOICE', options: namesOf(products, 'material') } },
      options,
    ),
    care: await saveProductAttribute(ctx, { input: { name: 'Care', type: 'TEXT' } }, id),
    colour: await saveVariantType(
      ctx,
      {
        input: {
          name: 'Colour',
          selectionType: 'choice',
          values: [{ name: 'Unused' }, ...namesOf(products, 'colour')],
        },
      },
      { id: {}, values: { id: {}, name: {} } },
    ),
  };
}

type Member = 'brand' | 'category' | 'tag' | 'material' | 'colour';

function namesOf(products: readonly FixtureProduct[], member: Member): { name: string }[] {
  return products.flatMap((product) => (product[member] === undefined ? [] : [{ name: product[member] }]));
}

async function named(
  products: readonly FixtureProduct[],
  member: Member,
  save: (name: string) => Promise<{ id: string }>,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name } of namesOf(products, member)) ids.set(name, (await save(name)).id);
  return ids;
}

function inputOf(product: FixtureProduct, { brands, categories, tags, material, care, colour }: Records) {
  const { name, description, sku, barcode, brand, category, tag, translations } = product;
  const option = material.options!.find((option) => option.name === product.material);
  const value = colour.values.find((value) => value.name === product.colour);
  return {
    name,
    description,
    translations,
    brandId: brand && brands.get(brand),
    categoryIds: category ? [categories.get(category)!] : [],
    tagIds: tag ? [tags.get(tag)!] : [],
    attributes: [
      ...(option ? [{ productAttributeId: material.id, productAttributeOptionId: option.id }] : []),
      ...(product.care ? [{ productAttributeId: care.id, value: product.care }] : []),
    ],
    productVariantTypes: value ? [{ order: 0, variantTypeId: colour.id, variantValueIds: [value.id] }] : [],
    variants: [
      {
        sku,
        barcodeList: barcode ? [barcode] : [],
        prices: [{ sellPrice: 10 }],
        variantValueIds: value ? [{ variantTypeId: colour.id, variantValueId: value.id }] : [],
      },
    ],
  };
}
