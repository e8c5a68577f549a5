import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { appCreate } from './app/create.ts';
import { appList } from './app/list.ts';
import { appReencrypt } from './app/reencrypt.ts';
import { appRevoke } from './app/revoke.ts';
import { appRotateSecret } from './app/rotate-secret.ts';
import { completion } from './completion.ts';
import { consoleLink } from './console.ts';
import { customerErase } from './customer/erase.ts';
import { customerErasures } from './customer/erasures.ts';
import { customerExport } from './customer/export.ts';
import { dbUrl } from './db-url.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { exportProducts } from './export.ts';
import { history } from './history/history.ts';
import { revert } from './history/revert.ts';
import { importProducts } from './import/import.ts';
import { merchantCreate } from './merchant/create.ts';
import { merchantHistory } from './merchant/history.ts';
import { merchantList } from './merchant/list.ts';
import { merchantRemove } from './merchant/remove.ts';
import { migrate } from './migrate.ts';
import { printMessage } from './command-line/output.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stockAdjust } from './stock/adjust.ts';
import { stockWhy } from './stock/why.ts';
import { storageTakeOver } from './storage-take-over.ts';
import { token } from './token.ts';
import { usage } from './usage.ts';
import { webhookList } from './webhook/list.ts';
import { webhookListen } from './webhook/listen.ts';
import { webhookRedeliver } from './webhook/redeliver.ts';
import { webhookResume } from './webhook/resume.ts';
import { webhookTail } from './webhook/tail.ts';
import { webhookWhy } from './webhook/why.ts';

const EXIT_FAILED = 1;
const EXIT_USAGE_ERROR = 2;

/**
 * The program with all commands. Their files import the database and the domains when a command runs, and not before:
 * with them, `--help` and the completion would take ten times as long to start.
 */
export function commandProgram(name: string): Command {
  return new Command(name)
    .description(
      'Commands for the operator: tables on a terminal, JSON in pipes or with --json. Messages go to stderr.',
    )
    .version(version())
    .addCommand(start())
    .addCommand(
      group('merchant', 'the merchants', merchantCreate(), merchantList(), merchantHistory(), merchantRemove()),
    )
    .addCommand(
      group(
        'app',
        'the apps that merchants authorize',
        appCreate(),
        appList(),
        appRotateSecret(),
        appReencrypt(),
        appRevoke(),
      ),
    )
    .addCommand(demo())
    .addCommand(token())
    .addCommand(consoleLink())
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
        webhookListen(),
      ),
    )
    .addCommand(
      group(
        'customer',
        "the personal data of a merchant's customers",
        customerExport(),
        customerErase(),
        customerErasures(),
      ),
    )
    .addCommand(group('stock', "the counts of a merchant's variants", stockWhy(), stockAdjust()))
    .addCommand(group('storage', 'the store of the pictures', storageTakeOver()))
    .addCommand(history())
    .addCommand(revert())
    .addCommand(usage())
    .addCommand(status())
    .addCommand(doctor())
    .addCommand(completion());
}

/** Runs the command of the arguments. Resolves to the exit code. */
export async function runProgram(name: string, argv: readonly string[]): Promise<number> {
  const program = commandProgram(name);
  throwOnUsageError(program);
  endWithOutput();
  try {
    await program.parseAsync(argv);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE_ERROR;
    const { exitCode, message } = await described(error);
    if (message !== null) printMessage(message);
    return exitCode;
  }
}

/** The exit code and the message for an error. A closed pipe gets no message, because its reader has gone. */
async function described(error: unknown): Promise<{ exitCode: number; message: string | null }> {
  if (isClosedPipe(error)) return { exitCode: EXIT_FAILED, message: null };
  const { ConfigError } = await import('../config.ts');
  const { describeError } = await import('../process/describe-error.ts');
  return {
    exitCode: error instanceof ConfigError ? EXIT_USAGE_ERROR : EXIT_FAILED,
    message: describeError(error),
  };
}

/** Ends the command as Ctrl-C does when its output cannot be written, as after `head` has ended, but as a failure. */
function endWithOutput(): void {
  process.stdout.once('error', (error) => {
    // Further writes fail too.
    process.stdout.on('error', () => {});
    process.once('exit', () => (process.exitCode = EXIT_FAILED));
    if (!isClosedPipe(error)) printMessage(`Standard output cannot be written: ${error.message}`);
    process.emit('SIGINT');
  });
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}

function group(name: string, description: string, ...commands: Command[]): Command {
  const parent = new Command(name).description(description);
  for (const command of commands) parent.addCommand(command);
  return parent;
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Makes Commander throw: it would end the process, before the embedded database is stopped. */
function throwOnUsageError(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwOnUsageError(child);
}
