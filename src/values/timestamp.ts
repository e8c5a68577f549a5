export const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The instant as timestamptz text, or null outside of the years 1 to 9999, which JavaScript writes in a format that
 * Postgres does not read.
 */
export function timestamptzText(ms: number): string | null {
  return ms >= EARLIEST_MS && ms <= LATEST_MS ? new Date(ms).toISOString() : null;
}
