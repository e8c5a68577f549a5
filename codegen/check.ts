import { existsSync, readFileSync } from 'node:fs';
import { generate } from '@graphql-codegen/cli';
import { elementsOf } from './schema-review/elements.ts';
import { currentSdl, schemaOf } from './schema-review/sdl-version.ts';
import { createCommand } from './schema-review/command.ts';
import { type StaleLine, staleLines } from './stale-lines.ts';

const EXIT_STALE = 1;

type GeneratedFile = { readonly filename: string; readonly content: string };

await createCommand('codegen:check', 'says which change of the SDL asks for which lines of generated files')
  .action(async () => {
    const elements = elementsOf(schemaOf(currentSdl()));
    // Loaded here, because it throws for mistakes of the SDL too.
    const { default: config } = await import('../codegen.ts');
    const files = (await generate({ ...config, silent: true }, false)) as GeneratedFile[];
    const stale = files.filter(({ filename, content }) => readIfAny(filename) !== content);
    for (const { filename, content } of stale)
      console.log([`${filename} is stale:`, ...report(staleLines(readIfAny(filename), content, elements))].join('\n'));
    if (stale.length === 0) return;
    console.log('Run `npm run codegen`, and commit these files with the SDL.');
    process.exitCode = EXIT_STALE;
  })
  .parseAsync();

/** A line for each SDL element from which stale lines are generated, and below it those lines. */
function report(lines: readonly StaleLine[]): string[] {
  const groups = Map.groupBy(lines, ({ element, name }) =>
    element
      ? `${element.place.file}:${element.place.line} ${element.coordinate}`
      : name && `${name}, which the SDL does not have`,
  );
  return [...groups].flatMap(([asking, asked]) => [
    ...(asking === '' ? [] : [`  ${asking}`]),
    ...asked.map(({ sign, line, text }) => `    ${sign} ${line}: ${text.trim()}`),
  ]);
}

function readIfAny(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
