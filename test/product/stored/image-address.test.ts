import { expect, it } from 'vitest';
import { newId } from '../../../src/db/sql/id.ts';
import { addressOf, imagePath } from '../../../src/product/stored/image-address.ts';

const [merchantId, imageId] = [newId(), newId()];

it.each([
  ['the address it was fetched from', { imageId, sourceUrl: 'https://example.com/a.png' }, 'https://example.com/a.png'],
  ['its path in this service', { imageId, sourceUrl: null }, imagePath(merchantId, imageId)],
  ['the same if plain SQL has stored no address', { imageId }, imagePath(merchantId, imageId)],
  ['nothing, if the id is not of this service', { imageId: 'picture', sourceUrl: null }, null],
  [
    'a path without the host',
    { imageId, sourceUrl: `https://shop.example${imagePath(merchantId, imageId)}` },
    imagePath(merchantId, imageId),
  ],
])('a file refers to a picture by %s', (_name, image, address) => {
  expect(addressOf(merchantId, image)).toBe(address);
});
