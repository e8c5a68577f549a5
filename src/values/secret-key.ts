import { createSecretKey, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** SECRET_KEY: one key, or several during a rotation. The first one encrypts, and each of them decrypts. */
export type SecretKey = KeyObject | readonly KeyObject[];

export function keysOf(secretKey: SecretKey): readonly KeyObject[] {
  return 'length' in secretKey ? secretKey : [secretKey];
}

/** The key that encrypts. */
export function firstKey(secretKey: SecretKey): KeyObject {
  return keysOf(secretKey)[0]!;
}

/** Reads keys in hex or base64, separated by commas. Null if one is none. KeyObjects do not show their bytes in logs. */
export function keysFromText(text: string): readonly KeyObject[] | null {
  const keys = text.split(',').map((part) => keyFromText(part.trim()));
  return keys.includes(null) ? null : keys.filter((key) => key !== null);
}

function keyFromText(text: string): KeyObject | null {
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return bytes.length === KEY_BYTES && /^[\w+/-]+={0,2}$/.test(text) ? createSecretKey(bytes) : null;
}
