import type { KeyObject } from 'node:crypto';
import { decryptClientSecret, type SecretOwner } from '../../app/credentials/client-secret.ts';
import { type Delivery, envelope } from './envelope.ts';
import { signatureHeaders } from './signature.ts';

/**
 * The secrets of a signature. During the overlap after a rotation there is a former secret, which receivers may still
 * use.
 */
export type SigningSecrets = { readonly current: string; readonly former: string | null };

export type EncryptedSecrets = {
  readonly clientSecretEncrypted: string;
  readonly formerSecretEncrypted: string | null;
};

export function decryptSigningSecrets(
  secretKey: KeyObject,
  owner: SecretOwner,
  { clientSecretEncrypted, formerSecretEncrypted }: EncryptedSecrets,
): SigningSecrets {
  return {
    current: decryptClientSecret(secretKey, owner, clientSecretEncrypted),
    former: formerSecretEncrypted === null ? null : decryptClientSecret(secretKey, owner, formerSecretEncrypted),
  };
}

/**
 * Returns the signed body and headers. The header has a signature for each secret. `signature` in the body is a single
 * value; it uses the former secret while there is one, so that a rotation breaks no receiver.
 */
export function signDelivery(
  delivery: Delivery,
  sentAt: Date,
  { current, former }: SigningSecrets,
): { body: string; headers: Record<string, string> } {
  const body = envelope(delivery, former ?? current);
  const secrets = former === null ? [current] : [current, former];
  return { body, headers: signatureHeaders(delivery.id, sentAt, body, secrets) };
}
