import { type SQL, sql } from 'drizzle-orm';
import { change, changePart } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { ownedBy } from '../../db/sql/tenant.ts';
import { type Contacts, contactsOf } from './contacts.ts';
import type { LockedCustomer } from './erase-customers.ts';

type Values = Pick<LockedCustomer, 'firstName' | 'lastName' | 'email' | 'phone'>;

/**
 * The e-mail addresses, phone numbers and full names that the customers have, and those that they had according to the
 * parts of their changes.
 */
export async function knownContacts(
  ctx: MerchantContext,
  customers: readonly LockedCustomer[],
  isPart: SQL,
): Promise<Contacts> {
  const earliest = new Map<string, Values>(customers.map((customer) => [customer.id, customer]));
  const states = [...earliest.values()];
  for (const { recordId, before, after } of await changedValues(ctx, isPart))
    for (const changed of [after, before]) {
      // A change of one name leaves the other out.
      const state = { ...earliest.get(recordId)!, ...changed };
      earliest.set(recordId, state);
      states.push(state);
    }
  const names = states.map(({ firstName, lastName }) => (lastName === null ? firstName : `${firstName} ${lastName}`));
  return contactsOf(
    states.flatMap(({ email, phone }) => [email, phone]),
    names,
  );
}

const CHANGED = {
  recordId: column.text,
  before: column.nullable(column.json<Partial<Values>>),
  after: column.nullable(column.json<Partial<Values>>),
};

/** From the last change of a record to its first. This transaction's changes have no number so far. */
async function changedValues(ctx: MerchantContext, isPart: SQL) {
  return await readRows(
    ctx,
    CHANGED,
    sql`
    select ${changePart.recordId} as "recordId", ${valuesIn(changePart.before)} as "before",
      ${valuesIn(changePart.after)} as "after"
    from ${changePart} left join ${change} on ${ownedBy(ctx, change)} and ${change.recordId} = ${changePart.recordId}
      and ${change.recordType} = ${changePart.recordType}
      and ${change.changeTransactionId} = ${changePart.changeTransactionId}
    where ${isPart}
    order by ${change.number} desc nulls first, ${changePart.statement} desc`,
  );
}

function valuesIn(members: typeof changePart.before | typeof changePart.after): SQL {
  return sql`(select json_object_agg(member.key, member.value) from json_each(${members}) as member
    where member.key in ('firstName', 'lastName', 'email', 'phone'))`;
}
