import { z } from 'zod';

/** What a job says: whose delivery to look at. Its id is the delivery's. */
export const deliveryJob = z.object({ merchantId: z.uuid() });
