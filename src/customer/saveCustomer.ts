import { type InferInsertModel, type InferSelectModel, sql } from 'drizzle-orm';
import { customer, customerCounter } from '../../drizzle/customer.ts';
import { priceList } from '../../drizzle/price-list.ts';
import type { Context } from '../context.ts';
import { newId } from '../db/sql/id.ts';
import { lockRecord } from '../db/write/lock-record.ts';
import { readRecordStep } from '../db/read/read-records.ts';
import { referenceCheck } from '../db/write/reference-check.ts';
import type { Selection } from '../db/read/projection.ts';
import { type PipelineStep, pipeline } from '../db/connection/pipeline.ts';
import { inTransaction } from '../db/connection/transaction.ts';
import { upsert } from '../db/write/write.ts';
import { parseInput, withoutUndefined } from '../field-input.ts';
import type {
  Customer,
  CustomerAddress,
  CustomerPriceListRule,
  MutationSaveCustomerArgs,
} from '../graphql/generated/types.ts';
import { attributeValue, mergeAddresses } from './address.ts';
import { customerInput, type CustomerInput } from './customer-input.ts';
import { customerProjection } from './customer.ts';

type StoredCustomer = InferSelectModel<typeof customer>;
type CustomerRow = Omit<InferInsertModel<typeof customer>, 'merchantId' | 'id' | 'sequence'>;

/** Members that are stored as they are sent. */
const plainMembers = customerInput
  .omit({
    id: true,
    isEmailVerified: true,
    isPhoneVerified: true,
    addresses: true,
    attributes: true,
    priceListRules: true,
    deleted: true,
  })
  .keyof().options;

export async function saveCustomer(
  ctx: Context,
  args: MutationSaveCustomerArgs,
  selection: Selection,
): Promise<Customer> {
  const input = parseInput(customerInput, args.input);
  return await inTransaction(ctx, async (ctx) => {
    const stored = input.id === undefined ? null : await lockRecord(ctx, customer, 'Customer', input.id);
    await pipeline(ctx, priceListCheck(ctx, input, stored));
    const row = changedRow(input, stored);
    const id = stored?.id ?? newId();
    // Last, just before the row: it locks the merchant's counter until the transaction ends.
    const sequence = stored?.sequence ?? (await nextSequence(ctx));
    return await pipeline(ctx, [
      ...upsert(ctx, customer, ['id'], [{ id, sequence, ...row }]),
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

/** The columns that the input sets. Computed columns such as the order totals are not among them. */
function changedRow(input: CustomerInput, stored: StoredCustomer | null): CustomerRow {
  const plain = Object.fromEntries(
    plainMembers.map((name) => [name, input[name] === undefined ? (stored?.[name] ?? null) : input[name]]),
  );
  return {
    ...(plain as Pick<CustomerRow, (typeof plainMembers)[number]>),
    ...emailVerification(input, stored),
    ...phoneVerification(input, stored),
    addresses:
      input.addresses === undefined
        ? (stored?.addresses ?? null)
        : input.addresses && mergeAddresses(storedAddresses(stored), input.addresses),
    attributes:
      input.attributes === undefined ? (stored?.attributes ?? null) : (input.attributes?.map(attributeValue) ?? null),
    priceListRules:
      input.priceListRules === undefined
        ? (stored?.priceListRules ?? null)
        : (input.priceListRules?.map(priceListRule) ?? null),
    deleted: input.deleted ?? stored?.deleted ?? false,
  };
}

function emailVerification({ isEmailVerified }: CustomerInput, stored: StoredCustomer | null) {
  const before = {
    isEmailVerified: stored?.isEmailVerified ?? null,
    emailVerifiedDate: stored?.emailVerifiedDate ?? null,
  };
  if (isEmailVerified === undefined || isEmailVerified === before.isEmailVerified) return before;
  return { isEmailVerified, emailVerifiedDate: isEmailVerified ? new Date().toISOString() : null };
}

function phoneVerification({ isPhoneVerified }: CustomerInput, stored: StoredCustomer | null) {
  const before = {
    isPhoneVerified: stored?.isPhoneVerified ?? null,
    phoneVerifiedDate: stored?.phoneVerifiedDate ?? null,
  };
  if (isPhoneVerified === undefined || isPhoneVerified === before.isPhoneVerified) return before;
  return { isPhoneVerified, phoneVerifiedDate: isPhoneVerified ? new Date().toISOString() : null };
}

function priceListRule(rule: NonNullable<CustomerInput['priceListRules']>[number]) {
  return {
    discountRate: null,
    filters: null,
    priceListId: null,
    shouldMatchAllFilters: null,
    ...withoutUndefined(rule),
  };
}

function storedAddresses(stored: StoredCustomer | null): CustomerAddress[] {
  return (stored?.addresses ?? []) as CustomerAddress[];
}

function storedRules(stored: StoredCustomer | null): CustomerPriceListRule[] {
  return (stored?.priceListRules ?? []) as CustomerPriceListRule[];
}

async function nextSequence(ctx: Context): Promise<number> {
  const [counter] = await ctx.db.execute<{ value: number }>(sql`
    insert into ${customerCounter} (merchant_id, value) values (${ctx.merchantId}::uuid, 1)
    on conflict (merchant_id) do update set value = ${customerCounter.value} + 1
    returning value`);
  return counter!.value;
}
