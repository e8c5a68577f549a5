import { createCommand } from './command.ts';
import { findingLine, lint } from './lint.ts';
import { currentSdl } from './sdl-version.ts';

const EXIT_FOUND = 1;

await createCommand('schema:lint', 'checks the SDL against the rules of docs/schema-policy.md')
  .option('--sdl <folder>', 'the folder of the SDL', 'schema')
  .action(({ sdl }: { sdl: string }) => {
    const findings = lint(currentSdl(sdl));
    for (const finding of findings) console.log(findingLine(finding));
    if (findings.length > 0) process.exitCode = EXIT_FOUND;
  })
  .parseAsync();
