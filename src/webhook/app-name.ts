import { sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/app.ts';
import type { webhook, webhookDelivery } from '../../drizzle/webhook.ts';
import { text } from '../db/read/fields.ts';
import { aliased, type JsonExpression, type SqlScope } from '../db/read/projection.ts';
import { ownedBy } from '../db/sql/parameter.ts';

/** The name of the app of a webhook or delivery. A webhook is removed with its app, a delivery stays. */
export function appName(row: typeof webhook | typeof webhookDelivery, scope: SqlScope): JsonExpression<string> {
  const { row: app, from } = aliased(scope, authorizedApp);
  return {
    sql: sql`coalesce((select ${text(app.name).sql} from ${from}
      where ${ownedBy(scope.tenant, app)} and ${app.id} = ${row.authorizedAppId}), 'null')`,
  };
}
