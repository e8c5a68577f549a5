/** Counts are kept for so many days, longer than the 30 days that `schema:check --usage` asks about. */
export const KEPT_DAYS = 40;
