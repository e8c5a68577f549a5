import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import type { MerchantInput } from '../../src/merchant/merchant-input.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { sentBack } from '../support/sent-back.ts';

let database: TestDatabase;
let server: Awaited<ReturnType<typeof startOperations>>;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startOperations(database.db);
  ctx = await createContext(database.db);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

type Saved = { id: string; metaData: { slug: string }; updatedAt: number };

const call = async (mutation: string, input: object, by = ctx) => await server.call(by, mutation, { input });

const save = async (mutation: string, input: object, by = ctx): Promise<Saved> => {
  const { data, errors } = await call(mutation, input, by);
  expect(errors).toBeUndefined();
  return data![mutation] as Saved;
};

const kinds: [mutation: string, members: object][] = [
  ['saveProduct', { type: 'PHYSICAL', variants: [] }],
  ['saveCategory', {}],
  ['saveProductBrand', {}],
];

describe.each(kinds)('a slug sent to %s', (mutation, members) => {
  const create = async (slug?: string): Promise<Saved> =>
    await save(mutation, { ...members, name: newId(), ...(slug !== undefined && { metaData: { slug } }) });
  const resave = async ({ id }: Saved, slug: string): Promise<Saved> =>
    await save(mutation, { ...members, id, name: newId(), metaData: { slug } });

  it('keeps its number in equal saves while another record has the slug', async () => {
    const slug = newId();
    await create(slug);
    const second = await create(slug);
    const third = await create(slug);
    expect([second.metaData.slug, third.metaData.slug]).toEqual([`${slug}-2`, `${slug}-3`]);
    for (let time = 0; time < 4; time++) {
      expect((await resave(third, slug)).metaData.slug).toBe(`${slug}-3`);
      expect((await resave(second, slug)).metaData.slug).toBe(`${slug}-2`);
    }
  });

  it('changes nothing when it is sent again with everything else', async () => {
    const slug = newId();
    await create(slug);
    const second = await create(slug);
    const input = { ...sentBack(mutation, second), metaData: { slug } };
    expect(await save(mutation, input)).toEqual(second);
  });

  it('is used without a number when it is free again', async () => {
    const slug = newId();
    const first = await create(slug);
    const second = await create(slug);
    await resave(first, `${slug}-x`);
    expect((await resave(second, slug)).metaData.slug).toBe(slug);
  });

  it('gets the next number if it is sent with a number that is used', async () => {
    const slug = newId();
    await create(slug);
    const second = await create(slug);
    const other = await create(`${slug}-2-b`);
    expect((await resave(other, second.metaData.slug)).metaData.slug).toBe(`${slug}-2-2`);
    expect((await resave(other, slug)).metaData.slug).toBe(`${slug}-3`);
  });

  it('replaces a slug that ends in `-1`, which is no number of the service', async () => {
    const slug = newId();
    await create(slug);
    const other = await create(`${slug}-1`);
    expect((await resave(other, slug)).metaData.slug).toBe(`${slug}-2`);
  });

  it('has at most 255 code points with its number', async () => {
    const slug = `${newId()}${'ü'.repeat(219)}`;
    await create(slug);
    const second = await create(slug);
    expect(second.metaData.slug).toBe(`${Array.from(slug).slice(0, 247).join('')}-2`);
    expect((await resave(second, slug)).metaData.slug).toBe(second.metaData.slug);
    expect((await resave(second, second.metaData.slug)).metaData.slug).toBe(second.metaData.slug);
  });

  it.each(['a/b', 'a b', 'Shirt', 'a?b', 'a#b', 'a%20b', 'a\\b', 'a&b', '..', '.', '-', 'a\u200bb', '😀', 'É'])(
    'is refused if it is %j',
    async (slug) => {
      const stored = await create();
      for (const id of [undefined, stored.id]) {
        const { errors } = await call(mutation, { ...members, id, name: newId(), metaData: { slug } });
        expect(errors).toMatchObject([
          {
            extensions: {
              code: 'ARGUMENT_VALIDATION_ERROR',
              issues: [
                {
                  path: ['input', 'metaData', 'slug'],
                  message: expect.stringContaining('lower-case letters') as string,
                },
              ],
            },
          },
        ]);
      }
    },
  );

  it.each(['a', '1', 'a-b_c.d~e', 'ürün', 'şapka', '帽子', 'قبعة', 'हिन्दी', 'm2'])('may be %s', async (slug) => {
    const unique = `${slug}-${newId()}`;
    expect((await create(unique)).metaData.slug).toBe(unique);
  });

  it('is refused in a translation too, and an empty one is null', async () => {
    const input = { ...members, name: newId() };
    const metaData = (slug: string) => ({ slug: newId(), translations: [{ locale: 'de' }, { locale: 'tr', slug }] });
    const { errors } = await call(mutation, { ...input, metaData: metaData('a b') });
    expect(errors).toMatchObject([
      { extensions: { issues: [{ path: ['input', 'metaData', 'translations', 1, 'slug'] }] } },
    ]);
    for (const slug of ['şapka', '']) await save(mutation, { ...input, name: newId(), metaData: metaData(slug) });
  });

  it('may be sent back if it is stored, also if it is invalid', async () => {
    const { id } = await create();
    const slug = `Old Slug/${newId()}`;
    await database.db.execute(
      sql`update html_meta_data set slug = ${slug}, translations = '[{"locale":"de","slug":"A B"}]'
        where merchant_id = ${ctx.merchantId} and target_id = ${id}`,
    );
    const translations = [{ locale: 'de', slug: 'A B' }];
    const saved = await save(mutation, { ...members, id, name: newId(), metaData: { slug, translations } });
    expect(saved.metaData).toMatchObject({ slug, translations });
  });
});

