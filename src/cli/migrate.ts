import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { migrate as migrateDatabase } from '../db/schema/migrate.ts';
import { openDatabaseEnvironment } from '../database-environment.ts';
import { printJson } from './output.ts';

export function migrate(): Command {
  return new Command('migrate')
    .description(
      "bring the database to this version's tables, and grant what the service needs to the role of DATABASE_URL",
    )
    .action(async () => {
      const environment = await openDatabaseEnvironment(loadConfig());
      try {
        await migrateDatabase(environment.ownerUrl, environment.databaseUrl);
      } finally {
        await environment.release();
      }
      printJson({ migrated: true });
    });
}
