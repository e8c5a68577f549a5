import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { openFoundation } from '../foundation.ts';
import { printJson, printRaw, say } from './output.ts';

export function dbUrl(): Command {
  return new Command('url')
    .description('print the URL of the database, with its password')
    .option('--raw', 'print the URL alone')
    .action(async (options: { raw?: true }) => {
      const foundation = await openFoundation(loadConfig());
      const wasStopped = await foundation.release();
      if (wasStopped) say('The embedded database runs only while the service or a command does, on another port each time: start the service first.');
      if (options.raw) printRaw(foundation.databaseUrl);
      else printJson({ url: foundation.databaseUrl });
    });
}
