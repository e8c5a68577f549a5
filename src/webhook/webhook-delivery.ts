import { type SQL, sql } from 'drizzle-orm';
import { ALL_TRUNCATED, webhookDelivery, type WebhookScope, webhookScopes } from '../../drizzle/webhook.ts';
import { document, documents, enumValue, text } from '../db/read/fields.ts';
import { projection } from '../db/read/projection.ts';
import { appName } from './app-name.ts';
import { READ_SCOPES, readScopeOf } from './ledger/record-kinds.ts';
import type { WebhookDelivery } from '../graphql/generated/types.ts';

type DeliveryProjection = ReturnType<typeof deliveryProjection>;

/**
 * Deliveries of other scopes are shown without the record: the payload has only its id, and the bodies of responses,
 * which may repeat the payload, are null.
 */
export function webhookDeliveryProjection(readable: readonly WebhookScope[]): DeliveryProjection {
  return PROJECTIONS.get(readable.join())!;
}

/** One for each set of scopes that `readableScopes` may return: the SQL of a projection is compiled once. */
const PROJECTIONS: ReadonlyMap<string, DeliveryProjection> = new Map(
  subsetsOf([...READ_SCOPES.values()]).map((granted) => {
    const readable = webhookScopes.filter((scope) => granted.includes(readScopeOf(scope)));
    return [readable.join(), deliveryProjection(readable)];
  }),
);

function subsetsOf<Entry>(entries: readonly Entry[]): Entry[][] {
  return entries.reduce<Entry[][]>((subsets, entry) => [...subsets, ...subsets.map((one) => [...one, entry])], [[]]);
}

function deliveryProjection(readable: readonly WebhookScope[]) {
  const hidden = webhookScopes.filter((scope) => !readable.includes(scope)).map((scope) => `'${scope}'`);
  const unlessHidden = (row: typeof webhookDelivery, shown: SQL, otherwise: SQL): SQL =>
    hidden.length === 0
      ? shown
      : sql`case when ${row.scope} in (${sql.raw(hidden.join(', '))}) then ${otherwise} else ${shown} end`;
  return projection<WebhookDelivery>()(webhookDelivery, {
    appName,
    status: (row) => enumValue(row.state),
    attempts: (row, scope) => documents(scope, unlessHidden(row, sql`${row.attemptLog}`, withoutBodies(row))),
    payload: (row) => ({
      sql: unlessHidden(row, text(row.data).sql, sql`to_json('{"id":"' || ${row.recordId}::text || '"}')::text`),
    }),
    truncated: (row, scope) =>
      document<string[]>(scope, unlessHidden(row, sql`${row.truncated}`, sql.raw(`'${ALL_TRUNCATED}'::json`))),
  });
}

function withoutBodies({ attemptLog }: typeof webhookDelivery): SQL {
  return sql`(select coalesce(json_agg(attempt::jsonb - 'responseBody'), '[]') from json_array_elements(${attemptLog}) attempt)`;
}
