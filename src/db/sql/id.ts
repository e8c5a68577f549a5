import { v7 } from 'uuid';

/** SQL statements use the pattern too. It means the same in JavaScript and PostgreSQL. */
export const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID with all bits 0. No record has it, and it sorts before the ids of all records. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Returns a UUID of version 7. It begins with the time, so that the rows of new records are adjacent in each index.
 * Each id is greater than the ids that this process has made before, so that some lists can be sorted by id, newest
 * first. Node's `randomUUIDv7` is faster (0.3 instead of 2 µs), but the ids that it makes within one millisecond are in
 * random order.
 */
export function newId(): string {
  return v7();
}

/** The lowest UUID of a millisecond. No id is made from a time before 1970. */
export function firstIdOf(ms: number): string {
  const time = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

/** Whether a text is an id as the service writes it. Callers treat any other text as the id of no record. */
export function isId(text: string): boolean {
  return CANONICAL_UUID.test(text);
}
