import { createHmac } from 'node:crypto';

/** The body's `signature`: HMAC-SHA256 of the `data` text, keyed with the client secret, in lower-case hex. */
export function signData(data: string, clientSecret: string): string {
  return createHmac('sha256', clientSecret).update(data).digest('hex');
}

/**
 * The headers of Standard Webhooks, with one signature per client secret, in their order. The key is the UTF-8 bytes of
 * the secret: a verifier gets `whsec_` followed by the base64 of the client secret.
 */
export function signatureHeaders(
  id: string,
  sentAt: Date,
  body: string,
  clientSecrets: readonly string[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const signatures = clientSecrets.map(
    (secret) => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
