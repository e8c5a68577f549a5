import type { DeliveryAttempt } from '../../../drizzle/webhook.ts';

/** The `error` of log entries that no response or connection explains. */
export const FAILURE_REASONS = {
  /** The client secret of the app does not open with the SECRET_KEY of the worker. */
  notSigned: 'not signed',
  /** The process of the worker ended during the last request. */
  interrupted: 'interrupted',
  webhookDeleted: 'webhook deleted',
  appRevoked: 'app revoked',
  /** The app has lost the read scope of the record. */
  scopeMissing: 'scope missing',
  /** The deliveries that waited for paused webhooks of the merchant had too many bytes. */
  quotaExceeded: 'quota exceeded',
} as const;

/** No request was made, and the fault is the operator's: the delivery keeps its attempts. */
export function isUnsigned({ log }: { log: Pick<DeliveryAttempt, 'error'> }): boolean {
  return log.error === FAILURE_REASONS.notSigned;
}
