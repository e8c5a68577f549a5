import { Command } from 'commander';
import type { ListedApp } from '../../app/list-apps.ts';
import { JSON_OPTION, MERCHANT_OPTION } from '../command-line/options.ts';
import { printWideList, type Row, timeCell } from '../command-line/table.ts';
import { withMerchant } from '../database/with-database.ts';

export function appList(): Command {
  return new Command('list')
    .description("list a merchant's apps, oldest first")
    .option(...MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: { merchant?: string; json?: true }) => {
      const apps = await withMerchant(options.merchant, async (database) => {
        const { listApps } = await import('../../app/list-apps.ts');
        return await listApps(database);
      });
      printWideList(apps, appRow, options);
    });
}

function appRow({ authorizedAppId, clientId, name, scopes, addedDate, revokedAt }: ListedApp): Row {
  return {
    id: authorizedAppId,
    'client id': clientId,
    name,
    added: timeCell(addedDate),
    revoked: timeCell(revokedAt),
    scopes: scopes.join(' '),
  };
}
