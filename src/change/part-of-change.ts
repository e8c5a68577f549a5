import { type SQL, sql } from 'drizzle-orm';
import { type change, changePart } from '../../drizzle/change.ts';
import type { recordedChange } from '../../drizzle/recorded-change.ts';
import { ownedBy, type Tenant } from '../db/sql/parameter.ts';

/** SQL condition: the row of `change_part` has values of the change. */
export function isPartOfChange(
  tenant: Tenant,
  part: typeof changePart,
  row: typeof change | typeof recordedChange,
): SQL {
  return sql`${ownedBy(tenant, part)} and ${part.changeTransactionId} = ${row.changeTransactionId}
      and ${part.recordId} = ${row.recordId} and ${part.recordType} = ${row.recordType}`;
}

/** For `from`, after the change: `statement`, `part`, `before` and `after` of each of its parts that has values. */
export function partsOfChange(tenant: Tenant, row: typeof recordedChange): SQL {
  return sql`cross join lateral (
    select ${changePart.statement} as statement, ${changePart.part} as part, ${changePart.before} as before,
      ${changePart.after} as after
    from ${changePart} where ${isPartOfChange(tenant, changePart, row)} and not ${changePart.truncated}
      and ${row.after} is null
    union all
    select 0, '', ${row.before}, ${row.after} where ${row.after} is not null) part`;
}
