import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { migrate as migrateDatabase } from '../db/schema/migrate.ts';
import { openFoundation } from '../database-environment.ts';
import { printJson } from './output.ts';

export function migrate(): Command {
  return new Command('migrate')
    .description(
      "bring the database to this version's tables, and grant what the service needs to the role of DATABASE_URL",
    )
    .action(async () => {
      const foundation = await openFoundation(loadConfig());
      try {
        await migrateDatabase(foundation.ownerUrl, foundation.databaseUrl);
      } finally {
        await foundation.release();
      }
      printJson({ migrated: true });
    });
}
