import { sql } from 'drizzle-orm';
import { customer, customerCounter } from '../../drizzle/customer.ts';
import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { lockRecord } from '../db/write/lock-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import type { Selection } from '../db/read/projection.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { recordWrite } from '../db/write/record-write.ts';
import { parseInput } from '../field-input.ts';
import type { Customer, MutationSaveCustomerArgs } from '../graphql/generated/types.ts';
import { storedEmail } from './customer-email.ts';
import { customerInput, type CustomerInput } from './generated/customer-input.ts';
import { customerRow, type StoredCustomer, storedRules } from './customer-row.ts';
import { customerProjection } from './customer.ts';

export async function saveCustomer(
  ctx: Context,
  args: MutationSaveCustomerArgs,
  selection: Selection,
): Promise<Customer> {
  const parsed = parseInput(customerInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = parsed.id === undefined ? null : await lockRecord(ctx, customer, 'Customer', parsed.id);
    const input = { ...parsed, email: storedEmail(parsed.email, stored?.email) };
    await pipeline(ctx, priceListCheck(ctx, input, stored));
    const row = customerRow(input, stored);
    const id = stored?.id ?? newId();
    // Last, just before the row: it locks the merchant's counter until the transaction ends.
    const sequence = stored?.sequence ?? (await nextSequence(ctx));
    return await pipeline(ctx, [
      ...recordWrite(ctx, customer, { id, sequence, ...row }, stored),
      readRecordStep(ctx, customerProjection, id, selection),
    ]);
  });
}

function priceListCheck(ctx: Context, input: CustomerInput, stored: StoredCustomer | null): PipelineStep<void>[] {
  const sentIds = [
    { id: input.priceListId, path: ['input', 'priceListId'] },
    { id: input.lastPriceListId, path: ['input', 'lastPriceListId'] },
    ...(input.priceListRules ?? []).map(({ priceListId }, index) => ({
      id: priceListId,
      path: ['input', 'priceListRules', index, 'priceListId'],
    })),
  ];
  const storedIds = [
    stored?.priceListId,
    stored?.lastPriceListId,
    ...storedRules(stored).map(({ priceListId }) => priceListId),
  ];
  return referenceCheck(ctx, [
    {
      table: priceList,
      type: 'PriceList',
      ids: sentIds.flatMap(({ id, path }) => (typeof id === 'string' ? [{ id, path }] : [])),
      stored: new Set(storedIds.filter((id) => typeof id === 'string')),
    },
  ]);
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
