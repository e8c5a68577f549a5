import { createCommand } from './command.ts';
import { lint } from './lint.ts';
import { currentSdl } from './sdl-version.ts';

const EXIT_FOUND = 1;

await createCommand('schema:lint', 'checks the SDL against the rules of docs/schema-policy.md')
  .option('--sdl <folder>', 'the folder of the SDL', 'schema')
  .action(({ sdl }: { sdl: string }) => {
    const findings = lint(currentSdl(sdl));
    for (const { place, coordinate, message, rule } of findings)
      console.log(`${place.file}:${place.line}:${place.column}: ${coordinate} ${message} (${rule})`);
    if (findings.length > 0) process.exitCode = EXIT_FOUND;
  })
  .parseAsync();
