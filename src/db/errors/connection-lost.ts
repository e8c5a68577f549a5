/**
 * Codes of postgres.js, Node sockets and Postgres for a missing connection. EMFILE, ENFILE: no file descriptor is left
 * for a socket. EPROTO: the TLS handshake failed. 25P03: idle transaction terminated. 57P01 to 57P03: shutting down or
 * starting. 53300: too many connections. 08007: a commit whose outcome is unknown.
 */
const CODES: ReadonlySet<string> = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EPROTO',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EMFILE',
  'ENFILE',
  '25P03',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08007',
]);

/** TLS failures in the words of Node and OpenSSL, such as an expired certificate or one of another host. */
const TLS =
  /^(ERR_SSL_|ERR_TLS_CERT_|CERT_|UNABLE_TO_(GET|VERIFY|DECODE|DECRYPT)_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|INVALID_CA$|HOSTNAME_MISMATCH$)/;

/** SQLSTATE classes of a refused connection: wrong password or role, unknown database. */
const REFUSED = /^(28|3D)/;

/**
 * A refused connection if the severity is FATAL; statements fail with the same codes. 08P01: PgBouncer, such as for too many
 * clients. 55000: the database accepts no connections.
 */
const REFUSED_IF_FATAL: ReadonlySet<string> = new Set(['08P01', '55000']);

/** pg-boss uses node-postgres, whose errors for a lost connection have no code, only a message. */
const MESSAGE_WITHOUT_CODE =
  /^(Connection terminated|Query read timeout|Client has encountered a connection error|The server does not support SSL)/;

/** Citus has no code for a node that it loses during a commit. Whether the node has committed is unknown. */
const NODE_LOST_IN_COMMIT = /^could not commit transaction for shard \d+ on at least one active node/;

const MESSAGES = [MESSAGE_WITHOUT_CODE, NODE_LOST_IN_COMMIT];

/** Whether the database could not be reached, so that a retry may succeed. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (error instanceof Error && MESSAGES.some((message) => message.test(error.message))) return true;
  if (hasCodeOfLoss(error)) return true;
  return 'cause' in error && isConnectionLost(error.cause);
}

/** The code of a TLS failure that is the cause of an error, or null. */
export function tlsFailure(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string' && TLS.test(error.code)) return error.code;
  return 'cause' in error ? tlsFailure(error.cause) : null;
}

/** PgBouncer sends only the severity that PostgreSQL translates, untranslated. */
function hasCodeOfLoss(error: { code?: unknown; severity?: unknown; severity_local?: unknown }): boolean {
  const { code, severity, severity_local } = error;
  if (typeof code !== 'string') return false;
  if (CODES.has(code) || REFUSED.test(code) || TLS.test(code)) return true;
  return REFUSED_IF_FATAL.has(code) && (severity === 'FATAL' || severity_local === 'FATAL');
}
