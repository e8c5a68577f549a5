import { sql } from 'drizzle-orm';
import { customer, customerCounter } from '../../drizzle/customer.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { lockRecord, recordWrite } from '../db/write/saved-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { recordReferenceCheck, referenceWalk } from '../db/write/references.ts';
import type { Selection } from '../db/read/projection.ts';
import { pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { notFound } from '../errors.ts';
import { parseInput } from '../field-input.ts';
import type { Customer, MutationSaveCustomerArgs } from '../graphql/generated/types.ts';
import { storedEmail } from './customer-email.ts';
import { customerInput } from './generated/customer-input.ts';
import { customerReferences } from './generated/customer-references.ts';
import { customerRow } from './customer-row.ts';
import { customerProjection } from './customer.ts';

const references = referenceWalk(customerReferences.CustomerInput);

export async function saveCustomer(
  ctx: Context,
  args: MutationSaveCustomerArgs,
  selection: Selection,
): Promise<Customer> {
  const parsed = parseInput(customerInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = parsed.id === undefined ? null : await lockRecord(ctx, customer, 'Customer', parsed.id);
    if (stored?.erasureId) throw notFound('Customer', [stored.id], ['input', 'id']);
    const input = { ...parsed, email: storedEmail(args.input.email, stored?.email) };
    await pipeline(ctx, recordReferenceCheck(ctx, references, input, stored));
    const row = customerRow(input, stored);
    const id = stored?.id ?? newId();
    ctx.customerIds?.add(id);
    // Last, just before the row: it locks the merchant's counter until the transaction ends.
    const sequence = stored?.sequence ?? (await nextSequence(ctx));
    return await pipeline(ctx, [
      ...recordWrite(ctx, customer, { id, sequence, ...row }, { stored }),
      readRecordStep(ctx, customerProjection, id, selection),
    ]);
  });
}

async function nextSequence(ctx: Context): Promise<number> {
  const [counter] = await readRows(
    ctx,
    { value: column.number },
    sql`
    insert into ${customerCounter} (merchant_id, value) values (${ctx.merchantId}::uuid, 1)
    on conflict (merchant_id) do update set value = ${customerCounter.value} + 1
    returning value`,
  );
  return counter!.value;
}
