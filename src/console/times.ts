const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** A time in the browser's time zone, as in `2026-11-25 18:02`. */
export function localText(ms: number): string {
  const date = new Date(ms);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(padded).join('-');
  return `${day} ${clockText(ms)}`;
}

/** The time of day in the browser's time zone, as in `18:02`. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  return `${padded(date.getHours())}:${padded(date.getMinutes())}`;
}

/** How long ago a time is, or in how long it will be, as in `3 minutes ago`. */
export function relativeText(ms: number, nowMs: number): string {
  const span = ms - nowMs;
  const [unit, unitMs] = UNITS.find(([, unitMs]) => Math.abs(span) >= unitMs) ?? [null, 1];
  if (unit === null) return span > 0 ? 'in less than a minute' : 'just now';
  return relative.format(Math.trunc(span / unitMs), unit);
}

/** A number with its noun: `1 scope`, `2 scopes`. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function padded(number: number): string {
  return String(number).padStart(2, '0');
}
