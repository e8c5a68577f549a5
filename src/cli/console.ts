import { Command, Option } from 'commander';
import { JSON_OPTION, MERCHANT_OPTION } from './command-line/options.ts';
import { printMessage } from './command-line/output.ts';
import { ownAddress, parseAddress } from './command-line/service-address.ts';
import { printRecord } from './command-line/table.ts';
import { type MerchantDatabase, withMerchant } from './database/with-database.ts';

type Options = { merchant?: string; url?: string; readOnly?: true; revert?: true; json?: true };

export function consoleLink(): Command {
  return new Command('console')
    .description('print a link that signs a browser in to the console, once and within five minutes')
    .option(...MERCHANT_OPTION)
    .option('--url <address>', 'address of the service; without it PUBLIC_URL, or this machine', parseAddress)
    .option('--read-only', 'the link cannot send deliveries again, resume webhooks or revoke anything')
    .addOption(new Option('--revert', 'the link can take changes of records back').conflicts('readOnly'))
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const link = async (database: MerchantDatabase) => {
        const { createConsoleCode } = await import('../app/console-code.ts');
        const access = { isReadOnly: options.readOnly === true, takesBack: options.revert === true };
        const code = await createConsoleCode(database, access);
        // Behind `#` the code gets into no log of a server or proxy: browsers do not send that part of an address.
        const url = `${options.url ?? (await ownAddress())}/console#code=${code}`;
        return { merchantId: database.merchantId, url };
      };
      const made = await withMerchant(options.merchant, link, { command: 'commerce console' });
      printRecord(made, options);
      printMessage('Open the link within five minutes. It works once.');
    });
}
