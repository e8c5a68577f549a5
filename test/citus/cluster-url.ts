/** A role for which statements that fan out over shards fail. */
const GUARDED_ROLE = 'guarded';

/** `CITUS_SERVING_URL`, or the role `guarded` in the database of `CITUS_URL`. */
export function servingUrlOf(ownerUrl: string): string {
  return process.env.CITUS_SERVING_URL ?? Object.assign(new URL(ownerUrl), { username: GUARDED_ROLE }).href;
}

/** `CITUS_ACROSS_URL`, for the role of statements over several merchants, or the serving role. */
export function acrossUrlOf(ownerUrl: string): string {
  return process.env.CITUS_ACROSS_URL ?? servingUrlOf(ownerUrl);
}
