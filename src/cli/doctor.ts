import { Command } from 'commander';
import type { Finding } from './doctor/examine.ts';
import { JSON_OPTION } from './command-line/options.ts';
import { printJson, printMessage } from './command-line/output.ts';
import { isJson } from './command-line/table.ts';
import { withDatabase } from './database/with-database.ts';

type Options = { references?: boolean; merchant?: string; json?: true };

export function doctor(): Command {
  return new Command('doctor')
    .description(
      'check the set-up layer by layer, up to the first that is broken; exit code 1 if one is, and 0 with warnings',
    )
    .option(
      '--references',
      'check all rows for damage by plain SQL instead: ids without a record of the right kind and merchant, ' +
        'and JSON without the members that the service stores',
    )
    .option('--merchant <id>', 'with --references: the rows of this merchant alone')
    .option(...JSON_OPTION)
    .action(async (options: Options, command: Command) => {
      const { references, merchant } = options;
      if (merchant !== undefined && !references) command.error('error: --merchant needs --references');
      const answer = references
        ? await withDatabase(async (database) => {
            const { examineReferences } = await import('./references/examine-references.ts');
            return await examineReferences(database, merchant);
          })
        : await printFindings();
      // On a terminal the lines that were printed have the whole answer.
      if (isJson(options)) printJson(answer);
      if (!answer.ok) process.exitCode = 1;
    });
}

/** Prints a line for each check as soon as it is done, and the command that repairs a broken layer. */
async function printFindings(): Promise<{ ok: boolean; checks: Finding[] }> {
  const { examineSetup } = await import('./doctor/examine.ts');
  const checks: Finding[] = [];
  for await (const finding of examineSetup()) {
    const { name, tried, detail, repair } = finding;
    printMessage(`${verdictOf(finding)} ${name}: tried to ${tried}: ${detail}`);
    if (repair !== undefined) printMessage(`       repair: ${repair}`);
    checks.push(finding);
  }
  return { ok: checks.every(({ ok }) => ok), checks };
}

function verdictOf({ ok, warning }: Finding): string {
  if (!ok) return 'WRONG ';
  return warning ? 'WARN  ' : 'ok    ';
}
