import type { DeliveryChanges, DeliveryDetails } from '../../../drizzle/webhook.ts';
import { decryptClientSecret, decryptFormerSecret, type SecretOwner } from '../../app/credentials/client-secret.ts';
import { signatureHeaders, signData } from './signature.ts';
import type { SecretKey } from '../../values/secret-key.ts';

/** A push as stored in the ledger, the same in all its attempts. */
export type Delivery = {
  readonly id: string;
  readonly createdAt: Date;
  readonly scope: string;
  readonly merchantId: string;
  readonly authorizedAppId: string;
  /** Counts the pushes of one record to one app, without gaps. */
  readonly sequence: number;
  /** The record right after the change, as JSON text. */
  readonly data: string;
  /** Members that events of some scopes have. */
  readonly details?: DeliveryDetails | null;
  /** Given if the webhook includes changes. */
  readonly changes?: DeliveryChanges | null;
  /** Paths of the texts that were left out of `data`; null if it is complete. */
  readonly truncated?: readonly string[] | null;
};

/**
 * The body of a push. `data` is a JSON text inside it, so that the receiver verifies exactly the bytes that were
 * signed. `truncated` is present only if texts were left out.
 */
export function envelope(delivery: Delivery, clientSecret: string): string {
  return signedEnvelope(unsignedEnvelope(delivery), clientSecret);
}

/** The body of a push from its other members. */
export function signedEnvelope(members: { readonly data: string }, clientSecret: string): string {
  return JSON.stringify({ ...members, signature: signData(members.data, clientSecret) });
}

/** The members of a push's body, without its signature. */
export function unsignedEnvelope(delivery: Delivery): { readonly data: string } & Readonly<Record<string, unknown>> {
  const { id, createdAt, scope, merchantId, authorizedAppId, sequence, data, details, changes, truncated } = delivery;
  return {
    id,
    createdAt: createdAt.toISOString(),
    scope,
    merchantId,
    authorizedAppId,
    sequence,
    data,
    ...details,
    ...(changes && { changedPaths: changes.changedPaths, previous: changes.previous }),
    ...(truncated && { truncated }),
  };
}

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
  secretKey: SecretKey,
  owner: SecretOwner,
  { clientSecretEncrypted, formerSecretEncrypted }: EncryptedSecrets,
): SigningSecrets {
  return {
    current: decryptClientSecret(secretKey, owner, clientSecretEncrypted),
    former: decryptFormerSecret(secretKey, owner, formerSecretEncrypted),
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
