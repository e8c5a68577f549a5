import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Bundles } from '../../../src/product-file/import/bundles.ts';
import type { FileProduct } from '../../../src/product-file/import/file-product.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';

it('bundles that wait for the end of the file do not keep their products in memory', async () => {
  const bundles = new Bundles();
  const products = [waiting(bundles)];
  await turn();
  collectGarbage();
  expect(products.map((product) => product.deref())).toEqual([undefined]);
});

/** A product of which a bundle waits. */
function waiting(bundles: Bundles): WeakRef<FileProduct> {
  const product = { line: 1, handle: 'tee' } as FileProduct;
  const wanted = { variantId: undefined, variantKey: 'tee', bundle: null, place: { line: 1 }, name: 'bundle' };
  const entry = { product, input: { variants: [] }, bundles: [wanted], isOnlyBundles: false };
  bundles.add(entry, { updated: 0, skipped: [] });
  return new WeakRef(product);
}
