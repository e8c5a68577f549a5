import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { inTransaction } from '../../db/connection/transaction.ts';
import { isId } from '../../db/sql/id.ts';
import { idArray } from '../../db/sql/parameter.ts';
import { argumentInvalid, conflict, invalidAt, notFound } from '../../errors.ts';
import { COUNT_RANGE } from '../entry/refused-entries.ts';

const STATUS_WORDS: Readonly<Record<string, string>> = {
  ACTIVE: 'active',
  COMMITTED: 'committed',
  RELEASED: 'released',
  EXPIRED: 'expired',
  ENDED: 'expired',
};

/** Calls a function of the database that changes all holds or returns those that it refuses. */
export async function changeHolds(
  ctx: Context,
  idList: readonly string[],
  call: (ids: SQL, merchantId: SQL) => SQL,
): Promise<boolean> {
  const ids = [...new Set(idList)];
  const unknown = ids.filter((id) => !isId(id));
  if (unknown.length > 0) throw notFound('StockHold', unknown, ['idList']);
  await inTransaction(ctx, async (ctx) => {
    const refused = await readRows(
      ctx,
      { id: column.nullable(column.text), status: column.nullable(column.text) },
      sql`select refused as "id", status from ${call(idArray(ids), sql`${ctx.merchantId}::uuid`)} order by refused`,
    );
    if (refused.length > 0) throw refusalOf(refused, idList);
  });
  return true;
}

type RefusedHold = { readonly id: string | null; readonly status: string | null };

function refusalOf(refused: readonly RefusedHold[], idList: readonly string[]): Error {
  const [first] = refused;
  if (first!.id === null)
    return invalidAt(
      ['expiresAt'],
      first!.status === 'PAST' ? 'must be in the future' : 'must be at most 30 days ahead',
    );
  if (first!.status === 'RANGE') {
    const places = refused.map(({ id }) => idList.indexOf(id!)).toSorted((a, b) => a - b);
    return argumentInvalid(places.map((place) => ({ path: ['idList', place], message: COUNT_RANGE })));
  }
  const unknown = refused.filter(({ status }) => status === null).map(({ id }) => id!);
  if (unknown.length > 0) return notFound('StockHold', unknown, ['idList']);
  const ended = refused.map(({ id, status }) => `${id} is ${STATUS_WORDS[status!]}`);
  return conflict(`These holds cannot be changed in this way: ${ended.join(', ')}`, {
    ids: refused.map(({ id }) => id),
  });
}
