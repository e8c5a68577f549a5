import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Span } from '../../tracing/span.ts';
import type { ClaimedDelivery } from '../ledger/claim-deliveries.ts';
import { FAILURE_REASONS } from '../ledger/failure-reason.ts';
import { decryptSigningSecrets, signDelivery, type SigningSecrets } from './envelope.ts';
import { push } from './push.ts';
import { storedResponse } from './stored-response.ts';
import type { SecretKey } from '../../values/secret-key.ts';

export type SendDependencies = {
  outbound: Outbound;
  secretKey: SecretKey;
  merchantId: string;
  signal?: AbortSignal;
  span?: Span | undefined;
};

/** Makes the one request that a claim allows. Never throws: a failure is recorded in the log entry. */
export async function sendDelivery(
  { outbound, secretKey, merchantId, signal, span }: SendDependencies,
  delivery: ClaimedDelivery,
): Promise<{ delivered: boolean; log: DeliveryAttempt }> {
  const sentAt = new Date();
  const { id, authorizedAppId, scope, sequence, data, details, changes, truncated, endpoint } = delivery;
  let secrets: SigningSecrets;
  try {
    secrets = decryptSigningSecrets(secretKey, { merchantId, authorizedAppId }, delivery);
  } catch {
    const error = FAILURE_REASONS.notSigned;
    return { delivered: false, log: { at: sentAt.getTime(), statusCode: null, error, durationMs: null } };
  }
  const createdAt = new Date(delivery.createdAt);
  const signed = signDelivery(
    { id, createdAt, scope, merchantId, authorizedAppId, sequence, data, details, changes, truncated },
    sentAt,
    secrets,
  );
  const { delivered, statusCode, error, response, durationMs } = await push(outbound, {
    endpoint,
    ...signed,
    signal,
    span,
  });
  const reason = delivered ? null : (error ?? `status ${statusCode}`);
  const log = {
    at: sentAt.getTime(),
    statusCode,
    error: reason,
    durationMs: error === 'stopped' ? null : durationMs,
    ...(response && storedResponse(response)),
  };
  return { delivered, log };
}
