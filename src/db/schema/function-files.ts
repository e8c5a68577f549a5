import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS } from './migration-state.ts';

const FOLDER = join(MIGRATIONS, 'functions');
/** Written by `npm run codegen`. drizzle-kit takes each file of `meta` without `_` for a snapshot. */
const VERSION = join(MIGRATIONS, 'meta', '_functions.json');
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

/** The time of the last change of the files: a later version of the service has a later one. */
export function functionsTime(): number {
  return (JSON.parse(readFileSync(VERSION, 'utf8')) as { when: number }).when;
}
