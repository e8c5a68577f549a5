import { describe, expect, it } from 'vitest';
import { CommerceError, type Issue } from '../../src/errors.ts';
import { readImageUpload } from '../../src/image/upload-input.ts';

const url = 'https://example.com/a.png';
const read = (body: unknown, hasFile = false) => readImageUpload(body, { hasFile });

describe('accepts', () => {
  it('a picture of variants by url', () => {
    expect(read({ productImage: { variantIds: ['a', 'b'], order: 2, isMain: true, url } })).toEqual({
      target: { kind: 'variant', ids: ['a', 'b'], idsPath: ['productImage', 'variantIds'], order: 2, isMain: true },
      source: { kind: 'url', text: url, path: ['productImage', 'url'] },
    });
  });

  it('a picture of categories by base64', () => {
    expect(read({ categoryImage: { categoryIds: ['a'], base64: 'aGVsbG8=' } })).toEqual({
      target: { kind: 'category', ids: ['a'], idsPath: ['categoryImage', 'categoryIds'] },
      source: { kind: 'base64', text: 'aGVsbG8=', path: ['categoryImage', 'base64'] },
    });
  });

  it.each(['categoryIds', 'brandIds'])('a picture of brands with %s', (name) => {
    expect(read({ brandImage: { [name]: ['a'], url } })).toEqual({
      target: { kind: 'brand', ids: ['a'], idsPath: ['brandImage', name] },
      source: { kind: 'url', text: url, path: ['brandImage', 'url'] },
    });
  });

  // Clients that always send both members leave the unused one empty.
  it.each([
    ['url', { url, base64: '' }],
    ['base64', { url: '', base64: 'aGVsbG8=' }],
  ])('a picture by %s beside an empty text', (kind, input) => {
    expect(read({ categoryImage: { categoryIds: ['a'], ...input } }).source).toMatchObject({ kind });
  });

  it('a picture that comes as a file', () => {
    expect(read({ categoryImage: { categoryIds: ['a'] } }, true).source).toEqual({ kind: 'file', path: ['file'] });
  });

  it.each([
    [0, 0],
    ['0', 0],
    ['12', 12],
    ['-3', -3],
    ['1.5', 1.5],
    [-1, -1],
    [0.25, 0.25],
  ])('the order %j', (order, expected) => {
    expect(read({ productImage: { variantIds: ['a'], order, url } }).target).toMatchObject({ order: expected });
  });

  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    [null, false],
    [undefined, false],
  ])('isMain as %j', (isMain, expected) => {
    expect(read({ productImage: { variantIds: ['a'], order: 0, isMain, url } }).target).toMatchObject({
      isMain: expected,
    });
  });

  it('members it does not know, and members that are null', () => {
    const body = {
      productImage: { variantIds: ['a'], order: 0, url, base64: null, alt: 'x', __proto__: { polluted: 1 } },
      categoryImage: null,
      more: [1],
    };
    expect(read(body).source).toMatchObject({ kind: 'url' });
    expect(
      read(
        JSON.parse(
          '{"__proto__":{"polluted":1},"brandImage":{"brandIds":["a"],"url":"u","constructor":{"prototype":{"polluted":1}}}}',
        ),
      ).target.kind,
    ).toBe('brand');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('250 ids, and an id named twice as one', () => {
    const ids = Array.from({ length: 250 }, (_, index) => `id-${index}`);
    expect(read({ categoryImage: { categoryIds: ids, url } }).target.ids).toEqual(ids);
    expect(read({ categoryImage: { categoryIds: ['a', 'b', 'a'], url } }).target.ids).toEqual(['a', 'b']);
  });
});

const product = { variantIds: ['a'], order: 0 };
const tooMany = Array.from({ length: 251 }, (_, index) => `id-${index}`);

