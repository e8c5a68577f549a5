import { Command, CommanderError } from 'commander';
import { OAuthError } from '../app/oauth-error.ts';
import { ConfigError } from '../config.ts';
import { sqlState } from '../db/sql-state.ts';
import { CommerceError } from '../errors.ts';

import { appCreate } from './appCreate.ts';
import { appList } from './appList.ts';
import { appRevoke } from './appRevoke.ts';
import { appRotateSecret } from './appRotateSecret.ts';
import { dbUrl } from './dbUrl.ts';
import { doctor } from './doctor.ts';
import { merchantCreate } from './merchantCreate.ts';
import { merchantList } from './merchantList.ts';
import { migrate } from './migrate.ts';
import { say } from './output.ts';
import { token } from './token.ts';

const EXIT_FAILED = 1;
const EXIT_WRONG_USE = 2;
const UNDEFINED_TABLE = '42P01';

const program = new Command('admin')
  .description('Commands for the operator. The answer is JSON on stdout; messages go to stderr.')
  .addCommand(group('merchant', 'the merchants', merchantCreate(), merchantList()))
  .addCommand(group('app', 'the apps that merchants authorize', appCreate(), appList(), appRotateSecret(), appRevoke()))
  .addCommand(token())
  .addCommand(group('db', 'the database', dbUrl()))
  .addCommand(migrate())
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

/** Expected refusals with their code; of the rest the first cause. */
function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof CommerceError || error instanceof OAuthError) return `${error.code}: ${error.message}`;
  if (sqlState(error) === UNDEFINED_TABLE) return 'The database lacks tables of this version. Bring it up to date: npm run admin -- migrate';
  const cause = rootCause(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** The database layer's own message repeats the statement with its parameters. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause ? rootCause(error.cause) : error;
}
