import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { pipeline, type PipelineStep } from '../connection/pipeline.ts';
import { CompiledStatement } from '../sql/compiled-statement.ts';
import { isId } from '../sql/id.ts';
import { idArray, ownedBy, ownedByFirstParameter } from '../sql/parameter.ts';
import { compiledProjection, statementText } from './compile.ts';
import { completedRecords, filledTexts, type ReadContext, readRecordRows, type RecordRow } from './complete-records.ts';
import { SharedRecords } from './placeholders.ts';
import { PAGE, type Projection, type RecordTable, type Selection, type TenantTable } from './projection.ts';
import { pageColumns, recordRows, singleRow } from './record-rows.ts';

/** Reads one record by id, deleted or not. Null if there is none. */
export async function readRecord<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  id: string,
  selection: Selection,
): Promise<Type | null> {
  return isId(id) ? await pipeline(ctx, [recordStep(ctx, type, id, selection)]) : null;
}

/** Reads records by id, deleted ones too, in no particular order. Unknown ids are left out. */
export async function readRecords<Type, Table extends RecordTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  ids: readonly string[],
  selection: Selection,
): Promise<Type[]> {
  return await readWhere(ctx, type, sql`${ownedBy(ctx, type.table)} and ${type.table.id} = any(${idArray(ids)})`, {
    limit: ids.length,
    selection,
  });
}

/** Reads the merchant's row of a table with one row per merchant. */
export async function readMerchantRow<Type, Table extends TenantTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  selection: Selection,
): Promise<Type> {
  const [record] = await readWhere(ctx, type, ownedBy(ctx, type.table), { limit: 1, selection });
  return record!;
}

type Wanted = { limit: number; selection: Selection };

async function readWhere<Type, Table extends TenantTable>(
  ctx: ReadContext,
  type: Projection<Type, Table>,
  condition: SQL,
  { limit, selection }: Wanted,
): Promise<Type[]> {
  const compiled = compiledProjection(ctx, type, selection);
  const bytesMax = maxBytes(ctx);
  const rows = await readRecordRows(
    ctx,
    sql`
    with ${sql.raw(PAGE)} as materialized (
      select ${pageColumns(type.table, compiled)} from ${type.table} where ${condition}
    )
    ${recordRows(compiled, limit, bytesMax, [])}`,
  );
  return (await completedRecords<Type>(ctx, compiled, { rows, first: 0 }, bytesMax)).data;
}

/** Not only what needs no slot: a mutation, unlike a query, is not run again once it has one. */
function maxBytes({ responseSize }: Pick<Context, 'responseSize'>): number {
  return responseSize?.maxBytes ?? Number.MAX_SAFE_INTEGER;
}

type RecordContext = Pick<Context, 'db' | 'merchantId' | 'responseSize' | 'slices' | 'beforeCommit'>;

/** The step that reads one record by id, deleted or not. The record must exist. */
export function readRecordStep<Type, Table extends RecordTable>(
  ctx: RecordContext,
  type: Projection<Type, Table>,
  id: string,
  selection: Selection,
): PipelineStep<Promise<Type>> {
  const { statement, read } = recordStep(ctx, type, id, selection);
  return {
    statement,
    read: async (rows) => {
      const record = (await read(rows))!;
      ctx.beforeCommit?.(record);
      return record;
    },
  };
}

/** Reads null if there is no record. Its text is not sent if it exceeds the limit of an answer. */
function recordStep<Type, Table extends RecordTable>(
  ctx: RecordContext,
  type: Projection<Type, Table>,
  id: string,
  selection: Selection,
): PipelineStep<Promise<Type | null>> {
  const compiled = compiledProjection(ctx, type, selection, true);
  const isAlone = compiled.shared.length === 0;
  const { table } = type;
  const bytesMax = maxBytes(ctx);
  const text = statementText(compiled, `record ${bytesMax}`, () => {
    const found = sql`
        select ${pageColumns(table, compiled)} from ${table}
        where ${ownedByFirstParameter(table)} and ${table.id} = ${sql.raw('$2')}::uuid`;
    return isAlone
      ? singleRow(compiled, found, bytesMax)
      : sql`with ${sql.raw(PAGE)} as materialized (${found}) ${recordRows(compiled, 1, bytesMax, [])}`;
  });
  const read = async (rows: readonly Record<string, unknown>[]): Promise<Type | null> => {
    const texts = [...(rows as RecordRow[])];
    for (const { bytes } of texts) ctx.responseSize?.checkRead(bytes);
    const shared = texts.splice(0, compiled.shared.length).map(({ data }) => data!);
    if (texts.length === 0) return null;
    const page = new SharedRecords(shared, compiled);
    const [text] = await filledTexts(ctx, [texts[0]!.data!], page, (filled) =>
      ctx.responseSize?.checkRead(filled.length),
    );
    return JSON.parse(text!) as Type;
  };
  return { statement: new CompiledStatement(text, [ctx.merchantId, id]), read };
}