describe('names the invalid member', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['body']],
    ['null', null, ['body']],
    ['a list', [], ['body']],
    ['a text', 'productImage', ['body']],
    ['a number', 1, ['body']],
    ['no kind', {}, ['productImage', 'categoryImage', 'brandImage']],
    ['kinds that are all null', { productImage: null }, ['productImage', 'categoryImage', 'brandImage']],
    [
      'a kind it does not know',
      { collectionImage: { ids: ['a'], url } },
      ['productImage', 'categoryImage', 'brandImage'],
    ],
    [
      'two kinds',
      { productImage: { ...product, url }, brandImage: { brandIds: ['a'], url } },
      ['productImage', 'brandImage'],
    ],
    [
      'three kinds',
      { productImage: {}, categoryImage: {}, brandImage: {} },
      ['productImage', 'categoryImage', 'brandImage'],
    ],
    ['a kind that is a text', { productImage: 'x' }, ['productImage']],
    ['a kind that is a list', { categoryImage: [] }, ['categoryImage']],
    ['an empty kind', { productImage: {} }, ['productImage.variantIds', 'productImage.order', 'productImage.url']],
    ['neither url nor base64', { productImage: product }, ['productImage.url']],
    ['both url and base64', { productImage: { ...product, url, base64: 'aGVsbG8=' } }, ['productImage.base64']],
    ['an empty url', { productImage: { ...product, url: '' } }, ['productImage.url']],
    ['an empty base64', { productImage: { ...product, base64: '' } }, ['productImage.base64']],
    ['a url that is a number', { productImage: { ...product, url: 1 } }, ['productImage.url']],
    ['a base64 that is an object', { productImage: { ...product, base64: {} } }, ['productImage.base64']],
    ['no order', { productImage: { variantIds: ['a'], url } }, ['productImage.order']],
    ['an order that is null', { productImage: { ...product, order: null, url } }, ['productImage.order']],
    ['an order that is empty', { productImage: { ...product, order: '', url } }, ['productImage.order']],
    ['an order in words', { productImage: { ...product, order: 'first', url } }, ['productImage.order']],
    ['an order in hexadecimal', { productImage: { ...product, order: '0x10', url } }, ['productImage.order']],
    ['an order with spaces', { productImage: { ...product, order: ' 1', url } }, ['productImage.order']],
    ['an infinite order', { productImage: { ...product, order: JSON.parse('1e400'), url } }, ['productImage.order']],
    ['an order that is not a number', { productImage: { ...product, order: Number.NaN, url } }, ['productImage.order']],
    [
      'an order of a million digits',
      { productImage: { ...product, order: '1'.repeat(1_000_000), url } },
      ['productImage.order'],
    ],
    ['an order that is true', { productImage: { ...product, order: true, url } }, ['productImage.order']],
    ['isMain as a number', { productImage: { ...product, isMain: 1, url } }, ['productImage.isMain']],
    ['isMain as "yes"', { productImage: { ...product, isMain: 'yes', url } }, ['productImage.isMain']],
    ['isMain as "TRUE"', { productImage: { ...product, isMain: 'TRUE', url } }, ['productImage.isMain']],
    ['ids that are a text', { productImage: { variantIds: 'a', order: 0, url } }, ['productImage.variantIds']],
    ['no ids in the list', { productImage: { variantIds: [], order: 0, url } }, ['productImage.variantIds']],
    [
      'an id that is a number',
      { productImage: { variantIds: ['a', 1], order: 0, url } },
      ['productImage.variantIds.1'],
    ],
    ['an id that is null', { categoryImage: { categoryIds: [null], url } }, ['categoryImage.categoryIds.0']],
    ['251 ids', { categoryImage: { categoryIds: tooMany, url } }, ['categoryImage.categoryIds']],
    [
      '251 ids that are numbers',
      { categoryImage: { categoryIds: tooMany.map(Number), url } },
      ['categoryImage.categoryIds'],
    ],
    ['no ids of categories', { categoryImage: { url } }, ['categoryImage.categoryIds']],
    ['ids of brands for categories', { categoryImage: { brandIds: ['a'], url } }, ['categoryImage.categoryIds']],
    ['no ids of brands', { brandImage: { url } }, ['brandImage.categoryIds']],
    [
      'ids of brands by both names',
      { brandImage: { categoryIds: ['a'], brandIds: ['b'], url } },
      ['brandImage.brandIds'],
    ],
    ['251 ids of brands', { brandImage: { brandIds: tooMany, url } }, ['brandImage.brandIds']],
    [
      'everything at once',
      { productImage: { variantIds: [], order: 'x', isMain: 'x', url: 1 } },
      ['productImage.variantIds', 'productImage.order', 'productImage.isMain', 'productImage.url'],
    ],
  ])('%s', (_, body, members) => {
    expect(membersOf(() => read(body))).toEqual(members);
  });

  it.each<[string, unknown, string[]]>([
    ['no object besides the file', 'x', ['input']],
    ['a url besides the file', { productImage: { ...product, url } }, ['productImage.url']],
    ['a base64 besides the file', { productImage: { ...product, base64: 'aGVsbG8=' } }, ['productImage.base64']],
    [
      'a url and a base64 besides the file',
      { productImage: { ...product, url, base64: 'aGVsbG8=' } },
      ['productImage.url', 'productImage.base64'],
    ],
  ])('%s', (_, body, members) => {
    expect(membersOf(() => read(body, true))).toEqual(members);
  });
});

function membersOf(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    return issuesOf(error).map(({ path }) => path.join('.'));
  }
  throw new Error('It was taken');
}

function issuesOf(error: unknown): Issue[] {
  if (error instanceof CommerceError && error.code === 'ARGUMENT_VALIDATION_ERROR') {
    return error.extensions.issues as Issue[];
  }
  throw error;
}
