import { Command } from 'commander';
import { JSON_OPTION } from './options.ts';
import { printRecord } from './table.ts';

export function migrate(): Command {
  return new Command('migrate')
    .description(
      "bring the database to this version's tables, and grant what the service needs to the role of DATABASE_URL",
    )
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const { loadConfig } = await import('../config.ts');
      const { openExistingDatabase } = await import('./database/existing-database.ts');
      const { migrate: migrateDatabase } = await import('../db/schema/migrate.ts');
      const environment = await openExistingDatabase(loadConfig());
      try {
        await migrateDatabase(environment.ownerUrl, environment.databaseUrl);
      } finally {
        await environment.release();
      }
      printRecord({ migrated: true }, options);
    });
}
