import type { KeyObject } from 'node:crypto';
import type { DeliveryAttempt } from '../../drizzle/webhook.ts';
import { decryptClientSecret } from '../app/client-secret.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { ClaimedDelivery } from './claimDeliveries.ts';
import { envelope } from './envelope.ts';
import { push } from './push.ts';
import { signatureHeaders } from './signature.ts';

export type SendNeeds = { outbound: Outbound; secretKey: KeyObject; merchantId: string; signal?: AbortSignal };

/** Makes the one request that a claim allows. Never throws: what went wrong is part of the log. */
export async function sendDelivery(
  { outbound, secretKey, merchantId, signal }: SendNeeds,
  delivery: ClaimedDelivery,
): Promise<{ delivered: boolean; log: DeliveryAttempt }> {
  const sentAt = new Date();
  const { id, authorizedAppId, scope, sequence, data, truncated, endpoint, clientSecretEncrypted } = delivery;
  let secret: string;
  try {
    secret = decryptClientSecret(secretKey, { merchantId, authorizedAppId }, clientSecretEncrypted);
  } catch {
    return { delivered: false, log: { at: sentAt.getTime(), statusCode: null, error: 'not signed', durationMs: 0 } };
  }
  const createdAt = new Date(delivery.createdAt);
  const body = envelope({ id, createdAt, scope, merchantId, authorizedAppId, sequence, data, truncated }, secret);
  const { delivered, statusCode, error, durationMs } = await push(outbound, { endpoint, body, headers: signatureHeaders(id, sentAt, body, secret), signal });
  return { delivered, log: { at: sentAt.getTime(), statusCode, error, durationMs } };
}
