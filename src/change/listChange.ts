import { type SQL, sql } from 'drizzle-orm';
import { changeSet } from '../../drizzle/change.ts';
import { recordedChange } from '../../drizzle/recorded-change.ts';
import { checkArgumentScope } from '../argument-scope.ts';
import type { Context } from '../context.ts';
import { dateFilter, idFilter, madeAtFilter, type StringFilter } from '../db/filter/filter.ts';
import { listFilter } from '../db/filter/list-filter.ts';
import { matches } from '../db/filter/matcher.ts';
import { idKey, order } from '../db/read/pagination.ts';
import { aliased, type Selection, type SqlScope } from '../db/read/projection.ts';
import { type Page, readPage } from '../db/read/read-page.ts';
import { enumLiteral, ownedBy, textArray } from '../db/sql/parameter.ts';
import type { Change, QueryListChangeArgs } from '../graphql/generated/types.ts';
import { readableTypes, readScopeOf } from './change-record-type.ts';
import { changeProjection, membersOf } from './change.ts';

/** By id: ids are made from the times of the changes, and an index is read backwards without a sort. */
export const newestFirst = order('-recorded', { recorded: idKey(recordedChange.id) });

export async function listChange(ctx: Context, args: QueryListChangeArgs, selection: Selection): Promise<Page<Change>> {
  const { recordType } = args;
  if (recordType) checkArgumentScope(ctx, readScopeOf(recordType));
  return await readPage(ctx, changeProjection(ctx), {
    selection,
    pagination: args.pagination,
    order: newestFirst,
    where: (row, scope) => [
      // Literals, because PostgreSQL uses the partial indexes of rare types and kinds only if it knows the values.
      recordType
        ? sql`${row.recordType} = ${enumLiteral(recordType)}`
        : sql`${row.recordType} = any(${textArray(readableTypes(ctx))})`,
      ...idFilter(row.recordId, args.recordId),
      ...kindFilter(row, args.kind),
      ...idFilter(row.authorizedAppId, args.authorizedAppId),
      ...operationFilter(row, scope, args.operation),
      ...idFilter(row.changeSetId, args.changeSetId),
      // The index with the changes of a set in the order of their ids has this condition.
      ...(args.changeSetId ? [sql`${row.number} > 0`] : []),
      ...pathFilter(row, scope, args.path),
      ...dateFilter(row.createdAt, args.createdAt),
      ...madeAtFilter(row.id, args.createdAt),
    ],
  });
}

/** No movement is a deletion or restoration. The plan must know it, to leave out their table. */
function kindFilter(row: typeof recordedChange, kind: QueryListChangeArgs['kind']): SQL[] {
  if (!kind) return [];
  const isOfKind = sql`${row.kind} = ${enumLiteral(kind)}`;
  return kind === 'DELETED' || kind === 'RESTORED' ? [isOfKind, sql`not ${row.isMovement}`] : [isOfKind];
}

/** Each mutation of the request counts, and all of them together as `ChangeSet.operation` has them. */
function operationFilter(row: typeof recordedChange, scope: SqlScope, filter: StringFilter | null | undefined): SQL[] {
  const { row: set, from } = aliased(scope, changeSet);
  const { operation } = set;
  const has = (condition: SQL): SQL =>
    sql`exists (select from unnest(string_to_array(${operation}, ', ') || ${operation}) as one where ${condition})`;
  const conditions = foundFilter({ element: sql`one`, has, isEmpty: sql`${operation} is null` }, filter);
  if (conditions.length === 0) return [];
  const own = [ownedBy(scope.tenant, set), sql`${set.id} = ${row.changeSetId}`, ...conditions];
  return [sql`exists (select from ${from} where ${sql.join(own, sql` and `)})`];
}

function pathFilter(row: typeof recordedChange, scope: SqlScope, filter: StringFilter | null | undefined): SQL[] {
  const hasMember = (condition: SQL): SQL => sql`exists (select from ${membersOf(row, scope)} and ${condition})`;
  return foundFilter({ element: sql`member.path`, has: hasMember, isEmpty: sql`not ${hasMember(sql`true`)}` }, filter);
}

/** `has`: whether a subquery finds an `element` for which the condition holds. */
type Found = { element: SQL; has: (condition: SQL) => SQL; isEmpty: SQL };

/** A filter on texts that a subquery finds. */
function foundFilter({ element, has, isEmpty }: Found, filter: StringFilter | null | undefined): SQL[] {
  return listFilter(
    {
      any: (values) => has(sql`${element} = any(${textArray(values)})`),
      like: (pattern) => has(matches(element, pattern)),
      isEmpty,
    },
    filter,
  );
}
