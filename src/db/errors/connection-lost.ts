/**
 * How postgres.js, the socket below it and Postgres itself say that there is no connection: 25P03 ends one whose
 * transaction stood still, the others of Postgres mean that it stops, starts, or has none left.
 */
const codes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
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
]);

/** Whether something failed because the database could not be reached, and may work when tried again. */
export function isConnectionLost(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && typeof error.code === 'string' && codes.has(error.code)) return true;
  return 'cause' in error && isConnectionLost(error.cause);
}
