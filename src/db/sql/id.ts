import { randomUUIDv7 } from 'node:crypto';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID with all bits 0. No record has it, and it sorts before the ids of all records. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** UUID version 7, ordered by time, so new rows are adjacent in every index. */
export function newId(): string {
  return randomUUIDv7();
}

/** Whether a text is an id as the service writes it. Callers treat any other text as the id of no record. */
export function isId(text: string): boolean {
  return CANONICAL_UUID.test(text);
}
