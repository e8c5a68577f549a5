import { readFileSync, writeFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as tables from './index.ts';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const TABLES = '0001_tables.sql';
const SNAPSHOT = 'meta/0001_snapshot.json';
const JOURNAL = 'meta/_journal.json';

type Journal = { entries: { when: number; tag: string }[] };

/**
 * Writes the baseline's tables from drizzle/*.ts, until the first release. From then on migrations are only added:
 * `npm run db:generate`. The new time makes it another baseline, so that databases of the former one are refused.
 */
async function writeBaseline(): Promise<void> {
  writeFileSync(new URL(TABLES, MIGRATIONS), await statements());
  writeJson(SNAPSHOT, generateDrizzleJson(tables));
  const journal = JSON.parse(readFileSync(new URL(JOURNAL, MIGRATIONS), 'utf8')) as Journal;
  const now = Date.now();
  const entries = journal.entries.map((entry, index) => ({ ...entry, when: now + index }));
  writeJson(JOURNAL, { ...journal, entries });
}

function writeJson(file: string, value: object): void {
  writeFileSync(new URL(file, MIGRATIONS), `${JSON.stringify(value, null, 2)}\n`);
}

/** drizzle-kit adds foreign keys before the unique indexes that they need. */
async function statements(): Promise<string> {
  const all = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(tables));
  const isForeignKey = (statement: string): boolean => statement.includes('ADD CONSTRAINT') && statement.includes('FOREIGN KEY');
  const ordered = [...all.filter((statement) => !isForeignKey(statement)), ...all.filter(isForeignKey)];
  return `${ordered.map((statement) => statement.trim()).join('--> statement-breakpoint\n')}\n`;
}

await writeBaseline();
