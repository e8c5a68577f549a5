const DAY_MS = 24 * 60 * 60 * 1000;
/** A member stays at least so long after it is deprecated: two quarters, in which integrators release at least once. */
export const MIN_DEPRECATION_DAYS = 180;
/** The form of `@deprecated(reason: …)`. */
export const REASON_FORM = '`Since YYYY-MM-DD, until YYYY-MM-DD: what to use instead.`';
const REASON = /^Since (?<since>\d{4}-\d{2}-\d{2}), until (?<until>\d{4}-\d{2}-\d{2}): \S.*\.$/s;

/** Days in UTC. The member may be removed from `until` on. */
export type Deprecation = { readonly since: string; readonly until: string };

/** Null if the reason does not have the form, or contains a day that does not exist. */
export function readDeprecation(reason: string | null | undefined): Deprecation | null {
  const { since = '', until = '' } = REASON.exec(reason ?? '')?.groups ?? {};
  return isDay(since) && isDay(until) ? { since, until } : null;
}

export function hasEnded({ until }: Deprecation, now: Date): boolean {
  return now.getTime() >= Date.parse(until);
}

export function daysOf({ since, until }: Deprecation): number {
  return (Date.parse(until) - Date.parse(since)) / DAY_MS;
}

function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
