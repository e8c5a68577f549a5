import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { customer } from '../../../drizzle/customer.ts';
import { erasure, type ErasureItem } from '../../../drizzle/erasure.ts';
import type { MerchantContext } from '../../context.ts';
import { pipeline } from '../../db/connection/pipeline.ts';
import { column, readRows, type Row } from '../../db/connection/read-rows.ts';
import { newId } from '../../db/sql/id.ts';
import { idArray, ownedBy } from '../../db/sql/parameter.ts';
import { laterThanStored } from '../../db/write/touch.ts';
import { insert } from '../../db/write/write.ts';
import { eraseActors } from './erase-actors.ts';
import { eraseAnswers } from './erase-answers.ts';
import { eraseChanges } from './erase-changes.ts';
import { eraseDeliveries, markDeliveries } from './erase-deliveries.ts';
import { eraseRevertRuns } from './erase-revert-runs.ts';
import { namingApps } from './naming-apps.ts';

const LOCKED = {
  id: column.text,
  erasureId: column.nullable(column.text),
  isBlocked: column.boolean,
  email: column.nullable(column.text),
  phone: column.nullable(column.text),
  firstName: column.text,
  lastName: column.nullable(column.text),
};

/** What is needed of a customer to erase it. */
export type LockedCustomer = Row<typeof LOCKED>;

/** Id and time of a receipt; given when an erasure is repeated in a restored database. */
export type Receipt = { readonly id: string; readonly createdAt: string };

/** `askingAppId`: the app that asks for the erasure, if one does. */
export type ErasureSettings = { readonly receipt?: Receipt | undefined; readonly askingAppId?: string };

/**
 * Locks customers until the end of the transaction, in the order of their ids. All that stores values of a customer
 * holds its lock: saves with their changes and deliveries, and answers of idempotency keys. So what is read after this
 * has every copy, and whatever waits for the lock finds an erased customer.
 */
export async function lockCustomers(ctx: MerchantContext, ids: readonly string[]): Promise<LockedCustomer[]> {
  return await readRows(
    ctx,
    LOCKED,
    sql`
    select ${customer.id} as "id", ${customer.erasureId} as "erasureId",
      coalesce(${customer.erasureBlockedUntil} > now(), false) as "isBlocked", ${customer.email} as "email",
      ${customer.phone} as "phone", ${customer.firstName} as "firstName", ${customer.lastName} as "lastName"
    from ${customer} where ${ownedBy(ctx, customer)} and ${customer.id} = any(${idArray(ids)})
    order by ${customer.id} for update`,
  );
}

/**
 * Erases customers that the transaction has locked, and returns the id of the receipt. The copies come first: then the
 * event and the change that the customers' own row causes find no value that they could name.
 */
export async function eraseLocked(
  ctx: MerchantContext,
  customers: readonly LockedCustomer[],
  { receipt = { id: newId(), createdAt: new Date().toISOString() }, askingAppId }: ErasureSettings = {},
): Promise<string> {
  const ids = customers.map(({ id }) => id);
  const deliveries = await eraseDeliveries(ctx, ids);
  const erased = await eraseChanges(ctx, customers);
  const apps = await namingApps(ctx, erased);
  if (askingAppId !== undefined) apps.add(askingAppId);
  const runs = await eraseRevertRuns(ctx, ids, erased, apps);
  // After the runs: a slice of a revert that held the lock of its run has committed a change set with the actor.
  const changeSets = await eraseActors(ctx, erased, apps);
  const answers = await eraseAnswers(ctx, ids);
  await ctx.db.execute(sql`
    update ${customer} set ${sql.join(WITHOUT_VALUES, sql`, `)}, deleted = true, erasure_id = ${receipt.id}::uuid,
      updated_at = ${laterThanStored(customer.updatedAt)}
    where ${ownedBy(ctx, customer)} and ${customer.id} = any(${idArray(ids)})`);
  await markDeliveries(ctx, ids);
  const items: ErasureItem[] = [
    { place: 'CUSTOMER', count: ids.length },
    { place: 'WEBHOOK_DELIVERY', count: deliveries },
    { place: 'CHANGE', count: erased.changes },
    { place: 'CHANGE_SET', count: changeSets },
    { place: 'IDEMPOTENCY_KEY', count: answers },
    { place: 'BULK_OPERATION', count: runs },
  ];
  await pipeline(ctx, insert(ctx, erasure, [{ ...receipt, customerIds: ids, items }]));
  return receipt.id;
}

/** The members that an erased customer keeps. */
const KEPT = ['merchantId', 'id', 'createdAt', 'updatedAt', 'deleted', 'erasureId'];

const WITHOUT_VALUES: SQL[] = Object.entries(getTableColumns(customer) as Record<string, AnyPgColumn>)
  .filter(([name, { generated }]) => !KEPT.includes(name) && generated === undefined)
  .map(([, own]) => sql`${sql.identifier(own.name)} = ${sql.raw(withoutValue(own))}`);

function withoutValue(own: AnyPgColumn): string {
  const type = own.getSQLType();
  if (type.endsWith('[]')) return `'{}'`;
  if (type === 'json') return `'[]'`;
  return own.notNull ? `''` : 'null';
}
