/** The `error` of log entries that no response or connection explains. */
export const FAILURE_REASONS = {
  /** The process of the worker ended during the last request. */
  interrupted: 'interrupted',
  webhookDeleted: 'webhook deleted',
  appRevoked: 'app revoked',
  /** The app has lost the read scope of the record. */
  scopeMissing: 'scope missing',
  /** The deliveries that waited for paused webhooks of the merchant had too many bytes. */
  quotaExceeded: 'quota exceeded',
} as const;
