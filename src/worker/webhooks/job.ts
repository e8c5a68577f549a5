import { createHash } from 'node:crypto';
import { z } from 'zod';

/** What a job says: whose delivery to look at. Its id is the delivery's. */
export const deliveryJob = z.object({ merchantId: z.uuid() });

export type Job = {
  id: string;
  merchantId: string;
  /** A hash of the endpoint's address. */
  endpointKey: string;
  retryCount: number;
};

/** The part of the queue for everything that was not set aside: served first. */
export const COMMON_LANE = 0;

/** The lane of one merchant's deliveries to one endpoint, below the common one. The SQL function webhook_lane computes it too. */
export function laneOf({ merchantId, endpointKey }: Pick<Job, 'merchantId' | 'endpointKey'>): number {
  const hash = createHash('md5')
    .update(merchantId + endpointKey)
    .digest('hex');
  return -1 - Number.parseInt(hash.slice(0, 7), 16);
}
