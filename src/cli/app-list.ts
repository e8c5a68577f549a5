import { Command } from 'commander';
import { listApps } from '../app/list-apps.ts';
import { printJson } from './output.ts';
import { MERCHANT_OPTION, findMerchant } from './options.ts';
import { withDatabase } from './with-database.ts';

export function appList(): Command {
  return new Command('list')
    .description("list a merchant's apps, oldest first")
    .option(...MERCHANT_OPTION)
    .action(async (options: { merchant?: string }) =>
      printJson(
        await withDatabase(async (database) => {
          const merchantId = await findMerchant(database, options.merchant);
          return await listApps({ ...database, merchantId });
        }),
      ),
    );
}
