import { sql } from 'drizzle-orm';
import { webhook } from '../../drizzle/webhook.ts';
import { wholeDocument } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import type { Webhook } from '../graphql/generated/types.ts';
import { appName } from './app-name.ts';
import { webhookHealth } from './webhook-health.ts';

export const webhookProjection = projection<Webhook>()(webhook, {
  appName,
  health: (row, scope) => wholeDocument(scope, webhookHealth(scope, row)),
  // deleteWebhook deletes the row, so that no webhook that is read is deleted.
  deleted: () => ({ sql: sql`'false'` }),
});
