import { Command } from 'commander';
import { appScopes, type AppScope } from '../../app-scope.ts';
import { JSON_OPTION, MERCHANT_OPTION, parseScopes } from '../command-line/options.ts';
import { printRecord } from '../command-line/table.ts';
import { withMerchant } from '../database/with-database.ts';

type Options = {
  merchant?: string;
  scopes?: AppScope[];
  name: string;
  email?: string;
  salesChannel?: string;
  json?: true;
};

export function appCreate(): Command {
  return new Command('create')
    .description('authorize an app for a merchant; its secret is shown only once')
    .option(...MERCHANT_OPTION)
    .option('--scopes <names>', 'scopes separated by commas; without it all', parseScopes)
    .option('--name <name>', 'name of the app', 'App')
    .option('--email <address>', 'e-mail address of the app')
    .option('--sales-channel <id>', 'the sales channel that the app works for')
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      const created = await withMerchant(
        options.merchant,
        async (database) => {
          const { createApp } = await import('../../app/create-app.ts');
          const scopes = options.scopes ?? [...appScopes];
          const input = { name: options.name, scopes, email: options.email, salesChannelId: options.salesChannel };
          const app = await createApp(database, { input });
          return { merchantId: database.merchantId, ...app, scopes };
        },
        { command: 'commerce app create' },
      );
      printRecord(created, options);
    });
}
