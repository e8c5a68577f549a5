import { Command } from 'commander';
import { JSON_OPTION } from './command-line/options.ts';
import { printRecord } from './command-line/table.ts';
import { withDatabase } from './database/with-database.ts';

export function demo(): Command {
  return new Command('demo')
    .description('create a demo merchant with an app for which `token` needs no credentials, unless there is one')
    .option(...JSON_OPTION)
    .action(async (options: { json?: true }) => {
      const made = await withDatabase(async (database) => {
        const { createDemo } = await import('../demo/create-demo.ts');
        return await createDemo(database);
      });
      printRecord(made, options);
    });
}
