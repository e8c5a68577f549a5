import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { filesOf, importsOf, staticClosure } from '../contract/imports.ts';
import { sheetOf } from '../product-file/csv/sheets.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, type Finished, run } from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const MAX_HELP_CPU_MS = 300;
const STACK = /^ {4}at /m;
/** Sets `process.versions.node` to Node 20. Imports that Node 20 does not have still work. */
const AS_NODE_20 = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})`;
const CPU_TIME_AT_EXIT = `data:text/javascript,process.on("exit",()=>{const {user,system}=process.cpuUsage();process.stderr.write(String((user+system)/1000))})`;

const shell = promisify(execFile);

let database: TestDatabase;
let data: DataDir;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createDatabase();
  data = await createDataDir();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
});
afterAll(async () => {
  await database.drop();
  await data.remove();
});

describe('commerce', () => {
  it('is the bin of the package, and prints its version', async () => {
    const { bin, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      bin: { commerce: string };
      version: string;
    };
    expect((await shell(bin.commerce, ['--version'])).stdout).toBe(`${version}\n`);
    expect((await run('src/cli/admin.ts', ['--version'], {}).finished).stdout).toBe(`${version}\n`);
  });

  it('prints one line if it needs a newer Node', async () => {
    const { code, stderr } = await run('--import', [AS_NODE_20, 'src/cli/commerce.js', 'status'], {}).finished;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^commerce needs Node 24 from .+v\d.+\n$/)]);
    // A static import that Node 20 does not have, such as enableCompileCache, would fail before the check of the
    // version.
    const imported = readFileSync('src/cli/commerce.js', 'utf8').match(/^import .+$/gm);
    expect(imported).toEqual([
      "import '../process/check-node.js';",
      "import { existsSync } from 'node:fs';",
      "import module from 'node:module';",
      "import { fileURLToPath } from 'node:url';",
    ]);
  });

  it('prints the same line for `npm start` and `npm run admin`', async () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    for (const name of ['start', 'admin']) {
      const preloaded = scripts[name]!.match(/--import (\S+) src\/\w+/)![1]!;
      const { code, stderr } = await run('--import', [AS_NODE_20, '--import', preloaded, 'src/no-file.ts'], {})
        .finished;
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^commerce needs Node 24 from .+v\d.+\n$/)]);
    }
  });

  it('shows --help of every command without loading the database and its libraries', async () => {
    const loaded = staticClosure('src/cli/program.ts');
    expect(loaded.files.filter((file) => !file.startsWith('src/cli/'))).toEqual([
      'src/app-scope.ts',
      'src/errors.ts',
      'src/installation/own-command.ts',
      'src/usage/kept-days.ts',
      'src/values/select-fields.ts',
      'src/values/timestamp.ts',
    ]);
    expect(loaded.packages.filter((name) => !name.startsWith('node:'))).toEqual(['cli-progress', 'commander']);
    const help = async () =>
      Number((await run('--import', [CPU_TIME_AT_EXIT, 'src/cli/commerce.js', '--help'], {}).finished).stderr);
    await help();
    expect(Math.min(await help(), await help())).toBeLessThan(MAX_HELP_CPU_MS);
  });

  it('creates no database, and prints where it looked and what to do', async () => {
    const nowhere = join(data.path, 'nowhere');
    const calls = [['token'], ['db', 'url'], ['migrate']];
    for (const { code, stdout, stderr } of await Promise.all(calls.map((args) => admin({ DATA_DIR: nowhere }, args)))) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(nowhere);
      expect(stderr).toContain('npm start');
      expect(stderr).not.toMatch(STACK);
    }
    expect(existsSync(nowhere)).toBe(false);
    const openers = filesOf('src/cli').filter((file) =>
      importsOf(file).some(({ target, isType }) => target === 'src/process/database-environment.ts' && !isType),
    );
    expect(openers).toEqual(['src/cli/database/existing-database.ts']);
  });

  it('prints the address at which it looked, without the password', async () => {
    const url = 'postgres://role:secretword@127.0.0.1:1/shop';
    const { code, stderr } = await runCommand(['merchant', 'list'], { ...env, DATABASE_URL: url });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1:1/shop') });
    expect(stderr).not.toMatch(STACK);
    expect(stderr).not.toContain('secretword');
  });

  it('shows no stack for errors of use', async () => {
    const file = join(data.path, 'sheet.csv');
    await writeFile(file, 'a,b\n1,2\n');
    const calls: [args: string[], code: number, message: RegExp, settings?: Record<string, string>][] = [
      [['import', data.path], 1, new RegExp(`^${data.path} is a folder, but import reads one file`)],
      [['import', file], 1, /no column Handle/],
      [['import', '-'], 1, /empty/],
      [['export', join(data.path, 'none', 'out.csv')], 1, /out\.csv\S* cannot be opened/],
      [['export', data.path], 2, /no regular file\. - writes to standard output/],
      [['merchant', 'list'], 1, /sheet\.csv/, { DATABASE_URL: '', DATA_DIR: file }],
      [['merchant', 'list'], 2, /DATABASE_URL must be a URL/, { DATABASE_URL: 'mysql://x' }],
      [['completion', 'fish'], 2, /Allowed choices are bash, zsh/],
      [
        ['webhook', 'why', 'store/product/updated', 'nothing'],
        1,
        /^No product has the name, handle, sku or id "nothing"\.\n$/,
      ],
    ];
    await createContext(database.db);
    const check = async ([args, code, message, settings]: (typeof calls)[number]): Promise<void> => {
      const finished = await runCommand(args, { ...env, ...settings });
      expect(finished, args.join(' ')).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) });
      expect(finished.stderr).not.toMatch(STACK);
    };
    await Promise.all(calls.map(check));
  });

  it('prints which processes run and which deliveries wait', async () => {
    const { code, stdout } = await admin(env, ['status']);
    const { host, pathname } = new URL(database.url);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      3,
      { database: `${host}${pathname}`, processes: 0, workers: 0, deliveriesWaiting: 0, webhooksPaused: 0 },
    ]);
  });

  it('imports from a pipe and exports to one', async () => {
    const { merchantId } = await createContext(database.db);
    const file = join(data.path, 'piped.csv');
    await writeFile(file, sheetOf({ Handle: 'a', Title: 'A', 'Variant Price': '1' }));
    const piped = async (script: string) =>
      await shell('bash', ['--norc', '-c', `set -o pipefail; ${script}`], {
        env: { PATH: process.env.PATH, ...env, FILE: file, COMMERCE: 'src/cli/commerce.js', MERCHANT: merchantId },
      });
    const imported = await piped('cat "$FILE" | $COMMERCE import - --merchant $MERCHANT');
    expect(JSON.parse(imported.stdout)).toMatchObject({ created: 1, skipped: [] });
    const exported = await piped('$COMMERCE export - --merchant $MERCHANT | cat');
    expect(exported.stderr).toBe('1 products, 1 rows\n');
    await runCommand(['export', file, '--merchant', merchantId], env);
    expect(exported.stdout).toBe(await readFile(file, 'utf8'));
    await writeFile(file, sheetOf({ Handle: 'a', Title: 'B', 'Variant Price': '1' }));
    const tried = await piped('$COMMERCE import "$FILE" --dry-run --merchant $MERCHANT');
    const [difference, counts] = tried.stdout.trimEnd().split('\n');
    expect(JSON.parse(difference!)).toMatchObject({ handle: 'a', members: [{ member: 'name', old: 'A', new: 'B' }] });
    expect(JSON.parse(counts!)).toMatchObject({ updated: 1, unchanged: 0, dryRun: true });
    const again = await piped(
      '$COMMERCE export - --merchant $MERCHANT 2>/dev/null | $COMMERCE import - --merchant $MERCHANT',
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    const cut = await piped('$COMMERCE export - --merchant $MERCHANT | head -c 0; echo ${PIPESTATUS[0]}').catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    expect(cut.stderr).not.toMatch(STACK);
  });

  it.skipIf(!existsSync('/dev/full'))('prints one line if its output cannot be written', async () => {
    const failed = await shell('src/cli/commerce.js merchant list > /dev/full', {
      shell: true,
      env: { PATH: process.env.PATH, ...env },
    }).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Standard output .*ENOSPC.*\n$/) });
  });

  it.skipIf(!existsSync('/usr/bin/script'))('prints tables on a terminal, and JSON with --json', async () => {
    const { merchantId } = await createContext(database.db);
    const onTerminal = async (args: string) => {
      const command = `src/cli/commerce.js ${args}`;
      const { stdout } = await shell('script', ['-qec', command, '/dev/null'], {
        env: { PATH: process.env.PATH, ...env },
      });
      return stdout.replaceAll('\r', '');
    };
    expect(await onTerminal('merchant list')).toMatch(new RegExp(`^id +name +email +created\\n[^]*${merchantId} `));
    expect(await onTerminal('merchant list --json')).toMatch(/^\[\{.*\}\]\n$/);
    const app = await onTerminal(`app create --merchant ${merchantId} --scopes read_products,read_customers`);
    expect(app).toMatch(
      /^merchantId {7}\S+\nauthorizedAppId {2}\S+\nclientId .*\nclientSecret .*\nscopes +read_products, read_customers\n$/,
    );
  });
});

/** The same program as `commerce`, from the bundle, which starts in less than half the CPU. */
async function admin(environment: Record<string, string>, args: string[]): Promise<Finished> {
  return await run('src/cli/admin.ts', args, environment).finished;
}
