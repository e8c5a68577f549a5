import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { accessToken, authorizedApp } from '../../drizzle/index.ts';
import { type JsonExpression, projection } from '../db/read/projection.ts';
import type { AccessToken, AppScopeEnum, AuthorizedApp, MeResponse } from '../graphql/generated/types.ts';

export const authorizedAppProjection = projection<AuthorizedApp>()(authorizedApp, {
  scope: (row): JsonExpression<string> => ({ sql: sql`to_json(array_to_string(${row.scopes}, ','))::text` }),
  scopes: (row) => scopeEnums(row.scopes),
});

export const accessTokenProjection = projection<AccessToken>()(accessToken, {
  scopes: (row) => scopeEnums(row.scopes),
});

/** The GraphQL enum has the scope names in upper case. */
function scopeEnums(scopes: AnyPgColumn): JsonExpression<AppScopeEnum[]> {
  return { sql: sql`upper(to_json(${scopes})::text)` };
}

/** The calling app. Its scopes are those of the token, not those of the app. */
export type CallingApp = Omit<MeResponse, 'scope' | 'scopes'>;

export const callingAppProjection = projection<CallingApp>()(authorizedApp, {});
