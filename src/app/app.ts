import { type SQL, sql } from 'drizzle-orm';
import { authorizedApp } from '../../drizzle/index.ts';
import { boolean, type Expression, id, recordFields, shape, text, timestamp } from '../db/shape.ts';
import type { AppScopeEnum, AuthorizedApp, MeResponse } from '../graphql/types.generated.ts';

type AppRow = typeof authorizedApp;

const common = {
  id: (row: AppRow) => id(row.id),
  addedDate: (row: AppRow) => timestamp(row.addedDate),
  partnerId: (row: AppRow) => text(row.partnerId),
  salesChannelId: (row: AppRow) => id(row.salesChannelId),
  scope: (row: AppRow): Expression<string> => ({ sql: sql`to_json(array_to_string(${row.scopes}, ','))::text` }),
  storeAppId: (row: AppRow) => text(row.storeAppId),
  supportsMultipleInstallation: (row: AppRow) => boolean(row.supportsMultipleInstallation),
};

export const authorizedAppShape = shape<AuthorizedApp>()(authorizedApp, { ...common, ...recordFields<AppRow>() });

export const meShape = shape<MeResponse>()(authorizedApp, {
  ...common,
  name: (row) => text(row.name),
  email: (row) => text(row.email),
  scopes: (row): Expression<AppScopeEnum[]> => ({ sql: inCapitals(row) }),
});

/** GraphQL's enum has the scope names in capitals. */
function inCapitals(row: AppRow): SQL {
  return sql`to_json(upper(${row.scopes}::text)::text[])::text`;
}
