import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { RepositoryCopy } from '../../../bench/repository-copy.ts';
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { databaseUrl } from '../../support/database-url.ts';
import { BUNDLE_VARIABLE, createDataDir } from '../../support/process.ts';

/**
 * `npm run mutants -- [--only NAME]... [--sequences 54]`: which of the seeded faults in this folder the model finds.
 *
 * Applies one patch at a time to a copy of the repository, and runs the tests of the model there until one fails: as many
 * sequences of operations, always the same ones, and clients at once for a few seconds. The model without a fault runs
 * first, and must find nothing.
 */
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true, default: [''] }, sequences: { type: 'string', default: '54' } },
});
/** How long clients send requests at once. */
const HISTORY_SECONDS = 15;
/** Longer than a run without a fault takes on a busy machine. */
const MAX_MS = 300_000;

const folder = import.meta.dirname;
const data = await createDataDir();
const postgres = await startEmbeddedPostgres(data.path, {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
});
const copy = await RepositoryCopy.create();
try {
  // The run of each fault copies it, and then migrates only the functions that the fault changes.
  await migrate(databaseUrl(postgres.url, 'template1'));
  if (!(await passes())) throw new Error('The model finds a fault without a patch.');
  const patches = (await readdir(folder)).filter((file) => file.endsWith('.patch')).toSorted();
  const unfound: string[] = [];
  const asked = patches.filter((file) => values.only.some((prefix) => file.startsWith(prefix)));
  for (const file of asked) if (!(await isFound(file))) unfound.push(basename(file, '.patch'));
  console.log(`${asked.length - unfound.length} of ${asked.length} found. Not found: ${unfound.join(', ') || 'none'}`);
} finally {
  await copy.remove();
  await postgres.stop();
  await data.remove();
}

async function isFound(file: string): Promise<boolean> {
  const path = join(folder, file);
  const [about] = (await readFile(path, 'utf8')).split('\n');
  const startMs = performance.now();
  apply([path]);
  const isFound = !(await passes());
  apply(['--reverse', path]);
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  console.log(`${isFound ? 'found' : 'NOT FOUND'} in ${seconds} s: ${basename(file, '.patch')}: ${about}`);
  return isFound;
}

function apply(args: string[]): void {
  execFileSync('git', ['apply', ...args], { cwd: copy.folder });
}

/** A run that lasts too long is a found fault. */
async function passes(): Promise<boolean> {
  // Most modules are the same for each fault: to transform them again takes half of the CPU of a start.
  const cache = ['--fsModuleCache', '--fsModuleCachePath', join(copy.folder, '.module-cache')];
  return await copy.succeeds(['test', '--', 'test/model/', '--bail', '1', ...cache], MAX_MS, {
    TEST_DATABASE_URL: postgres.url,
    MODEL_SEQUENCES: values.sequences,
    MODEL_SECONDS: String(HISTORY_SECONDS),
    MODEL_ROUNDS: '1',
    // The model starts no processes, and each fault would need a bundle of its own.
    [BUNDLE_VARIABLE]: '',
  });
}
