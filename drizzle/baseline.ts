import { readFileSync, writeFileSync } from 'node:fs';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import * as tables from './index.ts';

const MIGRATIONS = new URL('../migrations/', import.meta.url);
const TABLES = '0001_tables.sql';
const INDEXES = '0003_indexes.sql';
const SNAPSHOT = 'meta/0003_snapshot.json';
const JOURNAL = 'meta/_journal.json';

type Journal = { entries: { when: number; tag: string }[] };

/**
 * Writes the tables, indexes and foreign keys of the baseline from drizzle/*.ts. Used until the first release; after
 * it, `npm run db:generate` adds migrations. The new time stamps make it a new baseline: databases with the former one
 * are refused.
 */
async function writeBaseline(): Promise<void> {
  const all = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(tables));
  const { table = [], index = [], foreignKey = [] } = Object.groupBy(all, kindOf);
  writeStatements(TABLES, table);
  writeStatements(INDEXES, [...index, ...foreignKey]);
  writeJson(SNAPSHOT, generateDrizzleJson(tables));
  const journal = JSON.parse(readFileSync(new URL(JOURNAL, MIGRATIONS), 'utf8')) as Journal;
  const now = Date.now();
  const entries = journal.entries.map((entry, index) => ({ ...entry, when: now + index }));
  writeJson(JOURNAL, { ...journal, entries });
}

function writeJson(file: string, value: object): void {
  writeFileSync(new URL(file, MIGRATIONS), `${JSON.stringify(value, null, 2)}\n`);
}

/** Sorts statements: drizzle-kit adds foreign keys before the unique indexes that they need. */
function kindOf(statement: string): 'table' | 'index' | 'foreignKey' {
  if (/^CREATE (UNIQUE )?INDEX/.test(statement)) return 'index';
  return statement.startsWith('ALTER TABLE') && statement.includes('FOREIGN KEY') ? 'foreignKey' : 'table';
}

function writeStatements(file: string, statements: readonly string[]): void {
  writeFileSync(
    new URL(file, MIGRATIONS),
    `${statements.map((statement) => statement.trim()).join('--> statement-breakpoint\n')}\n`,
  );
}

await writeBaseline();
