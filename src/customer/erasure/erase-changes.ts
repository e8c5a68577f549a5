import { sql } from 'drizzle-orm';
import { withoutCase } from '../../../drizzle/columns.ts';
import { change, changePart, changeSet, changeTransaction } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { idArray, textArray } from '../../db/sql/parameter.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { type Contacts, ERASED, isNamed } from './contacts.ts';
import type { LockedCustomer } from './erase-customers.ts';
import { knownContacts } from './known-contacts.ts';

export type ErasedChanges = {
  readonly changes: number;
  /** The change sets of the customers' changes, and how many of all change sets had one of them as actor. */
  readonly changeSetIds: ReadonlySet<string>;
  readonly changeSets: number;
  /** The e-mail addresses, phone numbers and names that the customers have and had. */
  readonly contacts: Contacts;
};

/**
 * Replaces the values in changes of customers, also in those that this transaction has made so far, which a trigger
 * collects at its end, and the actors of their change sets who are the customers.
 */
export async function eraseChanges(ctx: MerchantContext, customers: readonly LockedCustomer[]): Promise<ErasedChanges> {
  const ids = customers.map(({ id }) => id);
  const found = await readRows(
    ctx,
    { recordId: column.text, number: column.number, transactionId: column.text, changeSetId: column.text },
    sql`
    select ${change.recordId} as "recordId", ${change.number} as "number",
      ${change.changeTransactionId} as "transactionId", ${change.changeSetId} as "changeSetId" from ${change}
    where ${ownedBy(ctx, change)} and ${change.recordId} = any(${idArray(ids)}) and ${change.recordType} = 'CUSTOMER'`,
  );
  const transactionIds = [...found.map(({ transactionId }) => transactionId), ...(await ownTransactions(ctx))];
  const isPart = isPartOfCustomers(ctx, transactionIds, ids);
  const contacts = await knownContacts(ctx, customers, { isPart, changes: found });
  await ctx.db.execute(sql`
    update ${changePart} set before = erased_members(${changePart.before}), after = erased_members(${changePart.after})
    where ${isPart}`);
  const changeSetIds = new Set(found.map(({ changeSetId }) => changeSetId));
  const changeSets = await eraseActors(ctx, [...changeSetIds], contacts);
  return { changes: found.length, changeSetIds, changeSets, contacts };
}

/** Only the row of this transaction can be seen. It is missing if nothing was changed so far, by plain SQL. */
async function ownTransactions(ctx: MerchantContext): Promise<string[]> {
  const rows = await readRows(
    ctx,
    { id: column.text },
    sql`select ${changeTransaction.id} as "id" from ${changeTransaction} where ${ownedBy(ctx, changeTransaction)}`,
  );
  return rows.map(({ id }) => id);
}

function isPartOfCustomers(ctx: MerchantContext, transactionIds: readonly string[], customerIds: readonly string[]) {
  return sql`${ownedBy(ctx, changePart)} and ${changePart.changeTransactionId} = any(${idArray(transactionIds)})
    and ${changePart.recordId} = any(${idArray(customerIds)}) and ${changePart.recordType} = 'CUSTOMER'`;
}

/** In the change sets of the customers an actor may name them among other words, elsewhere by one of the contacts alone. */
async function eraseActors(ctx: MerchantContext, setIds: readonly string[], contacts: Contacts): Promise<number> {
  const actor = withoutCase(sql`${changeSet.actor}`);
  const named = await readRows(
    ctx,
    { id: column.text, actor: column.text },
    sql`
    select ${changeSet.id} as "id", ${changeSet.actor} as "actor" from ${changeSet}
    where ${ownedBy(ctx, changeSet)} and ${changeSet.actor} is not null
      and (${changeSet.id} = any(${idArray(setIds)}) or ${actor} = any(${textArray([...contacts.wholes])}))`,
  );
  const ids = named.filter(({ actor }) => isNamed(contacts, actor)).map(({ id }) => id);
  await ctx.db.execute(sql`
    update ${changeSet} set actor = ${ERASED}
    where ${ownedBy(ctx, changeSet)} and ${changeSet.id} = any(${idArray(ids)})`);
  // A person may erase itself in a shop: then the app names it as the actor of the erasure.
  if (isNamed(contacts, ctx.origin?.actor))
    await ctx.db.execute(
      sql`update ${changeTransaction} set actor = ${ERASED} where ${ownedBy(ctx, changeTransaction)}`,
    );
  return ids.length;
}
