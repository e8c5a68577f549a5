import type { Attributes } from '../../tracing/span.ts';

/** The attributes of a span about several deliveries of one merchant. */
export function batchAttributes(merchantId: string, count: number): Attributes {
  return {
    'messaging.system': 'postgresql',
    'messaging.batch.message_count': count,
    'commerce.merchant.id': merchantId,
  };
}
