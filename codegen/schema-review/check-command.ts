import { Option } from 'commander';
import { createCommand } from './command.ts';
import { refusedChanges, underReview } from './comparison.ts';
import { type Format, formats } from './report.ts';
import { reviewSdl } from './review.ts';
import { allowedByChecks, usageOfChecks } from './usage.ts';

/** Some changes would break documents. */
const EXIT_REFUSED = 1;

/** `usage` is false with `--no-usage`. */
type Options = { format: Format; sdl?: string; usage?: string | false; allow?: string[]; all?: true };

await createCommand('schema:check', 'compares the SDL with an earlier one, and refuses changes that break documents')
  .argument('[ref]', 'commit, branch or tag; the SDL of the last release by default')
  .addOption(new Option('--format <format>', 'of the report').choices(Object.keys(formats)).default('text'))
  .option('--sdl <folder>', 'the folder of the new SDL (default: "schema")')
  .option(
    '--usage <source>',
    'a database address, or a file of `commerce usage --json`: a change breaks only what was used in the last 30 days; ' +
      'by default SCHEMA_USAGE, or else test/clients/usage.json if it exists',
  )
  .option('--no-usage', 'count every part of the SDL as used')
  .option(
    '--allow <coordinates...>',
    'parts of the SDL that may go although their use was counted for less than 30 days, if nobody used them in these; ' +
      'by default SCHEMA_ALLOW, separated by commas',
  )
  .option('--all', 'list all changes since the last release, not only those under review and the refused ones')
  .action(async (ref: string | undefined, { format, sdl, usage, allow = allowedByChecks(), all }: Options) => {
    const source = usage === false ? null : typeof usage === 'string' ? usage : usageOfChecks();
    const comparison = await reviewSdl({ ref, folder: sdl, usage: source, allowed: allow });
    const isWhole = all || ref !== undefined || sdl !== undefined;
    console.log(formats[format](isWhole ? comparison : underReview(comparison)));
    if (refusedChanges(comparison).length > 0) process.exitCode = EXIT_REFUSED;
  })
  .parseAsync();
