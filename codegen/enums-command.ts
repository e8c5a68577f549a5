import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { plugin } from './enum-values.ts';
import { createCommand } from './schema-review/command.ts';
import { findingLine, lint } from './schema-review/lint.ts';
import { currentSdl } from './schema-review/sdl-version.ts';

const FILE = 'drizzle/generated/enums.ts';
const EXIT_FOUND = 1;

// The generators import the tables, which import the enums. If a column had an enum that is not written yet, all would fail.
await createCommand(
  'enums',
  'checks the rules of the SDL, and writes its enums before graphql-codegen loads the tables',
)
  .action(() => {
    const dropped = lint(currentSdl()).filter(({ rule }) => rule === 'rule-fits');
    for (const finding of dropped) console.log(findingLine(finding));
    if (dropped.length > 0) process.exit(EXIT_FOUND);
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, plugin());
  })
  .parseAsync();
