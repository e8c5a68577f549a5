import { sql } from 'drizzle-orm';
import type { Context } from '../../src/context.ts';
import { rebuilt, type Row, shownRow } from './rebuilt.ts';

type Own = Pick<Context, 'db' | 'merchantId'>;

/** The record types whose rows are compared, with their tables: the record's own one, and those of its parts. */
const COMPARED = {
  PRODUCT: { '': ['product', 'id'], variants: ['variant', 'product_id'], metaData: ['html_meta_data', 'target_id'] },
  PRODUCT_BRAND: { '': ['product_brand', 'id'], metaData: ['html_meta_data', 'target_id'] },
  CUSTOMER: { '': ['customer', 'id'] },
} as const;

/** What is wrong in the history of a merchant. `confirmed`: texts that confirmed changes have written. */
export async function historyFaults(own: Own, confirmed: readonly string[]) {
  const { db, merchantId } = own;
  const ids = async (query: ReturnType<typeof sql>): Promise<string[]> =>
    (await db.execute<{ id: string }>(query)).map(({ id }) => id);
  const written = await db.execute<{ after: string }>(
    sql`select after::text as after from change_part where merchant_id = ${merchantId} and after is not null`,
  );
  const texts = written.map(({ after }) => after).join('\n');
  return {
    withoutSet: await ids(sql`
      select c.id from change c left join change_set s on s.merchant_id = ${merchantId} and s.id = c.change_set_id
      where c.merchant_id = ${merchantId}
        and (s.id is null or (s.operation is null) <> (s.request_id is null) or (s.operation is null) = (s.database_role is null))`),
    withoutChange: await ids(sql`
      select p.record_id as id from change_part p where p.merchant_id = ${merchantId} and not exists (
        select from change c where c.merchant_id = ${merchantId} and c.change_transaction_id = p.change_transaction_id
          and c.record_id = p.record_id and c.record_type = p.record_type)`),
    gaps: await ids(sql`
      select distinct n.record_id as id from (
        select c.record_id, c.number, c.created_at, c.id,
          row_number() over of_record as place, lag(c.created_at) over of_record as former_time,
          lag(c.id) over of_record as former_id
        from change c where c.merchant_id = ${merchantId}
        window of_record as (partition by c.record_type, c.record_id order by c.number)
      ) n where n.number <> n.place or n.created_at <= n.former_time or n.id <= n.former_id`),
    notRebuilt: await notRebuilt(own),
    rolledBack: texts.includes('rolled back') ? ['a text of a transaction that was rolled back'] : [],
    lost: confirmed.filter((text) => !texts.includes(`"${text}`)),
    openTransactions: (await db.execute(sql`select from change_transaction where merchant_id = ${merchantId}`)).length,
  };
}

/** Records whose rows are not what their differences lead to. */
async function notRebuilt({ db, merchantId }: Own): Promise<string[]> {
  const wrong: string[] = [];
  for (const [type, parts] of Object.entries(COMPARED))
    for (const [part, [table, owner]] of Object.entries(parts)) {
      const stored = Map.groupBy(
        await db.execute<{ owner: string; row: Row }>(sql`
          select ${sql.identifier(owner)} as owner, row_to_json(t) as row from ${sql.identifier(table)} t
          where merchant_id = ${merchantId}`),
        ({ owner }) => owner,
      );
      const records = await db.execute<{ id: string }>(sql`
        select distinct record_id as id from change where merchant_id = ${merchantId} and record_type = ${type}`);
      for (const { id } of records) {
        const rows = await rebuilt(db, merchantId, id, part).catch((error: Error) => error);
        const found = (stored.get(id) ?? []).map(({ row }) => [String(row['id']), shownRow(row, [owner])] as const);
        const difference = rows instanceof Error ? rows.message : differenceOf(rows, new Map(found));
        if (difference) wrong.push(`${type} ${id} ${part}: ${difference}`);
      }
    }
  return wrong;
}

function differenceOf(rebuiltRows: ReadonlyMap<string, Row>, stored: ReadonlyMap<string, Row>): string | null {
  for (const id of new Set([...rebuiltRows.keys(), ...stored.keys()])) {
    const [one, other] = [rebuiltRows.get(id) ?? {}, stored.get(id) ?? {}];
    for (const member of Object.keys({ ...one, ...other }))
      if (JSON.stringify(one[member]) !== JSON.stringify(other[member]))
        return `${id} ${member}: ${JSON.stringify(one[member])} and not ${JSON.stringify(other[member])}`;
  }
  return null;
}
