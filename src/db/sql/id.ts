import { v7 } from 'uuid';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UUID with all bits 0. No record has it, and it sorts before the ids of all records. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A UUID version 7: its first bits are the time, so that new rows are adjacent in every index. Lists that have no other
 * order show the newest id first. Each id is greater than all that this process made before. Node's `randomUUIDv7` takes
 * 0.3 µs instead of 2 µs, but the ids of one millisecond are in no order.
 */
export function newId(): string {
  return v7();
}

/** Whether a text is an id as the service writes it. Callers treat any other text as the id of no record. */
export function isId(text: string): boolean {
  return CANONICAL_UUID.test(text);
}
