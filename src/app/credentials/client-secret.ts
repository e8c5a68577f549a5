import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../../drizzle/app.ts';
import { firstKey, keysOf, type SecretKey } from '../../values/secret-key.ts';

const SECRET_BYTES = 32;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Prefix of stored secrets, for a later change of the cipher. */
const VERSION = 'v1.';

/** The owner is authenticated by the cipher: a secret copied into another row cannot be decrypted. */
export type SecretOwner = { readonly merchantId: string; readonly authorizedAppId: string };

export function newClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function encryptClientSecret(secretKey: SecretKey, owner: SecretOwner, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, firstKey(secretKey), nonce, { authTagLength: TAG_BYTES }).setAAD(
    binding(owner),
  );
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

/** Webhooks are signed with the plain secret. Throws if it was encrypted with another SECRET_KEY. */
export function decryptClientSecret(secretKey: SecretKey, owner: SecretOwner, stored: string): string {
  if (!stored.startsWith(VERSION)) throw new Error('The stored client secret is in an unknown form.');
  const secret = openClientSecret(secretKey, owner, stored);
  if (secret !== null) return secret;
  throw new Error(`The client secret of app ${owner.authorizedAppId} does not open with this SECRET_KEY.`);
}

/**
 * The plain former secret; null if there is none. One that does not open counts as none: with an error for it, the app
 * could not use its current secret either until the overlap ends.
 */
export function decryptFormerSecret(secretKey: SecretKey, owner: SecretOwner, stored: string | null): string | null {
  return stored === null ? null : openClientSecret(secretKey, owner, stored);
}

/** The decrypted secret; null if no key decrypts it. */
export function openClientSecret(secretKey: SecretKey, owner: SecretOwner, stored: string): string | null {
  if (!stored.startsWith(VERSION)) return null;
  for (const key of keysOf(secretKey)) {
    const secret = decryptWith(key, owner, stored);
    if (secret !== null) return secret;
  }
  return null;
}

/** Null if it was encrypted with another key. */
function decryptWith(key: KeyObject, owner: SecretOwner, stored: string): string | null {
  const bytes = Buffer.from(stored.slice(VERSION.length), 'base64url');
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length !== TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(binding(owner))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** Constant time, for any lengths. */
export function isSameSecret(given: string, stored: string): boolean {
  return timingSafeEqual(sha256(given), sha256(stored));
}

function binding({ merchantId, authorizedAppId }: SecretOwner): Buffer {
  return Buffer.from(`${merchantId}/${authorizedAppId}`);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The encrypted former secret during the overlap after a rotation, otherwise null. */
export function formerSecretEncrypted(at: SQL = sql`now()`): SQL<string | null> {
  return sql`case when ${authorizedApp.formerSecretUntil} > ${at} then ${authorizedApp.formerSecretEncrypted} end`;
}
