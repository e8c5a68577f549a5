import { type SQL, sql } from 'drizzle-orm';
import { merchant } from '../../drizzle/index.ts';
import type { Context } from '../context.ts';
import { column, readRows } from '../db/connection/read-rows.ts';
import { newId } from '../db/sql/id.ts';
import { parseInput } from '../field-input.ts';
import { type MerchantInput, merchantInput } from './merchant-input.ts';

export type NewMerchant = { merchantId: string; merchantSequence: number };

export async function createMerchant(ctx: Pick<Context, 'db'>, args: { input: MerchantInput }): Promise<NewMerchant> {
  const { address, billingAddress, ...input } = parseInput(merchantInput, args.input);
  const merchantId = newId();
  const merchantSequence = await nextSequence(ctx);
  const currencySymbol = symbolOf(input.currencyCode);
  const addresses = { address: asJson(address), billingAddress: asJson(billingAddress) };
  await ctx.db
    .insert(merchant)
    .values({ merchantId, ...input, ...addresses, currencySymbol, sequence: merchantSequence });
  return { merchantId, merchantSequence };
}

function asJson(document: object | null | undefined): SQL | null {
  return document ? sql`${JSON.stringify(document)}::json` : null;
}

/** A statement of its own: statements on distributed tables cannot use a sequence. */
async function nextSequence(ctx: Pick<Context, 'db'>): Promise<number> {
  const [row] = await readRows(ctx, { next: column.number }, sql`select nextval('merchant_sequence')::int as next`);
  return row!.next;
}

/** `€` for EUR; the code itself for a currency without a symbol. */
function symbolOf(currencyCode: string): string {
  const parts = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currencyCode,
    currencyDisplay: 'narrowSymbol',
  }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currencyCode;
}
