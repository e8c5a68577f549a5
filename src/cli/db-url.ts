import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { openDatabaseEnvironment } from '../database-environment.ts';
import { printJson, printRaw, printMessage } from './output.ts';

export function dbUrl(): Command {
  return new Command('url')
    .description('print the URL of the database for the owner of its tables, with the password')
    .option('--raw', 'print the URL alone')
    .option('--serving', 'the URL that the service works with')
    .action(async (options: { raw?: true; serving?: true }) => {
      const environment = await openDatabaseEnvironment(loadConfig());
      const { ownerUrl, databaseUrl: servingUrl } = environment;
      const wasStopped = await environment.release();
      if (wasStopped)
        printMessage(
          'The embedded database runs only together with the service or a command, on a different port each time: ' +
            'start the service first.',
        );
      const url = options.serving ? servingUrl : ownerUrl;
      if (options.raw) printRaw(url);
      else printJson({ url });
    });
}
