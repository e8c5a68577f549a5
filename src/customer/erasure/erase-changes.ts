import { sql } from 'drizzle-orm';
import { change, changePart, changeTransaction } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readIds, readRows } from '../../db/connection/read-rows.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import type { Contacts } from './contacts.ts';
import type { LockedCustomer } from './erase-customers.ts';
import { knownContacts } from './known-contacts.ts';

export type ErasedChanges = {
  readonly changes: number;
  /** The change sets of the customers' changes. */
  readonly changeSetIds: ReadonlySet<string>;
  /** Those with a change whose values were not kept, so that a contact of the customers may be unknown. */
  readonly truncatedSetIds: ReadonlySet<string>;
  /** The e-mail addresses, phone numbers and names that the customers have and had. */
  readonly contacts: Contacts;
};

/**
 * Replaces the values in changes of customers, also in those that this transaction has made so far, which a trigger
 * collects at its end.
 */
export async function eraseChanges(ctx: MerchantContext, customers: readonly LockedCustomer[]): Promise<ErasedChanges> {
  const ids = customers.map(({ id }) => id);
  const found = await readRows(
    ctx,
    {
      recordId: column.text,
      number: column.number,
      transactionId: column.text,
      changeSetId: column.text,
      truncated: column.boolean,
    },
    sql`
    select ${change.recordId} as "recordId", ${change.number} as "number",
      ${change.changeTransactionId} as "transactionId", ${change.changeSetId} as "changeSetId",
      ${change.truncated} as "truncated"
    from ${change}
    where ${ownedBy(ctx, change)} and ${change.recordId} = any(${idArray(ids)}) and ${change.recordType} = 'CUSTOMER'`,
  );
  const transactionIds = [...found.map(({ transactionId }) => transactionId), ...(await ownTransactions(ctx))];
  const isPart = isPartOfCustomers(ctx, transactionIds, ids);
  const contacts = await knownContacts(ctx, customers, { isPart, changes: found });
  await ctx.db.execute(sql`
    update ${changePart} set before = erased_members(${changePart.before}), after = erased_members(${changePart.after})
    where ${isPart}`);
  return {
    changes: found.length,
    changeSetIds: setsOf(found),
    truncatedSetIds: setsOf(found.filter(({ truncated }) => truncated)),
    contacts,
  };
}

function setsOf(changes: readonly { readonly changeSetId: string }[]): Set<string> {
  return new Set(changes.map(({ changeSetId }) => changeSetId));
}

/** Only the row of this transaction can be seen. It is missing if nothing was changed so far, by plain SQL. */
async function ownTransactions(ctx: MerchantContext): Promise<string[]> {
  return await readIds(
    ctx,
    sql`select ${changeTransaction.id} as "id" from ${changeTransaction} where ${ownedBy(ctx, changeTransaction)}`,
  );
}

function isPartOfCustomers(ctx: MerchantContext, transactionIds: readonly string[], customerIds: readonly string[]) {
  return sql`${ownedBy(ctx, changePart)} and ${changePart.changeTransactionId} = any(${idArray(transactionIds)})
    and ${changePart.recordId} = any(${idArray(customerIds)}) and ${changePart.recordType} = 'CUSTOMER'`;
}
