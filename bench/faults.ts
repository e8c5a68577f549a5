import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { git, RepositoryCopy } from './repository-copy.ts';
import { applied, drawn, type SmallFault, smallFaultsOf } from './small-faults.ts';
import { isGenerated } from './source-size.ts';

/**
 * `npm run faults -- --seed N --count 20 [--at src/file.ts:12] [--near]`: how many small faults the tests notice.
 *
 * Changes one operator or constant of a random line of src in a copy of the repository, and runs the tests until one
 * fails: first those beside the line (the test folder of its source folder), then all. `--near` runs only the first.
 * Faults that do not compile are left out. StrykerJS is not used: it switches faults on by a variable of the process,
 * which the processes and threads that our tests start do not have, and its check of types needs an older TypeScript.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    count: { type: 'string', default: '20' },
    at: { type: 'string' },
    near: { type: 'boolean', default: false },
  },
});
/** A fault that lets the tests run for so long, such as an endless loop, counts as noticed. */
const MAX_RUN_MS = { near: 10 * 60_000, all: 40 * 60_000 };

type Outcome = 'noticed by the tests beside it' | 'noticed by all tests' | 'NOT NOTICED';

const copy = await RepositoryCopy.create();
try {
  const seed = Number(values.seed);
  const count = Number(values.count);
  console.log(`seed ${seed}`);
  const outcomes: Outcome[] = [];
  for (const fault of drawn((await allFaults()).filter(isAsked), seed)) {
    if (outcomes.length === count) break;
    const outcome = await tried(fault);
    if (outcome !== null) outcomes.push(outcome);
  }
  const unnoticed = outcomes.filter((outcome) => outcome === 'NOT NOTICED').length;
  console.log(`${unnoticed} of ${outcomes.length} faults were not noticed`);
} finally {
  await copy.remove();
}

async function allFaults(): Promise<SmallFault[]> {
  const paths = git('ls-files', 'src').filter((path) => /\.tsx?$/.test(path) && !isGenerated(path));
  return (await Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })))).flatMap(
    smallFaultsOf,
  );
}

function isAsked({ path, line }: SmallFault): boolean {
  return values.at === undefined || values.at === `${path}:${line}`;
}

/** Null if the fault does not compile. */
async function tried(fault: SmallFault): Promise<Outcome | null> {
  const text = await readFile(fault.path, 'utf8');
  await write(fault.path, applied(text, fault));
  try {
    if (!(await copy.succeeds(['run', '--silent', 'typecheck'], MAX_RUN_MS.near))) return null;
    const outcome = await outcomeOf(fault);
    const shown = text.slice(fault.start, fault.end).replace(/\s+/g, ' ');
    console.log(`${outcome}: ${fault.path}:${fault.line}: ${shown} as ${fault.replacement || 'nothing'}`);
    return outcome;
  } finally {
    await write(fault.path, text);
  }
}

/** Builds the console again after a change of its source: its tests load the bundle. */
async function write(path: string, text: string): Promise<void> {
  await writeFile(join(copy.folder, path), text);
  if (path.startsWith('src/console/')) await copy.succeeds(['run', 'console:build'], MAX_RUN_MS.near);
}

async function outcomeOf({ path }: SmallFault): Promise<Outcome> {
  const test = ['test', '--', '--bail', '1', '--reporter', 'dot'];
  const near = testFolderOf(dirname(path));
  if (near && !(await copy.succeeds([...test, near], MAX_RUN_MS.near))) return 'noticed by the tests beside it';
  if (values.near || (await copy.succeeds(test, MAX_RUN_MS.all))) return 'NOT NOTICED';
  return 'noticed by all tests';
}

/** The test folder of the source folder, or of the nearest folder above it that has one; null if there is none. */
function testFolderOf(folder: string): string | null {
  if (folder === 'src' || folder === '.') return null;
  const tests = folder.replace(/^src/, 'test');
  return existsSync(tests) ? `${tests}/` : testFolderOf(dirname(folder));
}
