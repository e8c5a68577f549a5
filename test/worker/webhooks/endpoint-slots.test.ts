import { expect, it } from 'vitest';
import { EndpointSlots, MAX_SLOTS, MAX_SLOTS_PER_ENDPOINT } from '../../../src/worker/webhooks/endpoint-slots.ts';

function takeAll(slots: EndpointSlots, merchantId: string, endpointKeys: string[]): number {
  let taken = 0;
  for (const endpointKey of endpointKeys) while (slots.take({ merchantId, endpointKey })) taken += 1;
  return taken;
}
const endpoints = (name: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${name}${n}`);

it('gives one endpoint a quarter of the slots', () => {
  expect(takeAll(new EndpointSlots(), 'm', ['e'])).toBe(MAX_SLOTS_PER_ENDPOINT);
});

it('gives one merchant half of the slots for any number of endpoints, and reserves a quarter for merchants without requests', () => {
  const slots = new EndpointSlots();
  const shares = ['a', 'b', 'c', 'd'].map((merchantId) => takeAll(slots, merchantId, endpoints(merchantId, 8)));
  expect(shares).toEqual([MAX_SLOTS / 2, MAX_SLOTS / 4, 1, 1]);
});

it('gives each of many merchants with slow endpoints an equal share, and a slot to one that comes later', () => {
  const slots = new EndpointSlots();
  const merchants = Array.from({ length: 40 }, (_, n) => `m${n}`);
  for (const merchantId of merchants) expect(takeAll(slots, merchantId, endpoints(merchantId, 8))).toBeGreaterThan(0);
  // The first merchants have more slots than their present shares, and get no more until they have fewer.
  const [first, last] = [merchants[0]!, merchants.at(-1)!];
  slots.release({ merchantId: first, endpointKey: `${first}0` }, false, 10_000);
  expect(slots.freeForMerchant(first)).toBe(0);
  expect(slots.freeForMerchant(last)).toBe(0);
  expect(takeAll(slots, 'later', ['e'])).toBe(1);
});

it('returns the number of free slots that can be taken one after the other', () => {
  for (const before of [0, 1, 7, 100]) {
    const slots = new EndpointSlots();
    takeAll(slots, 'other', endpoints('other', 2));
    for (let n = 0; n < before; n++) slots.take({ merchantId: 'm', endpointKey: `e${n % 9}` });
    const owner = { merchantId: 'm', endpointKey: 'e9' };
    const told = slots.freeFor(owner);
    expect(takeAll(slots, owner.merchantId, [owner.endpointKey])).toBe(told);
  }
});

it('gives an endpoint that did not answer only four slots until it answers', () => {
  const slots = new EndpointSlots();
  const owner = { merchantId: 'm', endpointKey: 'e' };
  slots.take(owner);
  slots.release(owner, true);
  expect(slots.isSlow(owner)).toBe(true);
  expect(takeAll(slots, 'm', ['e'])).toBe(4);
  slots.release(owner);
  expect(slots.freeFor(owner)).toBe(1);
  slots.release(owner, false);
  expect(slots.freeFor(owner)).toBe(MAX_SLOTS_PER_ENDPOINT - 2);
});

it('has all slots free again when all are released', () => {
  const slots = new EndpointSlots();
  const taken = takeAll(slots, 'm', endpoints('e', 8));
  for (let n = 0; n < taken; n++)
    slots.release({ merchantId: 'm', endpointKey: `e${Math.floor(n / MAX_SLOTS_PER_ENDPOINT)}` }, false);
  expect(slots.free()).toBe(MAX_SLOTS);
  expect(slots.freeFor({ merchantId: 'm', endpointKey: 'e0' })).toBe(MAX_SLOTS_PER_ENDPOINT);
});
