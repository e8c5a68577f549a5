import { sql } from 'drizzle-orm';
import { webhookDelivery } from '../../drizzle/webhook.ts';
import { document, id, text, timestamp, enumValue } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { WebhookDelivery } from '../graphql/generated/types.ts';

export const webhookDeliveryProjection = projection<WebhookDelivery>()(webhookDelivery, {
  id: (row) => id(row.id),
  scope: (row) => enumValue(row.scope),
  endpoint: (row) => text(row.endpoint),
  status: (row) => enumValue(row.state),
  attempts: (row) => ({ sql: sql`${row.attemptLog}::text`, isDocument: true }),
  payload: (row) => text(row.data),
  truncated: (row, scope) => document<string[]>(scope, row.truncated),
  createdAt: (row) => timestamp(row.createdAt),
});
