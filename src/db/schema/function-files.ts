import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from './migration-state.ts';

const FOLDER = join(MIGRATIONS, 'functions');
/** Statements are split as in migrations, because Citus forwards one statement at a time. */
const STATEMENT_END = '--> statement-breakpoint';

export type FunctionFile = { name: string; statements: string[]; hash: string };

/** A file contains the function it is named after and the triggers that call it. */
export function functionFiles(): FunctionFile[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(FOLDER, file), 'utf8');
      return {
        name: file.replace(/\.sql$/, ''),
        statements: text.split(STATEMENT_END),
        hash: createHash('sha256').update(text).digest('hex'),
      };
    });
}
