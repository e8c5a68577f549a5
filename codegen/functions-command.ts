import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { functionFiles } from '../src/db/schema/function-files.ts';
import { migrationTimes } from '../src/db/schema/migration-state.ts';
import { calledSignatures, textOf } from './function-signatures.ts';
import { createCommand } from './schema-review/command.ts';

const FILE = new URL('../migrations/meta/_functions.json', import.meta.url);
const EXIT_STALE = 1;

/**
 * `when` gives versions of migrations/functions an order, as the journal does for the tables. `called` has the functions
 * that a version with the tables of `baseline` calls: nodes of that version may run beside these functions.
 */
type FunctionsVersion = { when: number; hash: string; baseline: number; called: Record<string, string> };

await createCommand('functions', 'writes the version of migrations/functions, and which of them src calls')
  .option('--check', 'write nothing, and exit with 1 if the file is stale')
  .action(({ check }: { check?: true }) => {
    const before = readFileSync(FILE, 'utf8');
    const after = `${JSON.stringify(nextVersion(JSON.parse(before) as FunctionsVersion), null, 2)}\n`;
    if (before === after) return;
    if (!check) return writeFileSync(FILE, after);
    console.log('migrations/meta/_functions.json is stale. Run `npm run codegen`, and commit it with the functions.');
    process.exitCode = EXIT_STALE;
  })
  .parseAsync();

/** Calls stay listed until a new baseline, whose tables the versions before it refuse. */
function nextVersion(former: FunctionsVersion): FunctionsVersion {
  const [baseline] = migrationTimes() as [number];
  const hash = createHash('sha256');
  for (const file of functionFiles()) hash.update(`${file.name} ${file.hash}\n`);
  const digest = hash.digest('hex');
  const kept = former.baseline === baseline ? former.called : {};
  const called = { ...kept };
  for (const [call, results] of calledSignatures().map(textOf)) called[call] = union(called[call] ?? results, results);
  return {
    when: digest === former.hash ? former.when : Math.max(Date.now(), former.when + 1),
    hash: digest,
    baseline,
    called: Object.fromEntries(Object.entries(called).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Results that were added later are used by the versions since then. */
function union(former: string, current: string): string {
  return [...new Set([...former.split(', '), ...current.split(', ')])].join(', ');
}
