import { afterAll, beforeAll, expect, it } from 'vitest';
import { post } from '../support/post.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';
import { type PictureServer, startPictureServer } from './picture-server.ts';

let service: TestService;
let pictures: PictureServer;
beforeAll(async () => {
  service = await startTestService();
  pictures = await startPictureServer();
});
afterAll(async () => {
  pictures.close();
  await service.stop();
});

it('fetches the pictures of a bulk request as soon as it is committed, and serves them', async () => {
  const { token } = await service.createApp();
  const ask = async <Data>(query: string, variables: object = {}) =>
    (await post(service.graphqlUrl, { query, variables }, { token })).body.data as Data;
  const images = [{ imageUrl: `${pictures.url}/300.png`, isMain: true, order: 0 }];
  const input = [
    {
      name: 'P',
      type: 'PHYSICAL',
      categories: [],
      productVariantTypes: [],
      variants: [{ prices: [{ sellPrice: 1 }], images }],
    },
  ];
  const startedMs = performance.now();
  const { id } = await ask<{ id: string }>(
    'mutation ($input: [BulkUpdateProductsInput!]!) { id: bulkUpdateProducts(input: $input) }',
    { input },
  );
  for (let status = 'RUNNING'; status === 'RUNNING';) {
    ({ status } = (
      await ask<{ operation: { status: string } }>(
        'query ($id: ID!) { operation: getBulkOperation(id: $id) { status } }',
        { id },
      )
    ).operation);
  }
  // Polling would take much longer.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  const { merchant, products } = await ask<Shop>(
    '{ merchant: getMerchant { id } products: listProduct { data { variants { images { imageId } } } } }',
  );
  const { imageId } = products.data[0]!.variants[0]!.images[0]!;
  expect((await fetch(`${service.url}/images/${merchant.id}/${imageId}/image_180.webp`)).status).toBe(200);
});

type Shop = { merchant: { id: string }; products: { data: { variants: { images: { imageId: string }[] }[] }[] } };
