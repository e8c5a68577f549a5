import { sql } from 'drizzle-orm';
import { changeMember } from '../../src/change/record-parts.ts';
import type { Database } from '../../src/db/connection/database.ts';

export type Row = Record<string, unknown>;
type Members = Record<string, Row>;

/** Columns that a change does not show, or shows in another form. */
const NOT_COMPARED = ['merchant_id', 'id', 'version', 'updated_at', 'target_type', 'path', 'full_name', 'search_text'];

/**
 * The rows of a record that its recorded differences lead to, from the first to the last; `part` is '' for its own row.
 * Fails if a difference does not begin with what the differences before it led to.
 */
export async function rebuilt(
  db: Database,
  merchantId: string,
  recordId: string,
  part: string,
): Promise<Map<string, Row>> {
  const parts = await db.execute<{ before: Members | null; after: Members | null }>(sql`
    select p.before, p.after
    from change c join change_part p on p.merchant_id = ${merchantId} and p.record_id = c.record_id
      and p.change_transaction_id = c.change_transaction_id and p.record_type = c.record_type
    where c.merchant_id = ${merchantId} and c.record_id = ${recordId} and p.part = ${part}
    order by c.number, p.statement`);
  const rows = new Map<string, Row>();
  for (const { before, after } of parts) {
    const [befores, afters] = [before, after].map((side) => (part === '' ? { [recordId]: side ?? {} } : (side ?? {})));
    for (const id of new Set([...Object.keys(befores!), ...Object.keys(afters!)])) {
      const [former, later] = [befores![id] as Row | undefined, afters![id] as Row | undefined];
      const row = rows.get(id) ?? {};
      for (const [member, value] of Object.entries(former ?? {}))
        if (JSON.stringify(row[member] ?? null) !== JSON.stringify(value))
          throw new Error(
            `${recordId} ${id} ${member}: ${JSON.stringify(row[member])} is not ${JSON.stringify(value)}`,
          );
      if (former && 'createdAt' in former && !(later && 'createdAt' in later)) rows.delete(id);
      else rows.set(id, { ...row, ...later });
    }
  }
  return new Map([...rows].map(([id, row]) => [id, withoutEmpty(row)]));
}

/** A stored row by the names and with the values of changes. `owner`: columns that only parts have. */
export function shownRow(row: Row, owner: readonly string[] = []): Row {
  const members = Object.entries(row)
    .filter(([column]) => !NOT_COMPARED.includes(column) && !owner.includes(column))
    .map(([column, value]) => {
      const name = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return [changeMember(name), name === 'createdAt' ? Date.parse(String(value)) : value] as const;
    });
  return withoutEmpty(Object.fromEntries(members));
}

function withoutEmpty(row: Row): Row {
  const members = Object.entries(row).filter(
    ([name, value]) => value !== null && !(Array.isArray(value) && value.length === 0) && name !== 'updatedAt',
  );
  return Object.fromEntries(members.filter(([name]) => name !== 'version'));
}
