import { Option } from 'commander';
import { createCommand } from './command.ts';
import { compareSdl, type Comparison, refusedChanges } from './comparison.ts';
import { type Format, formats } from './report.ts';
import { readUsageFrom } from './usage.ts';
import { withUsage } from './used-changes.ts';

/** Some changes would break documents. */
const EXIT_REFUSED = 1;

type Options = { format: Format; sdl: string; usage?: string };

await createCommand('schema:check', 'compares the SDL with an earlier one, and refuses changes that break documents')
  .argument('[ref]', 'commit, branch or tag; the SDL of the last release by default')
  .addOption(new Option('--format <format>', 'of the report').choices(Object.keys(formats)).default('text'))
  .option('--sdl <folder>', 'the folder of the new SDL', 'schema')
  .option(
    '--usage <source>',
    'a database address, or a file of `commerce usage --json`: a change breaks only what was used in the last 30 days',
  )
  .action(async (ref: string | undefined, { format, sdl, usage }: Options) => {
    const compared = compareSdl(ref, sdl);
    const comparison = usage === undefined ? compared : await addUsage(compared, usage);
    console.log(formats[format](comparison));
    if (refusedChanges(comparison).length > 0) process.exitCode = EXIT_REFUSED;
  })
  .parseAsync();

async function addUsage(comparison: Comparison, source: string): Promise<Comparison> {
  const coordinates = refusedChanges(comparison).flatMap(({ affected }) => affected);
  return withUsage(comparison, await readUsageFrom(source, coordinates));
}
