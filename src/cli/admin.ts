import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { describeError } from '../process/describe-error.ts';

import { appCreate } from './app-create.ts';
import { appList } from './app-list.ts';
import { appRevoke } from './app-revoke.ts';
import { appRotateSecret } from './app-rotate-secret.ts';
import { dbUrl } from './db-url.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { exportProducts } from './export.ts';
import { importProducts } from './import.ts';
import { merchantCreate } from './merchant-create.ts';
import { merchantList } from './merchant-list.ts';
import { migrate } from './migrate.ts';
import { printMessage } from './output.ts';
import { token } from './token.ts';
import { webhookList } from './webhook-list.ts';
import { webhookRedeliver } from './webhook-redeliver.ts';
import { webhookResume } from './webhook-resume.ts';
import { webhookTail } from './webhook-tail.ts';
import { webhookWhy } from './webhook-why.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE_ERROR = 2;

const program = new Command('admin')
  .description('Commands for the operator. The answer is JSON on stdout; messages go to stderr.')
  .addCommand(group('merchant', 'the merchants', merchantCreate(), merchantList()))
  .addCommand(group('app', 'the apps that merchants authorize', appCreate(), appList(), appRotateSecret(), appRevoke()))
  .addCommand(demo())
  .addCommand(token())
  .addCommand(group('db', 'the database', dbUrl()))
  .addCommand(migrate())
  .addCommand(importProducts())
  .addCommand(exportProducts())
  .addCommand(
    group(
      'webhook',
      "the webhooks of the merchant's apps",
      webhookList(),
      webhookWhy(),
      webhookRedeliver(),
      webhookResume(),
      webhookTail(),
    ),
  )
  .addCommand(doctor());

throwOnUsageError(program);
process.exitCode = await run(process.argv);

async function run(argv: string[]): Promise<number> {
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE_ERROR;
    printMessage(describeError(error));
    return error instanceof ConfigError ? EXIT_USAGE_ERROR : EXIT_FAILED;
  }
}

function group(name: string, description: string, ...commands: Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

/** Otherwise Commander ends the process before the embedded database is stopped. */
function throwOnUsageError(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwOnUsageError(child);
}
