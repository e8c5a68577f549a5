import { Command } from 'commander';
import { JSON_OPTION, NEEDED_MERCHANT_OPTION } from '../command-line/options.ts';
import { printRecord } from '../command-line/table.ts';
import { withApp } from '../database/with-database.ts';

export function appRevoke(): Command {
  return new Command('revoke')
    .description("take an app's authorization back; its tokens end within a second")
    .argument('<app>', 'name, id or client id of the app')
    .option(...NEEDED_MERCHANT_OPTION)
    .option(...JSON_OPTION)
    .action(async (named: string, options: { merchant?: string; json?: true }) => {
      const revoked = await withApp(
        named,
        options.merchant,
        async (database) => {
          const { revokeApp } = await import('../../app/revoke-app.ts');
          const { merchantId, authorizedAppId } = database;
          await revokeApp(database, { authorizedAppId });
          return { merchantId, authorizedAppId, revoked: true };
        },
        'commerce app revoke',
      );
      printRecord(revoked, options);
    });
}
