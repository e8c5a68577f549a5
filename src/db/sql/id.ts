import { randomUUIDv7 } from 'node:crypto';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** UUID version 7: made in the order of time, so that new rows lie side by side in every index. */
export function newId(): string {
  return randomUUIDv7();
}

/** Any other text in an id position is the id of nothing. */
export function isId(text: string): boolean {
  return CANONICAL_UUID.test(text);
}
