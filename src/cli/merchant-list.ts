import { Command } from 'commander';
import { listMerchants } from '../merchant/list-merchants.ts';
import { printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

export function merchantList(): Command {
  return new Command('list')
    .description('list the merchants, oldest first')
    .action(async () => printJson(await withDatabase(async (database) => await listMerchants(database))));
}
