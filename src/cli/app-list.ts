import { Command } from 'commander';
import { listApps } from '../app/list-apps.ts';
import { printJson } from './output.ts';
import { MERCHANT_OPTION, whichMerchant } from './options.ts';
import { atWorkplace } from './with-database.ts';

export function appList(): Command {
  return new Command('list')
    .description("list a merchant's apps, oldest first")
    .option(...MERCHANT_OPTION)
    .action(async (options: { merchant?: string }) =>
      printJson(
        await atWorkplace(async (workplace) => {
          const merchantId = await whichMerchant(workplace, options.merchant);
          return await listApps({ ...workplace, merchantId });
        }),
      ),
    );
}
