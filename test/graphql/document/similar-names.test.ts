import { describe, expect, it } from 'vitest';
import { similarNames } from '../../../src/graphql/document/similar-names.ts';

describe('similarNames', () => {
  it.each([
    ['nam', ['id', 'name', 'names'], ['name', 'names']],
    ['NAME', ['name', 'id'], ['name']],
    ['skus', ['sku', 'sort', 'scopes'], ['sku']],
    ['lsitProduct', ['listProduct', 'listProductTag', 'getProduct'], ['listProduct', 'getProduct', 'listProductTag']],
    ['recieved', ['received', 'receiver'], ['received', 'receiver']],
    ['nothing', ['id', 'name'], []],
    ['', ['id', 'a'], ['a']],
  ])('%j of %j are %j', (misspelt, names, similar) => {
    expect(similarNames(misspelt, names)).toEqual(similar);
  });

  it('suggests five names at most, and none for a text that is longer than any name', () => {
    const names = Array.from({ length: 20 }, (_, number) => `name${number}`);
    expect(similarNames('name', names)).toHaveLength(5);
    expect(similarNames('n'.repeat(61), ['n'.repeat(60)])).toEqual([]);
  });
});
