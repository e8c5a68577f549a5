import { expect, test } from 'vitest';
import { envelope } from '../../../src/webhook/sending/envelope.ts';
import { signData } from '../../../src/webhook/sending/signature.ts';

const DATA = '{"id":"c1","firstName":"Şule \\"S\\" 🛍","createdAt":1760000000000}';

test('the body has the members that receivers rely on, in this order', () => {
  const delivery = {
    id: '0199c0de-0000-7000-8000-000000000001',
    createdAt: new Date(1_760_000_000_123),
    scope: 'store/customer/created',
    merchantId: 'm1',
    authorizedAppId: 'a1',
    sequence: 7,
    data: DATA,
  };
  const body = JSON.parse(envelope(delivery, 'secret'));
  expect(body).toEqual({
    ...delivery,
    createdAt: '2025-10-09T08:53:20.123Z',
    signature: signData(DATA, 'secret'),
  });
  expect(Object.keys(body)).toEqual([
    'id',
    'createdAt',
    'scope',
    'merchantId',
    'authorizedAppId',
    'sequence',
    'data',
    'signature',
  ]);
});

test('texts that were left out are named next to the data, if there are any', () => {
  const delivery = {
    id: 'd1',
    createdAt: new Date(0),
    scope: 'store/product/updated',
    merchantId: 'm1',
    authorizedAppId: 'a1',
    sequence: 1,
    data: DATA,
  };
  const body = JSON.parse(envelope({ ...delivery, truncated: ['description'] }, 'secret'));
  expect(body).toMatchObject({ data: DATA, truncated: ['description'], signature: signData(DATA, 'secret') });
  expect(Object.keys(body).slice(-3)).toEqual(['data', 'truncated', 'signature']);
  expect(envelope({ ...delivery, truncated: null }, 'secret')).toBe(envelope(delivery, 'secret'));
});

test('changes are named next to the data, and the signature of the data does not cover them', () => {
  const delivery = {
    id: 'd1',
    createdAt: new Date(0),
    scope: 'store/product/updated',
    merchantId: 'm1',
    authorizedAppId: 'a1',
    sequence: 1,
    data: DATA,
  };
  const changes = { changedPaths: ['name'], previous: '{"name":"a"}' };
  const body = JSON.parse(envelope({ ...delivery, changes }, 'secret'));
  expect(body).toMatchObject({ data: DATA, ...changes, signature: signData(DATA, 'secret') });
  expect(Object.keys(body).slice(-4)).toEqual(['data', 'changedPaths', 'previous', 'signature']);
  expect(envelope({ ...delivery, changes: null }, 'secret')).toBe(envelope(delivery, 'secret'));
});
