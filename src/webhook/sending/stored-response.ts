import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';
import type { OutboundResponse } from '../../outbound/request.ts';

/** Limit of the body: of the bytes that are read of it, and of the bytes of the stored text. */
const MAX_BODY_BYTES = 2_048;
const MAX_HEADER_LENGTH = 256;

/** Headers that help to find a failed request, and contain no credentials or cookies. */
const STORED_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'date',
  'server',
  'via',
  'retry-after',
  'allow',
  'location',
  'www-authenticate',
  'x-request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'cf-ray',
] as const;

/**
 * All control characters except tab, line feed and carriage return. Postgres refuses NUL, and a terminal obeys others.
 */
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const REPLACEMENT = '\ufffd';

export type StoredResponse = Pick<DeliveryAttempt, 'responseBody' | 'responseHeaders'>;

/** The part of a response that the ledger keeps. A receiver can send anything: the result is bounded and valid text. */
export function storedResponse({ headers, body }: Pick<OutboundResponse, 'headers' | 'body'>): StoredResponse {
  return {
    responseBody: isCompressed(headers) || body.length === 0 ? null : storedText(body),
    responseHeaders: STORED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [{ name, value: storedHeader(name, value) }] : [];
    }),
  };
}

function isCompressed(headers: OutboundResponse['headers']): boolean {
  return (headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
}

/** Decoded as a stream, so that a character that is cut at the end is left out. Each invalid byte takes three bytes. */
function storedText(body: Buffer): string {
  const text = new TextDecoder().decode(body.subarray(0, MAX_BODY_BYTES), { stream: true });
  const visible = withoutControls(text);
  return visible.slice(0, new TextEncoder().encodeInto(visible, new Uint8Array(MAX_BODY_BYTES)).read);
}

/** The query of a redirect's address may contain credentials. */
function storedHeader(name: string, value: string): string {
  const shown = name === 'location' ? value.replace(/[?#].*$/s, '') : value;
  return withoutControls(shown).slice(0, MAX_HEADER_LENGTH);
}

function withoutControls(text: string): string {
  return text.replace(CONTROL_CHARACTERS, REPLACEMENT);
}
