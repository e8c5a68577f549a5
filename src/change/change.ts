import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { bulkOperation } from '../../drizzle/bulk-operation.ts';
import { changeSet } from '../../drizzle/change.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { scopeIsGranted } from '../app-scope.ts';
import { authorizedAppProjection } from '../app/app.ts';
import type { Context } from '../context.ts';
import { documents, enumValue } from '../db/read/fields.ts';
import { aliased, type JsonExpression, projection, type SqlScope } from '../db/read/projection.ts';
import { hasOne } from '../db/read/relations.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { Change, ChangeMember, ChangeSet } from '../graphql/generated/types.ts';
import { partsOfChange } from './part-of-change.ts';

/** The members that a change lists, with their paths: rows with `path`, `before` and `after`. */
export function membersOf(row: typeof recordedChange, { tenant }: Pick<SqlScope, 'tenant'>): SQL {
  return sql`(select) change ${partsOfChange(tenant, row)}
    cross join lateral part_members(part.part, part.before, part.after) member where true`;
}

/** Apps that the token may not read are not shown. */
export function changeProjection(ctx: Pick<Context, 'session'>) {
  return forReader(ctx, changeProjections).change;
}

/** What is made for tokens that may read apps, or for others. */
export function forReader<Made>({ session }: Pick<Context, 'session'>, made: ForReaders<Made>): Made {
  return scopeIsGranted(session.scopes, 'read_apps') ? made.withApps : made.withoutApps;
}

export type ForReaders<Made> = { readonly withApps: Made; readonly withoutApps: Made };

/** `changeSet` is for other records that name their change set. */
export const changeProjections = {
  withApps: projectionsOf(() => []),
  withoutApps: projectionsOf(() => [sql`false`]),
};

function projectionsOf(shown: () => SQL[]) {
  const changeSetProjection = projection<ChangeSet>()(changeSet, {
    app: (row, scope) =>
      hasOne(scope, authorizedAppProjection, (app) => [sql`${app.id} = ${row.authorizedAppId}`, ...shown()]),
    bulkOperationId: (row, scope) => bulkOperationOf(row.id, scope),
  });
  const changeProjection = projection<Change>()(recordedChange, {
    kind: (row) => enumValue(row.kind),
    recordType: (row) => enumValue(row.recordType),
    members: (row, scope) => changeMembers(row, scope),
    changeSet: (row, scope) =>
      hasOne(scope, changeSetProjection, (set) => [sql`${set.id} = ${row.changeSetId}`]) as JsonExpression<ChangeSet>,
  });
  return { change: changeProjection, changeSet: changeSetProjection };
}

function changeMembers(row: typeof recordedChange, scope: SqlScope): JsonExpression<ChangeMember[]> {
  return documents(
    scope,
    sql`(select json_agg(json_build_object('path', member.path, 'before', member.before, 'after', member.after)
      order by member.path collate "C") from ${membersOf(row, scope)})`,
  );
}

function bulkOperationOf(changeSetId: AnyPgColumn, scope: SqlScope): JsonExpression<string | null> {
  const { row, from } = aliased(scope, bulkOperation);
  return {
    sql: sql`coalesce('"' || (
      select ${row.id} from ${from}
      where ${ownedBy(scope.tenant, row)} and ${row.changeSetId} = ${changeSetId} order by ${row.id} limit 1
    ) || '"', 'null')`,
  };
}
