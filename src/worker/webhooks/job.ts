import { createHash } from 'node:crypto';

export type Job = {
  /** The id of the delivery. */
  id: string;
  merchantId: string;
  /** A hash of the endpoint's URL. */
  endpointKey: string;
  retryCount: number;
};

/** The lanes of merchants have the numbers from 0 until below this one, and those of endpoints negative numbers. */
export const MERCHANT_LANES = 2 ** 28;

/** The lane of a merchant's new jobs. Must agree with the SQL function `webhook_merchant_lane`. */
export function merchantLaneOf(merchantId: string): number {
  return hash(merchantId);
}

/**
 * The lane of one merchant's deliveries to one endpoint: retries, those of large statements, and those that waited too
 * long for a slot. Must agree with the SQL function `webhook_lane`.
 */
export function laneOf({ merchantId, endpointKey }: Pick<Job, 'merchantId' | 'endpointKey'>): number {
  return -1 - hash(merchantId + endpointKey);
}

function hash(text: string): number {
  return Number.parseInt(createHash('md5').update(text).digest('hex').slice(0, 7), 16);
}
