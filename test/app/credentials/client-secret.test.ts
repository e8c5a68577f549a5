import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  decryptClientSecret,
  encryptClientSecret,
  isSameSecret,
  newClientSecret,
} from '../../../src/app/credentials/client-secret.ts';
import { newId } from '../../../src/db/sql/id.ts';

const secretKey = createSecretKey(randomBytes(32));
const owner = { merchantId: newId(), authorizedAppId: newId() };

it('decrypts what it encrypted, and encrypts the same secret differently each time', () => {
  const secret = newClientSecret();
  const stored = [1, 2].map(() => encryptClientSecret(secretKey, owner, secret));
  expect(stored.map((text) => decryptClientSecret(secretKey, owner, text))).toEqual([secret, secret]);
  expect(stored[0]).not.toBe(stored[1]);
});

it('cannot be decrypted with another key, for another app, or with a changed bit', () => {
  const stored = encryptClientSecret(secretKey, owner, newClientSecret());
  expect(() => decryptClientSecret(createSecretKey(randomBytes(32)), owner, stored)).toThrow(
    'does not open with this SECRET_KEY',
  );
  expect(() => decryptClientSecret(secretKey, { ...owner, authorizedAppId: newId() }, stored)).toThrow('does not open');
  const bytes = Buffer.from(stored.slice(3), 'base64url');
  for (const position of [0, 15, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[position]! ^= 1;
    expect(() => decryptClientSecret(secretKey, owner, `v1.${changed.toString('base64url')}`)).toThrow('does not open');
  }
  expect(() => decryptClientSecret(secretKey, owner, 'none')).toThrow('unknown form');
});

it('encrypts with the first of several keys, and decrypts with any', () => {
  const otherKey = createSecretKey(randomBytes(32));
  const secret = newClientSecret();
  const stored = encryptClientSecret(secretKey, owner, secret);
  expect(decryptClientSecret([otherKey, secretKey], owner, stored)).toBe(secret);
  expect(decryptClientSecret(otherKey, owner, encryptClientSecret([otherKey, secretKey], owner, secret))).toBe(secret);
});

// docs/reliability-tests.md: 2
it('compares secrets of any length', () => {
  expect(isSameSecret('abc', 'abc')).toBe(true);
  for (const other of ['', 'ab', 'abd', 'abcd', '\0', 'ABC']) expect(isSameSecret(other, 'abc')).toBe(false);
});
