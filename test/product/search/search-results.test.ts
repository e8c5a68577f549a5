import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startOperations } from '../../support/operation.ts';
import { saveProduct } from '../../../src/product/saveProduct.ts';
import { saveProductTag } from '../../../src/tag/saveProductTag.ts';
import { saveFixtureCatalogue } from './fixture-catalogue.ts';

/**
 * The language, the kind of query, the query, and the names of all products found, in order. Reviewed by hand. All
 * products are in one shop, so that a query must not find products of other languages.
 */
const RESULTS: readonly [language: string, kind: string, query: string, ...found: string[]][] = [
  ['English', 'exact name', 'merino wool sweater', 'Merino Wool Sweater'],
  ['English', 'exact name before longer names', 'rain', 'Rain', 'Jacket for Rain and Wind', 'Blue Rain Jacket'],
  [
    'English',
    'exact name before one that repeats its words',
    'tea light',
    'Tea Light',
    'Tea Light Holder: tea light, tea light, tea light',
  ],
  ['English', 'whole word before a longer word', 'lamp', 'Lamp oil', 'Lampshade', 'Desk light'],
  ['English', 'code before name', 'km-2 ', 'Kaffeemühle mit Edelstahlmahlwerk', 'KM 2'],
  ['English', 'sku', 'wh-1000xm5', 'Wireless Headphones'],
  ['English', 'barcode', '4548736132580', 'Wireless Headphones'],
  ['English', 'phrase before words', 'rain jacket', 'Blue Rain Jacket', 'Jacket for Rain and Wind'],
  ['English', 'phrase of a description', 'hand stitched', 'Leather Belt', 'Leather Strap'],
  ['English', 'prefix', 'swea', 'Merino Wool Sweater'],
  ['English', 'words in another order', 'stand headphone', 'Headphone Stand'],
  ['English', 'misspelling', 'swaeter', 'Merino Wool Sweater'],
  ['English', 'two misspellings', 'wirless haedphones', 'Wireless Headphones'],
  ['English', 'plural', 'jackets', 'Jacket for Rain and Wind', 'Blue Rain Jacket'],
  ['English', 'category', 'knitwear', 'Merino Wool Sweater'],
  ['English', 'option value and name', 'navy sweater', 'Merino Wool Sweater'],
  ['English', 'attribute option', 'gore-tex', 'Blue Rain Jacket'],
  ['English', 'attribute text', 'dry cloth', 'Headphone Stand'],
  ['English', 'misspelt category', 'knitwaer', 'Merino Wool Sweater'],
  ['English', 'unknown words', 'garden umbrella'],
  ['German', 'exact name', 'WEISSE BAUMWOLLBLUSE', 'Weiße Baumwollbluse'],
  ['German', 'prefix with umlaut', 'kaffeemü', 'Kaffeemühle mit Edelstahlmahlwerk'],
  ['German', 'misspelling', 'kafeemühle', 'Kaffeemühle mit Edelstahlmahlwerk'],
  ['German', 'translated name', 'pajamas', 'Kinderschlafanzug'],
  ['German', 'exact translated name', "children's pajamas", 'Kinderschlafanzug'],
  ['German', 'translated description', 'little owls', 'Kinderschlafanzug'],
  ['German', 'category', 'damenmode', 'Weiße Baumwollbluse'],
  ['German', 'misspelt option value', 'zitronengleb', 'Gummistiefel für Kinder'],
  ['Turkish', 'exact name', 'KIŞLIK YÜN ŞAPKA', 'Kışlık Yün Şapka'],
  ['Turkish', 'phrase without accents', 'isikli cocuk', 'Işıklı Çocuk Ayakkabısı'],
  ['Turkish', 'misspelling', 'çaydanlk', 'Bakır Çaydanlık'],
  ['Turkish', 'word without its suffix', 'ayakkabı', 'Işıklı Çocuk Ayakkabısı'],
  ['Turkish', 'category', 'mutfak gereçleri', 'Bakır Çaydanlık'],
  ['Turkish', 'option value', 'gül kurusu', 'Kışlık Yün Şapka'],
  ['French', 'phrase', 'creme brulee', 'Crème Brûlée au Thé'],
  ['French', 'prefix and word', 'thé', 'Crème Brûlée au Thé', 'Théière en fonte'],
  ['French', 'elision', "robe d'ete", "Robe d'été à fleurs"],
  ['French', 'misspelling', 'théeire', 'Théière en fonte'],
  ['French', 'translated name', 'teekanne', 'Théière en fonte'],
  ['French', 'brand', 'patisserie lenotre', 'Crème Brûlée au Thé'],
  ['French', 'attribute option', 'coton', "Robe d'été à fleurs"],
  ['Russian', 'phrase', 'зимняя куртка', 'Зимняя куртка мужская'],
  ['Russian', 'sku', 'зк-7', 'Зимняя куртка мужская'],
  ['Russian', 'misspelling', 'чяйник', 'Чайник электрический'],
  ['Russian', 'letter yo', 'елочная', 'Ёлочная игрушка'],
  ['Russian', 'category', 'АКСЕССУАРЫ', 'Шерстяной шарф'],
  ['Russian', 'words in another order', 'шарф шерстяной', 'Шерстяной шарф'],
  ['Arabic', 'exact name', 'قميص قطني أزرق', 'قميص قطني أزرق'],
  ['Arabic', 'without hamza', 'ازرق', 'قميص قطني أزرق'],
  ['Arabic', 'with vowel marks', 'قَمِيص', 'قميص قطني أزرق'],
  ['Arabic', 'without the article', 'ورد', 'عطر الورد'],
  ['Arabic', 'with the article', 'القميص', 'قميص قطني أزرق'],
  ['Arabic', 'prefix with the article', 'الور', 'عطر الورد'],
  ['Arabic', 'exact name with another article', 'العطر الورد', 'عطر الورد'],
  ['Arabic', 'misspelling', 'رياظي', 'حذاء رياضي للأطفال'],
  ['Arabic', 'brand', 'دار النحاس', 'إبريق شاي نحاسي'],
  ['Arabic', 'category', 'احذية', 'حذاء رياضي للأطفال'],
  ['Greek', 'exact name in capitals', 'ΚΕΡΑΜΙΚΗ ΚΟΥΠΑ', 'Κεραμική κούπα'],
  ['Greek', 'final sigma', 'ΣΚΥΛΟΥΣ', 'Παιχνίδια για σκύλους'],
  ['Greek', 'misspelling', 'μπυφάν', 'Χειμωνιάτικο μπουφάν'],
  ['Greek', 'attribute option', 'πηλος', 'Κεραμική κούπα'],
  ['Hebrew', 'phrase', 'חולצת כותנה', 'חולצת כותנה לבנה'],
  ['Hebrew', 'with vowel marks', 'כּוֹס', 'כוס קרמיקה'],
  ['Hebrew', 'misspelling', 'קרמיכה', 'כוס קרמיקה'],
  ['Hebrew', 'category', 'מטבח', 'כוס קרמיקה'],
  ['Chinese', 'exact name', '不锈钢保温杯', '不锈钢保温杯'],
  ['Chinese', 'inside a name', '蓝牙耳机', '无线蓝牙耳机'],
  ['Chinese', 'inside several names', '耳机', '耳机收纳盒', '无线蓝牙耳机'],
  ['Chinese', 'one character', '茶', '抹茶茶碗セット', '凤凰单丛乌龙茶'],
  ['Chinese', 'inside a description', '三十小时', '无线蓝牙耳机'],
  ['Chinese', 'two words', '耳机 无线', '无线蓝牙耳机'],
  ['Chinese', 'misspelling', '无限蓝牙耳机', '无线蓝牙耳机'],
  ['Chinese', 'two words without a space', '无线耳机', '无线蓝牙耳机'],
  ['Chinese', 'brand', '外山', '不锈钢保温杯'],
  ['Chinese', 'category', '家居', '儿童保温水壶'],
  ['Chinese', 'attribute option', '塑料', '耳机收纳盒'],
  ['Chinese', 'characters in another order', '壶水温保童儿'],
  ['Japanese', 'inside a name', 'イヤホン', 'ワイヤレスイヤホン'],
  ['Japanese', 'half width', 'ｲﾔﾎﾝ', 'ワイヤレスイヤホン'],
  ['Japanese', 'misspelling', 'イアホン', 'ワイヤレスイヤホン'],
  ['Japanese', 'wrong second half of a long name', 'ワイヤレステレホン', 'ワイヤレスイヤホン'],
  ['Japanese', 'wrong first half of a long name', 'コードレスイヤホン', 'ワイヤレスイヤホン'],
  ['Japanese', 'inside a description', '通勤', 'ワイヤレスイヤホン'],
  ['Japanese', 'inside a name', '鉄器', '南部鉄器の急須'],
  ['Japanese', 'end of a name', '傘 軽量', '折りたたみ傘 軽量'],
  ['Japanese', 'option value', '若草', '抹茶茶碗セット'],
  ['Thai', 'exact name', 'รองเท้าผ้าใบเด็ก', 'รองเท้าผ้าใบเด็ก'],
  ['Thai', 'inside a name', 'ผ้าฝ้าย', 'เสื้อยืดผ้าฝ้ายสีขาว'],
  ['Thai', 'inside a name', 'กาแฟ', 'แก้วกาแฟเซรามิก'],
  ['Thai', 'misspelling', 'เซรามิค', 'แก้วกาแฟเซรามิก'],
  ['Thai', 'inside a description', 'ไมโครเวฟ', 'แก้วกาแฟเซรามิก'],
  ['Thai', 'category', 'สินค้า', 'รองเท้าผ้าใบเด็ก'],
  ['Korean', 'exact name', '무선 이어폰', '무선 이어폰'],
  ['Korean', 'prefix', '스테인', '스테인리스 텀블러'],
  ['Korean', 'misspelling', '탬블러', '스테인리스 텀블러'],
  ['Korean', 'misspelt short word', '가뱡', '여성용 가죽 가방'],
  ['Korean', 'category', '패션잡화', '여성용 가죽 가방'],
  ['Korean', 'option value', '하늘색', '스테인리스 텀블러'],
];

