import { Argument, Command } from 'commander';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printRecord } from '../command-line/table.ts';
import { withMerchant } from '../database/with-database.ts';

type Options = { merchant?: string; json?: true };

export function merchantHistory(): Command {
  return new Command('history')
    .description('begin or end recording the changes of the records; those that were recorded stay')
    .addArgument(new Argument('<state>', 'on or off').choices(['on', 'off']))
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (state: string, options: Options) => {
      const kept = await withMerchant(options.merchant, async (database) => {
        const { keepHistory } = await import('../../merchant/keep-history.ts');
        return await keepHistory(database, state === 'on');
      });
      printRecord(kept, options);
    });
}
