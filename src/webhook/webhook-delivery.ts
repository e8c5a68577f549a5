import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import { document, id, shape, text, timestamp, word } from '../db/read/projection.ts';
import type { WebhookDelivery } from '../graphql/generated/types.ts';

export const webhookDeliveryShape = shape<WebhookDelivery>()(webhookDelivery, {
  id: (row) => id(row.id),
  scope: (row) => word(row.scope),
  endpoint: (row) => text(row.endpoint),
  status: (row) => word(row.state),
  attempts: (row) => ({ sql: sql`${row.attemptLog}::text`, isDocument: true }),
  payload: (row) => text(row.data),
  truncated: (row, read) => document<string[]>(read, row.truncated),
  createdAt: (row) => timestamp(row.createdAt),
});
