import { Command } from 'commander';
import type { ListedMerchant } from '../../merchant/list-merchants.ts';
import { JSON_OPTION } from '../command-line/options.ts';
import { printList, type Row, timeCell } from '../command-line/table.ts';
import { withDatabase } from '../database/with-database.ts';

export function merchantList(): Command {
  return new Command('list')
    .description('list the merchants, oldest first')
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const merchants = await withDatabase(async (database) => {
        const { listMerchants } = await import('../../merchant/list-merchants.ts');
        return await listMerchants(database);
      });
      printList(merchants, merchantRow, options);
    });
}

function merchantRow({ merchantId, merchantName, email, createdAt }: ListedMerchant): Row {
  return { id: merchantId, name: merchantName, email, created: timeCell(createdAt) };
}
