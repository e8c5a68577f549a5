import { type SQL, sql } from 'drizzle-orm';
import { bulkOperation, bulkOperationImage } from '../../drizzle/bulk-operation.ts';
import { changeRecordTypeEnum } from '../../drizzle/generated/enums.ts';
import { revertRun } from '../../drizzle/revert.ts';
import { type AppScope, scopeIsGranted } from '../app-scope.ts';
import { readScopeOf } from '../change/change-record-type.ts';
import type { Context } from '../context.ts';
import { wholeDocument } from '../db/read/fields.ts';
import { aliased, type JsonExpression, projection, type SqlScope } from '../db/read/projection.ts';
import { ownedBy } from '../db/sql/parameter.ts';
import type { BulkOperation, BulkOperationError } from '../graphql/generated/types.ts';

/** Images whose errors are listed; `imagesFailed` counts all. */
const MAX_LISTED = sql.raw('1000');

type Row = typeof bulkOperation;
type ImageRow = typeof bulkOperationImage;

/** What a revert names that `read_products` does not cover. All readers have that scope. */
const OTHER_SCOPES: readonly AppScope[] = ['read_customers', 'read_inventories'];

/** One for each set of scopes that a reader may lack: the SQL of a projection is compiled once. */
const PROJECTIONS: ReadonlyMap<string, ReturnType<typeof projectionOf>> = new Map(
  [[], ...OTHER_SCOPES.map((scope) => [scope]), OTHER_SCOPES].map((lacking) => [lacking.join(), projectionOf(lacking)]),
);

/** Errors of records that the token may not read are not listed. */
export function bulkOperationProjection({ session }: Pick<Context, 'session'>): ReturnType<typeof projectionOf> {
  const lacking = OTHER_SCOPES.filter((scope) => !scopeIsGranted(session.scopes, scope));
  return PROJECTIONS.get(lacking.join())!;
}

/** The row has what was known when the request was accepted. The state of its images is computed from their rows. */
function projectionOf(lacking: readonly AppScope[]) {
  return projection<BulkOperation>()(bulkOperation, {
    status: (row, scope): JsonExpression<BulkOperation['status']> => ({
      sql: sql`case when exists ${ofImages(scope, row, () => sql`1`, 'PENDING')}
        or not coalesce(${ofRevert(scope, row, (run) => sql`${run.isEnded}`)}, true) then '"RUNNING"' else '"COMPLETED"' end`,
    }),
    revertsChangeSetId: (row, scope) => ({
      sql: sql`coalesce('"' || ${ofRevert(scope, row, (run) => sql`${run.revertedChangeSetId}`)} || '"', 'null')`,
    }),
    imagesTotal: (row, scope) => imageCount(scope, row),
    imagesPending: (row, scope) => imageCount(scope, row, 'PENDING'),
    imagesFailed: (row, scope) => imageCount(scope, row, 'FAILED'),
    errors: (row, scope) =>
      wholeDocument<BulkOperationError[]>(
        scope,
        sql`coalesce(${ofRevert(scope, row, (run) => leftRecords(run, lacking))}, ${ofImages(scope, row, errorList, 'FAILED')})`,
      ),
    updatedAt: (row, scope): JsonExpression<number> => {
      const latest = sql`greatest(${row.updatedAt}, ${ofImages(scope, row, (image) => sql`max(${image.updatedAt})`)})`;
      return { sql: sql`(extract(epoch from ${latest}) * 1000)::bigint::text` };
    },
  });
}

function imageCount(scope: SqlScope, row: Row, state?: string): JsonExpression<number> {
  return { sql: sql`${ofImages(scope, row, () => sql`count(*)`, state)}::text` };
}

/** The entries begin with the type of their record: see revert-parts. */
function leftRecords({ conflicts }: typeof revertRun, lacking: readonly AppScope[]): SQL {
  const hidden = changeRecordTypeEnum.filter((type) => lacking.includes(readScopeOf(type)));
  if (hidden.length === 0) return sql`${conflicts}`;
  const isShown = sql`split_part(entry.value ->> 'path', '.', 1) <> all(${sql.raw(`'{${hidden.join()}}'`)})`;
  return sql`(
    select coalesce(json_agg(entry.value order by entry.ordinality), '[]')
    from json_array_elements(${conflicts}) with ordinality entry where ${isShown})`;
}

function errorList(image: ImageRow): SQL {
  const error = sql`json_build_object('path', ${image.path}, 'message', ${image.error})`;
  const listed = sql`(array_agg(${error} order by ${image.path} collate "C"))[:${MAX_LISTED}]`;
  return sql`coalesce(array_to_json(${listed}), '[]')`;
}

/** A sub-select from the run of a revert, which has no images. */
function ofRevert(scope: SqlScope, operation: Row, selected: (run: typeof revertRun) => SQL): SQL {
  const { row, from } = aliased(scope, revertRun);
  return sql`(
    select ${selected(row)} from ${from}
    where ${ownedBy(scope.tenant, row)} and ${row.id} = ${operation.id})`;
}

/** A sub-select from the images that the operation was to fetch, of all states or of one. */
function ofImages(scope: SqlScope, operation: Row, selected: (image: ImageRow) => SQL, state?: string): SQL {
  const { row, from } = aliased(scope, bulkOperationImage);
  const inState = state === undefined ? sql`${row.state} <> 'STORED'` : sql`${row.state} = ${sql.raw(`'${state}'`)}`;
  return sql`(
    select ${selected(row)} from ${from}
    where ${ownedBy(scope.tenant, row)} and ${row.bulkOperationId} = ${operation.id} and ${inState})`;
}
