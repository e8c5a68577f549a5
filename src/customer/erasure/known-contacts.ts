import { type SQL, sql } from 'drizzle-orm';
import { changePart } from '../../../drizzle/change.ts';
import type { MerchantContext } from '../../context.ts';
import { column, readRows } from '../../db/connection/read-rows.ts';
import { type Contacts, contactsOf } from './contacts.ts';
import type { LockedCustomer } from './erase-customers.ts';

/** `number`: the position of the change among all changes of its record. */
type NumberedChange = { readonly recordId: string; readonly transactionId: string; readonly number: number };
type Values = Pick<LockedCustomer, 'firstName' | 'lastName' | 'email' | 'phone'>;

/**
 * The e-mail addresses, phone numbers and full names that the customers have, and those that they had according to the
 * parts of their changes.
 */
export async function knownContacts(
  ctx: MerchantContext,
  customers: readonly LockedCustomer[],
  { isPart, changes }: { readonly isPart: SQL; readonly changes: readonly NumberedChange[] },
): Promise<Contacts> {
  const earliest = new Map<string, Values>(customers.map((customer) => [customer.id, customer]));
  const states = [...earliest.values()];
  for (const { recordId, before, after } of inOrder(await changedValues(ctx, isPart), changes))
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
  transactionId: column.text,
  before: column.nullable(column.json<Partial<Values>>),
  after: column.nullable(column.json<Partial<Values>>),
};

/** The values that were changed. The changes of one transaction are ordered from its last statement to its first. */
async function changedValues(ctx: MerchantContext, isPart: SQL) {
  return await readRows(
    ctx,
    CHANGED,
    sql`
    select ${changePart.recordId} as "recordId", ${changePart.changeTransactionId} as "transactionId",
      ${valuesIn(changePart.before)} as "before", ${valuesIn(changePart.after)} as "after"
    from ${changePart} where ${isPart} order by ${changePart.statement} desc`,
  );
}

type ChangedValues = Awaited<ReturnType<typeof changedValues>>[number];

/**
 * Orders the values from the last change of a record to its first. Changes of the current transaction have no number yet;
 * they are the last. The database does not order them, because a join with `change` has no index on the transaction: it
 * reads all changes of a record for each value, more than 20 s for 10,000 changes.
 */
function inOrder(parts: readonly ChangedValues[], changes: readonly NumberedChange[]): ChangedValues[] {
  const numbers = new Map(changes.map((one) => [keyOf(one), one.number]));
  const numberOf = (part: ChangedValues) => numbers.get(keyOf(part)) ?? Number.MAX_SAFE_INTEGER;
  return parts.toSorted((a, b) => numberOf(b) - numberOf(a));
}

function keyOf({ recordId, transactionId }: Pick<NumberedChange, 'recordId' | 'transactionId'>): string {
  return `${recordId} ${transactionId}`;
}

function valuesIn(members: typeof changePart.before | typeof changePart.after): SQL {
  return sql`(select json_object_agg(member.key, member.value) from json_each(${members}) as member
    where member.key in ('firstName', 'lastName', 'email', 'phone'))`;
}
