import { Command } from 'commander';
import { createApp } from '../app/create-app.ts';
import { appScopes, type AppScope } from '../app-scope.ts';
import { printJson } from './output.ts';
import { MERCHANT_OPTION, parseScopes, findMerchant } from './options.ts';
import { withDatabase } from './with-database.ts';

type Options = { merchant?: string; scopes?: AppScope[]; name: string; email?: string; salesChannel?: string };

export function appCreate(): Command {
  return new Command('create')
    .description('authorize an app for a merchant; its secret is shown only once')
    .option(...MERCHANT_OPTION)
    .option('--scopes <names>', 'scopes separated by commas; without it all', parseScopes)
    .option('--name <name>', 'name of the app', 'App')
    .option('--email <address>', 'e-mail address of the app')
    .option('--sales-channel <id>', 'the sales channel that the app works for')
    .action(async (options: Options) =>
      printJson(
        await withDatabase(async (database) => {
          const merchantId = await findMerchant(database, options.merchant);
          const scopes = options.scopes ?? [...appScopes];
          const input = { name: options.name, scopes, email: options.email, salesChannelId: options.salesChannel };
          const app = await createApp({ ...database, merchantId }, { input });
          return { merchantId, ...app, scopes };
        }),
      ),
    );
}
