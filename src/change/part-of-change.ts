import { type SQL, sql } from 'drizzle-orm';
import type { change, changePart } from '../../drizzle/change.ts';
import { ownedBy, type Tenant } from '../db/sql/tenant.ts';

/** SQL condition: the row of `change_part` has values of the change. */
export function isPartOfChange(tenant: Tenant, part: typeof changePart, row: typeof change): SQL {
  return sql`${ownedBy(tenant, part)} and ${part.changeTransactionId} = ${row.changeTransactionId}
      and ${part.recordId} = ${row.recordId} and ${part.recordType} = ${row.recordType}`;
}
