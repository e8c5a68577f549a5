import { Argument, Command } from 'commander';
import type { ChangeRecordType } from '../../../drizzle/change.ts';
import { selectFields } from '../../values/select-fields.ts';
import type { Change } from '../../graphql/generated/types.ts';
import { JSON_OPTION, MERCHANT_OPTION, parseLimit, parseTime } from '../command-line/options.ts';
import { printJson } from '../command-line/output.ts';
import { isJson } from '../command-line/table.ts';
import { terminalColumns } from '../command-line/wrap-text.ts';
import { firstOf, pageSelection } from '../database/first-of.ts';
import { withMerchantContext } from '../database/merchant-context.ts';
import { historyCsv, historyText } from './history-text.ts';

const KINDS: Readonly<Record<string, ChangeRecordType>> = {
  product: 'PRODUCT',
  stock: 'PRODUCT_STOCK_LOCATION',
  customer: 'CUSTOMER',
  category: 'CATEGORY',
  brand: 'PRODUCT_BRAND',
  tag: 'PRODUCT_TAG',
  attribute: 'PRODUCT_ATTRIBUTE',
  'variant-type': 'PRODUCT_VARIANT_TYPE',
  'price-list': 'PRICE_LIST',
  'sales-channel': 'SALES_CHANNEL',
  'stock-location': 'STOCK_LOCATION',
  webhook: 'WEBHOOK',
  app: 'AUTHORIZED_APP',
};

type Options = { merchant?: string; since?: number; limit: number; csv?: true; json?: true };

export function history(): Command {
  return new Command('history')
    .description('what was changed in a record: when, by whom, and each member before and after, newest first')
    .addArgument(new Argument('<kind>', 'kind of record').choices(Object.keys(KINDS)))
    .argument(
      '<record>',
      'its id or name; of a product also a sku or slug, of a category or brand a slug, of a customer an e-mail address or a phone number; of stock its sku, of a webhook its scope',
    )
    .option('--since <time>', 'only changes since this day or time, as in 2026-11-01', parseTime)
    .option('--limit <number>', 'at most so many changes', parseLimit, 1_000)
    .option('--csv', 'print a sheet with a row for each member')
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (kind: string, record: string, options: Options) => {
      const changes = await readHistory(KINDS[kind]!, record, options);
      if (options.csv) process.stdout.write(await historyCsv(changes));
      else if (isJson(options)) printJson(changes);
      else process.stdout.write(historyText(changes, terminalColumns()));
    });
}

async function readHistory(
  recordType: ChangeRecordType,
  record: string,
  { merchant, since, limit }: Options,
): Promise<Change[]> {
  return await withMerchantContext(merchant, async (ctx) => {
    const { findRecords } = await import('../../change/find-records.ts');
    const { listChange } = await import('../../change/listChange.ts');
    const { CommandError } = await import('../../process/command-error.ts');
    const ids = await findRecords(ctx, recordType, record);
    if (ids.length === 0) throw new CommandError(`The merchant has no such record: ${JSON.stringify(record)}.`);
    const made = since === undefined ? {} : { createdAt: { gte: since } };
    const { entries } = await firstOf(limit, (pagination) =>
      listChange(ctx, { recordType, recordId: { in: ids }, ...made, pagination }, pageSelection(CHANGE)),
    );
    return entries;
  });
}

const CHANGE = {
  ...selectFields('id createdAt number kind recordType recordId truncated'),
  members: selectFields('path before after'),
  changeSet: {
    ...selectFields('id operation requestId idempotencyKey bulkOperationId actor'),
    app: selectFields('id name'),
    ...selectFields('databaseRole applicationName'),
  },
};
