import { readdir } from 'node:fs/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Keep } from '../../product-file/import/import-run.ts';
import { formatOption } from '../command-line/file-format.ts';
import { JSON_OPTION, MERCHANT_OPTION, STANDARD_STREAM } from '../command-line/options.ts';
import { printJson, printMessage } from '../command-line/output.ts';
import { isJson } from '../command-line/table.ts';
import { terminalColumns } from '../command-line/wrap-text.ts';
import { EXIT_INTERRUPTED } from '../database/interruption.ts';
import { type MerchantDatabase, withMerchant } from '../database/with-database.ts';
import { importAll, type ImportAnswer, type ImportSettings } from './import-all.ts';
import { importText, interruptedText } from './import-text.ts';
import { readFile } from './read-file.ts';
import { importStatus } from './status.ts';
import { withProgress } from './progress.ts';

/** The exit code if the import has finished and has skipped some rows or pictures. */
const EXIT_SKIPPED = 3;

const EXIT_FAILED = 1;

type Options = ImportSettings & { merchant?: string };

export function importProducts(): Command {
  return new Command('import')
    .description(
      `bring the products of a Shopify product CSV or of JSON lines into the catalogue; exit code ${EXIT_SKIPPED} when something was skipped`,
    )
    .argument(
      '<file>',
      `the file; ${STANDARD_STREAM} reads standard input. The encoding and the delimiter of a CSV are recognized`,
    )
    .option(...MERCHANT_OPTION)
    .addOption(formatOption())
    .addOption(keepOption())
    .option(
      '--encoding <name>',
      'encoding of a file that is not UTF-8, UTF-16 or Windows-1252, such as windows-1254',
      parseEncoding,
    )
    .option('--retry-images', 'ask again for pictures that could not be fetched')
    .option(
      '--pictures <folder>',
      'add the pictures of a folder, named HANDLE.jpg, to the products without pictures; the others are listed',
    )
    .option(
      '--dry-run',
      'print what would change, product by product with old and new values, also of products that are skipped until --keep is given, and write nothing',
    )
    .option(
      '--summary',
      'print counts of changed members and of mistakes, each with an example, instead of all of them',
    )
    .option(...JSON_OPTION)
    .action(async (file: string, options: Options, command: Command) => {
      if (options.dryRun && options.pictures !== undefined)
        command.error('error: --dry-run and --pictures are not given together');
      const imported = await withMerchant(options.merchant, async (database) => await run(database, file, options));
      printImported(imported, options);
    })
    .addCommand(importStatus());
}

function keepOption(): Option {
  const text =
    'what stays of products that the shop has changed or deleted since the export; without it they are skipped';
  return new Option('--keep <which>', text).choices(['newer', 'sheet'] satisfies Keep[]);
}

function parseEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError('It is no encoding of the WHATWG Encoding Standard, such as windows-1254.');
  }
}

async function run(database: MerchantDatabase, file: string, options: Options): Promise<ImportAnswer> {
  return await database.interruption.untilInterrupted(async (signal) => {
    // It is read after the import, so a wrong name is refused before it.
    if (options.pictures !== undefined) await readdir(options.pictures);
    const { size, ...opened } = await readFile(file, signal);
    return await withProgress(
      size,
      async (progress) => await importAll(database, { file, ...opened }, { progress, signal }, options),
    );
  });
}

function printImported(imported: ImportAnswer, options: Options): void {
  if (isJson(options)) printJson(imported);
  else process.stdout.write(importText(imported, terminalColumns(), options));
  if (imported.interrupted) printMessage(interruptedText(imported));
  if (imported.skipped.length > 0 || (imported.picturesFailed ?? []).length > 0) process.exitCode = EXIT_SKIPPED;
  if (imported.picturesError !== undefined) {
    printMessage(`The pictures could not be added: ${imported.picturesError}`);
    process.exitCode = EXIT_FAILED;
  }
  if (imported.interrupted) process.exitCode = EXIT_INTERRUPTED;
}