let database: TestDatabase;
let service: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  service = await startOperations(database.db);
  ctx = await createContext(database.db);
  await saveFixtureCatalogue(ctx);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

it.each(RESULTS)('%s, %s: %s', async (_, _kind, query, ...found) => {
  const { errors, data } = await service.call(ctx, 'searchProducts', { input: { query } });
  expect(errors).toBeUndefined();
  const { totalCount, results, facets } = data!.searchProducts as Found;
  expect(results.map(({ name }) => name)).toEqual(found);
  expect(totalCount).toBe(found.length);
  const types = facets.find(({ field }) => field === 'TYPE')!.values;
  expect(types.map(({ count }) => count)).toEqual(found.length > 0 ? [found.length] : []);
});

it('the order of results does not depend on records with the word that no product refers to', async () => {
  const other = await createContext(database.db);
  const tag = async (name: string) => (await saveProductTag(other, { input: { name } }, { id: {} })).id!;
  const product = { type: 'PHYSICAL' as const, variants: [{ prices: [{ sellPrice: 1 }] }] };
  const tagIds = [await tag('Walnut wood')];
  for (const input of [
    { ...product, name: 'Chair', tagIds },
    { ...product, name: 'Oil', description: 'For walnut' },
    { ...product, name: 'Walnuts' },
  ])
    await saveProduct(other, { input }, { id: {} });
  const found = async (): Promise<string[]> => {
    const { data } = await service.call(other, 'searchProducts', { input: { query: 'walnut' } });
    return (data!.searchProducts as Found).results.map(({ name }) => name);
  };
  const before = await found();
  for (const name of ['Walnut veneer', 'Walnut oil', 'Walnut brown']) await tag(name);
  expect([before, await found()]).toEqual(Array(2).fill(['Walnuts', 'Chair', 'Oil']));
});

type Found = {
  totalCount: number;
  results: { name: string }[];
  facets: { field: string; values: { count: number }[] }[];
};
