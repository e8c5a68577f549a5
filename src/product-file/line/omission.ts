/** Something that an export cannot write, and why. `handle`: of the product; null for records of the whole shop. */
export type Omission = { handle: string | null; member: string; reason: string };

/** Called when an export leaves out a member. */
export type OnOmission = (member: string, reason: string) => void;

export const DELETED = 'refers to a deleted record';

/** Reports a member that an export leaves out. Returns an empty list, for `flatMap`. */
export function omitted(omit: OnOmission, member: string, reason = DELETED): [] {
  omit(member, reason);
  return [];
}

/** A line has null in the place of an empty list. */
export function valueOrNull<Value>(value: Value | undefined): Value | null {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? null : value;
}
