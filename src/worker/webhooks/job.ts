import { createHash } from 'node:crypto';
import { z } from 'zod';

/** The data of a queued job. Its id is the id of the delivery. */
export const deliveryJob = z.object({ merchantId: z.uuid() });

export type Job = {
  id: string;
  merchantId: string;
  /** A hash of the endpoint's URL. */
  endpointKey: string;
  retryCount: number;
};

/** The lane of all new jobs, served first. */
export const COMMON_LANE = 0;

/**
 * The lane of one merchant's deliveries to one endpoint, below the common one. Must agree with the SQL function
 * `webhook_lane`.
 */
export function laneOf({ merchantId, endpointKey }: Pick<Job, 'merchantId' | 'endpointKey'>): number {
  const hash = createHash('md5')
    .update(merchantId + endpointKey)
    .digest('hex');
  return -1 - Number.parseInt(hash.slice(0, 7), 16);
}
