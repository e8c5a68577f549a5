import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResponseSize } from '../../../src/limits/response-size.ts';
import { saveCategory } from '../../../src/category/saveCategory.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { compiledProjection } from '../../../src/db/read/compile.ts';
import { fillPlaceholders, placeholderText, SharedRecords } from '../../../src/db/read/placeholders.ts';
import { listProduct } from '../../../src/product/listProduct.ts';
import { shownProduct } from '../../../src/product/product.ts';
import { plainProduct, productSaver } from '../../product/products.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const fills = [
  (stored: string) => stored.toUpperCase(),
  (id: string, page: SharedRecords) => page.text(0, id) ?? 'null',
];
const slot = (number: number, value: string): string => placeholderText(number).join(value);

describe('slots', () => {
  it('are replaced inside any text', () => {
    const text = fc.string().filter((text) => !text.includes('\u0002') && !text.includes('\u0003'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), text, (parts, end) => {
        const filled = fillPlaceholders(
          parts.map(([before, value]) => before + slot(0, value)).join('') + end,
          fills,
          new SharedRecords([], { fills, preparations: [] }),
        );
        expect(filled).toBe(parts.map(([before, value]) => before + value.toUpperCase()).join('') + end);
      }),
    );
  });

  it('are replaced by the record with the id, which several rows of the page share', () => {
    const [known, other, unknown] = [newId(), newId(), newId()];
    const page = new SharedRecords([`${known}{"name":"A"}\u001e${other}{"name":${slot(0, '"b"')}}`], {
      fills,
      preparations: [],
    });
    expect(fillPlaceholders([known, other, unknown, ''].map((id) => slot(1, id)).join(), fills, page)).toBe(
      '{"name":"A"},{"name":"B"},null,null',
    );
    expect([page.record(0, known), page.record(0, unknown)]).toEqual([{ name: 'A' }, undefined]);
  });

  it('are limited to the number of characters that can mark them', () => {
    expect(() => placeholderText(64)).toThrow('more than 64');
  });
});

describe('a name that many records share', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('is read once for a page, and not shared by a single record', () => {
    const sharedBy = (isSingle?: boolean): number =>
      compiledProjection(database, shownProduct({}), { brand: { name: {} } }, isSingle).shared.length;
    expect([sharedBy(), sharedBy(true)]).toEqual([1, 0]);
  });

  it('counts for the size of the answer as often as it occurs', async () => {
    const ctx = await createContext(database.db);
    const { id } = await saveCategory(ctx, { input: { name: 'Ж'.repeat(255) } as never }, { id: {} });
    const save = productSaver(ctx);
    for (let n = 0; n < 40; n++) await save({ ...plainProduct(`P${n}`), categoryIds: [id] });
    const page = async (maxBytes: number) =>
      (
        await listProduct(
          { ...ctx, responseSize: new ResponseSize(maxBytes) },
          { pagination: { limit: 40 } },
          { data: { categories: { id: {}, name: {} } } },
        )
      ).data.length;
    expect(await page(40 * 600)).toBe(40);
    await expect(page(40 * 200)).rejects.toMatchObject({ code: 'ARGUMENT_VALIDATION_ERROR' });
  });
});