it('names the entry of a bulk request with a slug that is refused', async () => {
  const entry = (slug: string) => ({
    name: newId(),
    type: 'PHYSICAL',
    categories: [],
    productVariantTypes: [],
    variants: [{ prices: [{ sellPrice: 1 }] }],
    metaData: { slug },
  });
  const { errors } = await server.call(ctx, 'bulkUpdateProducts', { input: [entry('fine'), entry('Not Fine')] });
  expect(errors).toMatchObject([
    { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 1, 'metaData', 'slug'] }] } },
  ]);
});

describe('a slug made from the name', () => {
  const owner = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const shopOf = async (input: Partial<MerchantInput>): Promise<Context> => {
    const { merchantId } = await createMerchant(ctx, { input: { ...owner, ...input } });
    return { ...ctx, merchantId, session: { ...ctx.session, merchantId } };
  };

  it.each<[Partial<MerchantInput>, string, { [name: string]: string }]>([
    [{ region: 'TR' }, 'tr', { Ürün: 'urun', 'KIRMIZI TİŞÖRT': 'kirmizi-tisort', 'İPEK Işık': 'ipek-isik' }],
    [{ language: 'tr-CY' }, 'tr-CY', { Ürün: 'urun' }],
    [{ language: 'de' }, 'de', { Übung: 'uebung', 'STRAẞE Größe': 'strasse-groesse' }],
    [{ region: 'TR', language: 'de' }, 'de', { Ürün: 'ueruen' }],
    [{ language: 'sv' }, 'sv', { Räksmörgås: 'raksmorgas' }],
    [{ region: 'PL' }, 'pl', { 'Żółta łódź': 'zolta-lodz' }],
    [{ region: 'EU' }, 'en', { Ürün: 'ueruen', 'iPhone 15': 'iphone-15' }],
    [{}, 'en', { 'Déjà Vu!': 'deja-vu', Шапка: 'shapka', 'USB 线': 'usb' }],
    [
      { language: 'ja' },
      'ja',
      {
        帽子: '帽子',
        ' 夏の ﾎﾞｳｼ / 2.0!': '夏の-ボウシ-2-0',
        ['帽'.repeat(255)]: '帽'.repeat(247),
        '!?': 'product',
        '2.0': '2-0',
      },
    ],
    [{}, 'en', { 'חולצה לבנה': 'חולצה-לבנה', 'हिन्दी किताब': 'हिन्दी-किताब', '한국 커피': '한국-커피' }],
  ])('of a merchant with %j follows the language %s', async (merchant, language, slugs) => {
    const own = await shopOf(merchant);
    const { data } = await server.call(own, 'getMerchant', {});
    expect(data!['getMerchant']).toMatchObject({ language });
    for (const [name, slug] of Object.entries(slugs))
      expect((await save('saveProduct', { name, type: 'PHYSICAL', variants: [] }, own)).metaData.slug).toBe(slug);
  });

  it.each(kinds)(
    'by %s follows the language, and is kept when the language or the name changes',
    async (mutation, members) => {
      const own = await shopOf({ region: 'TR' });
      const { id, metaData } = await save(mutation, { ...members, name: 'Gömlek' }, own);
      expect(metaData.slug).toBe('gomlek');
      await database.db.execute(sql`update merchant set language = 'de' where merchant_id = ${own.merchantId}`);
      expect((await save(mutation, { ...members, id, name: 'Gömlekler' }, own)).metaData.slug).toBe('gomlek');
      expect((await save(mutation, { ...members, name: 'Gömlek' }, own)).metaData.slug).toBe('goemlek');
    },
  );

  it('follows the language in a bulk request, for brands and categories too', async () => {
    const own = await shopOf({ region: 'TR' });
    const entry = {
      name: 'Ürün',
      type: 'PHYSICAL',
      productVariantTypes: [],
      variants: [{ prices: [{ sellPrice: 1 }] }],
    };
    const input = [{ ...entry, brand: { name: 'Köprü' }, categories: [{ name: ['Gözlük'] }] }];
    expect((await server.call(own, 'bulkUpdateProducts', { input })).errors).toBeUndefined();
    const rows = await database.db.execute<{ slug: string }>(
      sql`select slug from html_meta_data where merchant_id = ${own.merchantId} order by slug`,
    );
    expect(rows.map(({ slug }) => slug)).toEqual(['gozluk', 'kopru', 'urun']);
  });

  it.each(['tr_TR', '', 'turkish language', 'a', 'tr\n'])(
    'needs a language tag in plain SQL too: %j is none',
    async (language) => {
      const { merchantId } = await shopOf({ region: 'TR' });
      const message: unknown = expect.stringContaining('violates check constraint "merchant_language_tag"');
      await expect(
        database.db.execute(sql`update merchant set language = ${language} where merchant_id = ${merchantId}`),
      ).rejects.toMatchObject({ cause: { message } });
    },
  );

  it('is made in English if plain SQL stored a language of the form of a tag that is none', async () => {
    const own = await shopOf({ region: 'TR' });
    await database.db.execute(sql`update merchant set language = 'abcd' where merchant_id = ${own.merchantId}`);
    expect((await save('saveProduct', { name: 'Gömlek', type: 'PHYSICAL', variants: [] }, own)).metaData.slug).toBe(
      'goemlek',
    );
  });

  it('needs a language that is a BCP 47 tag', async () => {
    for (const language of ['', 'x y', 'turkish language', 'a'])
      await expect(createMerchant(ctx, { input: { ...owner, language } })).rejects.toMatchObject({
        code: 'ARGUMENT_VALIDATION_ERROR',
        extensions: { issues: [{ path: ['input', 'language'] }] },
      });
  });
});
