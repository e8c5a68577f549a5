import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Selection } from '../db/read/projection.ts';
import { readList } from '../db/read/read-page.ts';
import { isId } from '../db/sql/id.ts';
import { textArray } from '../db/sql/parameter.ts';
import type { Change, QueryGetChangeArgs } from '../graphql/generated/types.ts';
import { changeProjection } from './change.ts';
import { readableTypes } from './change-record-type.ts';
import { newestFirst } from './listChange.ts';

export async function getChange(
  ctx: Context,
  { id }: QueryGetChangeArgs,
  selection: Selection,
): Promise<Change | null> {
  if (!isId(id)) return null;
  const [found] = await readList(ctx, changeProjection(ctx), {
    selection,
    pagination: null,
    order: newestFirst,
    isSingle: true,
    where: (row) => [eq(row.id, id), sql`${row.recordType} = any(${textArray(readableTypes(ctx))})`],
  });
  return found ?? null;
}
