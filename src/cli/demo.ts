import { Command } from 'commander';
import { createDemo } from '../demo/create-demo.ts';
import { printJson } from './output.ts';
import { withDatabase } from './with-database.ts';

export function demo(): Command {
  return new Command('demo')
    .description('create a demo merchant with an app for which `token` needs no credentials, unless there is one')
    .action(async () => printJson(await withDatabase(async (database) => await createDemo(database))));
}
