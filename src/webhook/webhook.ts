import { sql } from 'drizzle-orm';
import { webhook } from '../../drizzle/webhook.ts';
import { id, shape, text, timestamp, word } from '../db/read/projection.ts';
import type { Webhook } from '../graphql/generated/types.ts';

export const webhookShape = shape<Webhook>()(webhook, {
  id: (row) => id(row.id),
  endpoint: (row) => text(row.endpoint),
  scope: (row) => word(row.scope),
  status: (row) => word(row.status),
  pausedAt: (row) => timestamp(row.pausedAt),
  createdAt: (row) => timestamp(row.createdAt),
  updatedAt: (row) => timestamp(row.updatedAt),
  // A webhook that is deleted is gone.
  deleted: () => ({ sql: sql`'false'` }),
});
