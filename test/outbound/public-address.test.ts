import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from '../../src/outbound/public-address.ts';
import { IPV4_CARRIERS, PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from './addresses.ts';

const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });

// docs/reliability-tests.md: 68
test.each(SPECIAL_ADDRESSES)('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(PUBLIC_ADDRESSES)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(Object.entries(IPV4_CARRIERS))('no IPv4 address inside an IPv6 address is public (%s)', (_name, carry) => {
  fc.assert(
    fc.property(octets, (ipv4) => {
      expect(isPublicAddress(carry(ipv4))).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test('only addresses in 2000::/3 are public in IPv6', () => {
  const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(groups, (parts) => {
      const address = parts.map((part) => part.toString(16)).join(':');
      fc.pre(parts[0]! < 0x2000 || parts[0]! > 0x3fff);
      expect(isPublicAddress(address)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '',
  ' ',
  '8.8.8',
  '134744072',
  '0x8.8.8.8',
  '010.8.8.8',
  '08.8.8.8',
  '8.8.8.8 ',
  '8.8.8.8:53',
  '[2606:4700::1]',
  'example.com',
])('%j is not an address in plain notation, and therefore not public', (text) => {
  expect(isPublicAddress(text)).toBe(false);
});
