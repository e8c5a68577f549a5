import { Command } from 'commander';
import { selectFields } from '../../values/select-fields.ts';
import type { Erasure } from '../../graphql/generated/types.ts';
import { JSON_OPTION, MERCHANT_OPTION, parseTime } from '../command-line/options.ts';
import { printList, type Row, timeCell } from '../command-line/table.ts';
import { firstOf, pageSelection } from '../database/first-of.ts';
import { withMerchantContext } from '../database/merchant-context.ts';

const RECEIPT = { ...selectFields('id customerIds createdAt'), items: selectFields('place count') };

type Options = { merchant?: string; since?: number; json?: true };

export function customerErasures(): Command {
  return new Command('erasures')
    .description("list the receipts of a merchant's erasures, newest first")
    .option('--since <time>', 'only receipts since this day or time, as in 2026-11-01', parseTime)
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: Options) => printList(await receipts(options), receiptRow, options));
}

async function receipts({ merchant, since }: Options): Promise<Erasure[]> {
  return await withMerchantContext(merchant, async (ctx) => {
    const { listErasure } = await import('../../customer/listErasure.ts');
    const made = since === undefined ? {} : { createdAt: { gte: since } };
    const { entries } = await firstOf(Infinity, (pagination) =>
      listErasure(ctx, { ...made, pagination }, pageSelection(RECEIPT)),
    );
    return entries;
  });
}

function receiptRow({ id, createdAt, customerIds, items }: Erasure): Row {
  const counts = items.map(({ place, count }) => [place.toLowerCase().replaceAll('_', ' '), count]);
  return { id, 'erased at': timeCell(createdAt), customers: customerIds.length, ...Object.fromEntries(counts) };
}
