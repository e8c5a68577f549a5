import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { explain } from '../explain.ts';

import { appCreate } from './appCreate.ts';
import { appList } from './appList.ts';
import { appRevoke } from './appRevoke.ts';
import { appRotateSecret } from './appRotateSecret.ts';
import { dbUrl } from './dbUrl.ts';
import { doctor } from './doctor.ts';
import { exportProducts } from './export.ts';
import { importProducts } from './import.ts';
import { merchantCreate } from './merchantCreate.ts';
import { merchantList } from './merchantList.ts';
import { migrate } from './migrate.ts';
import { say } from './output.ts';
import { token } from './token.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;

const program = new Command('admin')
  .description('Commands for the operator. The answer is JSON on stdout; messages go to stderr.')
  .addCommand(group('merchant', 'the merchants', merchantCreate(), merchantList()))
  .addCommand(group('app', 'the apps that merchants authorize', appCreate(), appList(), appRotateSecret(), appRevoke()))
  .addCommand(token())
  .addCommand(group('db', 'the database', dbUrl()))
  .addCommand(migrate())
  .addCommand(importProducts())
  .addCommand(exportProducts())
  .addCommand(doctor());

throwOnWrongUse(program);
process.exitCode = await run(process.argv);

async function run(argv: string[]): Promise<number> {
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_WRONG_USE;
    say(explain(error));
    return error instanceof ConfigError ? EXIT_WRONG_USE : EXIT_FAILED;
  }
}

function group(name: string, description: string, ...commands: Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Commander would end the process before the embedded database is stopped. */
function throwOnWrongUse(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwOnWrongUse(child);
}
