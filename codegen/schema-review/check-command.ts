import { Option } from 'commander';
import { createCommand } from './command.ts';
import { compareSdl, refusedChanges } from './comparison.ts';
import { type Format, formats } from './report.ts';

/** Some changes would break documents. */
const EXIT_REFUSED = 1;

await createCommand('schema:check', 'compares the SDL with an earlier one, and refuses changes that break documents')
  .argument('[ref]', 'commit, branch or tag; the SDL of the last release by default')
  .addOption(new Option('--format <format>', 'of the report').choices(Object.keys(formats)).default('text'))
  .option('--sdl <folder>', 'the folder of the new SDL', 'schema')
  .action((ref: string | undefined, { format, sdl }: { format: Format; sdl: string }) => {
    const comparison = compareSdl(ref, sdl);
    console.log(formats[format](comparison));
    if (refusedChanges(comparison).length > 0) process.exitCode = EXIT_REFUSED;
  })
  .parseAsync();
