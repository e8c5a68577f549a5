import { createHash } from 'node:crypto';

/**
 * Identifies the content of an entry, so that its key cannot be used for another one. Members that were left out equal
 * null.
 */
export function entryHash(operation: string, entry: object): string {
  const members = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  const content = JSON.stringify([operation, members.sort(([a], [b]) => (a < b ? -1 : 1))]);
  return createHash('sha256').update(content).digest('hex');
}
