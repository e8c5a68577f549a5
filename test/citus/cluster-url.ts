/** The role under which a statement that fans out over shards fails. */
const GUARDED_ROLE = 'guarded';

/** `CITUS_SERVING_URL`, or the role `guarded` in the database of `CITUS_URL`. */
export function servingUrlOf(ownerUrl: string): string {
  return process.env.CITUS_SERVING_URL ?? Object.assign(new URL(ownerUrl), { username: GUARDED_ROLE }).href;
}

/** `CITUS_ACROSS_URL`, for the role of statements over several merchants, or the role that serves. */
export function acrossUrlOf(ownerUrl: string): string {
  return process.env.CITUS_ACROSS_URL ?? servingUrlOf(ownerUrl);
}
