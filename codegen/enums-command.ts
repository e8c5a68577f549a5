import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { plugin } from './enum-values.ts';
import { createCommand } from './schema-review/command.ts';

const FILE = 'drizzle/generated/enums.ts';

// The generators import the tables, and these the enums: without this command a column of a new enum ends them all.
await createCommand('enums', 'writes the enums of the SDL, before graphql-codegen loads the tables')
  .action(() => {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, plugin());
  })
  .parseAsync();
