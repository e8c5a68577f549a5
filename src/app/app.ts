import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { accessToken, authorizedApp } from '../../drizzle/index.ts';
import { boolean, id, recordFields, text, timestamp } from '../db/read/fields.ts';
import { type JsonExpression, projection } from '../db/read/projection.ts';
import type { AccessToken, AppScopeEnum, AuthorizedApp, MeResponse } from '../graphql/generated/types.ts';

type AppRow = typeof authorizedApp;

const common = {
  id: (row: AppRow) => id(row.id),
  addedDate: (row: AppRow) => timestamp(row.addedDate),
  partnerId: (row: AppRow) => text(row.partnerId),
  salesChannelId: (row: AppRow) => id(row.salesChannelId),
  storeAppId: (row: AppRow) => text(row.storeAppId),
  supportsMultipleInstallation: (row: AppRow) => boolean(row.supportsMultipleInstallation),
};

export const authorizedAppProjection = projection<AuthorizedApp>()(authorizedApp, {
  ...common,
  scope: (row): JsonExpression<string> => ({ sql: sql`to_json(array_to_string(${row.scopes}, ','))::text` }),
  scopes: (row) => scopeEnums(row.scopes),
  name: (row) => text(row.name),
  email: (row) => text(row.email),
  lastUsedAt: (row) => timestamp(row.lastUsedAt),
  revokedAt: (row) => timestamp(row.revokedAt),
  ...recordFields<AppRow>(),
});

export const accessTokenProjection = projection<AccessToken>()(accessToken, {
  id: (row) => id(row.id),
  authorizedAppId: (row) => id(row.authorizedAppId),
  scopes: (row) => scopeEnums(row.scopes),
  createdAt: (row) => timestamp(row.createdAt),
  expiresAt: (row) => timestamp(row.expiresAt),
  lastUsedAt: (row) => timestamp(row.lastUsedAt),
});

/** The GraphQL enum has the scope names in upper case. */
function scopeEnums(scopes: AnyPgColumn): JsonExpression<AppScopeEnum[]> {
  return { sql: sql`upper(to_json(${scopes})::text)` };
}

/** The calling app. Its scopes are those of the token, not those of the app. */
export type CallingApp = Omit<MeResponse, 'scope' | 'scopes'>;

export const callingAppProjection = projection<CallingApp>()(authorizedApp, {
  ...common,
  name: (row) => text(row.name),
  email: (row) => text(row.email),
});
