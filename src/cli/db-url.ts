import { Command } from 'commander';
import { JSON_OPTION } from './command-line/options.ts';
import { printMessage, printRaw } from './command-line/output.ts';
import { printRecord } from './command-line/table.ts';

export function dbUrl(): Command {
  return new Command('url')
    .description('print the URL of the database for the owner of its tables, with the password')
    .option('--raw', 'print the URL alone')
    .option('--serving', 'the URL that the service works with')
    .option(...JSON_OPTION)
    .action(async (options: { raw?: true; serving?: true; json?: true }) => {
      const { loadConfig } = await import('../config.ts');
      const { openExistingDatabase } = await import('./database/existing-database.ts');
      const config = loadConfig();
      const environment = await openExistingDatabase(config);
      const { ownerUrl, databaseUrl: servingUrl, isEmbedded } = environment;
      const wasStopped = await environment.release();
      if (!isEmbedded && !options.serving && config.migrationDatabaseUrl === undefined)
        printMessage(
          'MIGRATION_DATABASE_URL is not set: this is DATABASE_URL, whose role perhaps does not own the tables.',
        );
      if (wasStopped)
        printMessage(
          'The embedded database runs only together with the service or a command, on a different port each time: ' +
            'start the service first.',
        );
      const url = options.serving ? servingUrl : ownerUrl;
      if (options.raw) printRaw(url);
      else printRecord({ url }, options);
    });
}
