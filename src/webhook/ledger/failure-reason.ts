/** The `error` of log entries that no response or connection explains. */
export const FAILURE_REASONS = {
  /** The worker ended during the request. */
  interrupted: 'interrupted',
  webhookDeleted: 'webhook deleted',
  appRevoked: 'app revoked',
  /** The app has lost the read scope of the record. */
  scopeMissing: 'scope missing',
  /** Too many bytes waited for paused webhooks. */
  quotaExceeded: 'quota exceeded',
} as const;
