import { Command } from 'commander';
import { revokeApp } from '../app/revoke-app.ts';
import { printJson } from './output.ts';
import { MERCHANT_OPTION, findApp } from './options.ts';
import { withDatabase } from './with-database.ts';

export function appRevoke(): Command {
  return new Command('revoke')
    .description("take an app's authorization back; its tokens end within a second")
    .argument('<app>', 'id or client id of the app')
    .option(...MERCHANT_OPTION)
    .action(async (named: string, options: { merchant?: string }) =>
      printJson(
        await withDatabase(async (database) => {
          const app = await findApp(database, named, options.merchant);
          await revokeApp({ ...database, merchantId: app.merchantId }, app);
          return { ...app, revoked: true };
        }),
      ),
    );
}
