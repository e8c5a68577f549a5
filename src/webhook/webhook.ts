import { sql } from 'drizzle-orm';
import { webhook } from '../../drizzle/webhook.ts';
import { enumValue, id, text, timestamp, wholeDocument } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { Webhook } from '../graphql/generated/types.ts';
import { webhookHealth } from './webhook-health.ts';

export const webhookProjection = projection<Webhook>()(webhook, {
  id: (row) => id(row.id),
  authorizedAppId: (row) => id(row.authorizedAppId),
  endpoint: (row) => text(row.endpoint),
  scope: (row) => enumValue(row.scope),
  status: (row) => enumValue(row.status),
  pausedAt: (row) => timestamp(row.pausedAt),
  health: (row, scope) => wholeDocument(scope, webhookHealth(scope, row)),
  createdAt: (row) => timestamp(row.createdAt),
  updatedAt: (row) => timestamp(row.updatedAt),
  // deleteWebhook deletes the row, so that no webhook that is read is deleted.
  deleted: () => ({ sql: sql`'false'` }),
});
