import { Command } from 'commander';
import { JSON_OPTION } from './command-line/options.ts';
import { printRecord } from './command-line/table.ts';

export function migrate(): Command {
  return new Command('migrate')
    .description(
      "bring the database to this version's tables, and grant what the service needs to the roles of DATABASE_URL and " +
        'CROSS_MERCHANT_DATABASE_URL',
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const { loadConfig } = await import('../config.ts');
      const { openExistingDatabase } = await import('./database/existing-database.ts');
      const { migrate: migrateDatabase } = await import('../db/schema/migrate.ts');
      const environment = await openExistingDatabase(loadConfig());
      try {
        const { ownerUrl, databaseUrl, acrossUrl } = environment;
        await migrateDatabase(ownerUrl, databaseUrl, acrossUrl);
      } finally {
        await environment.release();
      }
      printRecord({ migrated: true }, options);
    });
}
