/**
 * Why a request has no whole answer. These words are all that leaves this folder: the text of an
 * error could tell the owner of an endpoint what our network looks like inside.
 */
export type Failure =
  | 'refused address'
  | 'dns'
  | 'unreachable'
  | 'connection refused'
  | 'connection reset'
  | 'tls'
  | 'timeout'
  | 'invalid response'
  | 'too large'
  | 'too many redirects'
  | 'stopped'
  | 'failed';

const FAILURE_BY_CODE: Record<string, Failure> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ECONNABORTED: 'connection reset',
  EPIPE: 'connection reset',
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'connection reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EPROTO: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_CA: 'tls',
  HPE_HEADER_OVERFLOW: 'too large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too large',
};

const FAILURE_BY_CODE_START: [start: string, failure: Failure][] = [
  ['HPE_', 'invalid response'],
  ['ERR_TLS_', 'tls'],
  ['ERR_SSL_', 'tls'],
  ['CERT_', 'tls'],
  ['UNABLE_TO_', 'tls'],
  ['SELF_SIGNED_CERT', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
];

/** A failure of our own making, thrown where only an error can pass, as in a DNS lookup. */
export class OutboundError extends Error {
  readonly failure: Failure;
  override readonly name = 'OutboundError';

  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

export function failureOf(error: unknown): Failure {
  // got wraps what happened, and gives an error while reading the body a code of its own.
  const cause = error instanceof Error && error.cause ? error.cause : error;
  if (cause instanceof OutboundError) {
    return cause.failure;
  }
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return FAILURE_BY_CODE[code] ?? FAILURE_BY_CODE_START.find(([start]) => code.startsWith(start))?.[1] ?? 'failed';
}
