import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, type Finished, logLines, run } from '../support/process.ts';

// Making the package compiles all sources.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 180_000 });

const command = promisify(execFile);
const SECRET_KEY = '0'.repeat(64);
const PACKAGE = 'node_modules/commerce-administration';
type Manifest = Record<'dependencies' | 'optionalDependencies', object> & { bundleDependencies: string[] };

let folder: DataDir;
let database: TestDatabase;
let files: string[];
beforeAll(async () => {
  [folder, database] = await Promise.all([createDataDir(), createDatabase()]);
  const { stdout } = await command('npm', ['pack', '--json', '--pack-destination', folder.path]);
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  files = packed.files.map(({ path }) => path);
  await install(packed.filename);
});
afterAll(async () => {
  await Promise.all([folder.remove(), database.drop()]);
});

/**
 * Installs the package as npm does in an empty folder, but links the dependencies of the checkout: no registry is
 * needed.
 */
async function install(name: string): Promise<void> {
  const target = join(folder.path, PACKAGE);
  await mkdir(target, { recursive: true });
  await command('tar', ['-xzf', join(folder.path, name), '--strip-components=1', '-C', target]);
  const { dependencies, optionalDependencies, bundleDependencies } = JSON.parse(
    await readFile('package.json', 'utf8'),
  ) as Manifest;
  const needed = Object.keys({ ...dependencies, ...optionalDependencies });
  for (const needs of needed.filter((one) => !bundleDependencies.includes(one))) {
    const link = join(folder.path, 'node_modules', needs);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', needs), link);
  }
}

async function commerce(args: string[], env: Record<string, string> = {}): Promise<Finished> {
  return await run(join(PACKAGE, 'src/cli/commerce.js'), args, env, folder.path).finished;
}

describe('the package that npm pack makes', () => {
  it('has no TypeScript, no tests, and the patched packages', async () => {
    const own = files.filter((file) => !file.startsWith('node_modules/'));
    expect(own.filter((file) => /\.tsx?$|^(?:test|bench|codegen)\//.test(file))).toEqual([]);
    expect(await readdir(join(folder.path, PACKAGE, 'node_modules'))).toEqual(['drizzle-orm', 'postgres']);
  });

  it('has the command, with its version and --help', async () => {
    expect(await commerce(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
    const { code, stdout } = await commerce(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('doctor')]);
  });

  it('imports the sample catalogue, and doctor finds nothing wrong', async () => {
    const env = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: folder.path };
    const catalogue = join(PACKAGE, 'dist/examples/catalogue.csv');
    expect(await commerce(['demo'], env)).toMatchObject({ code: 0 });
    expect(await commerce(['import', catalogue], env)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await commerce(['doctor', '--json'], env);
    const { checks } = JSON.parse(stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
    expect([code, checks.filter(({ ok }) => !ok), stderr]).toEqual([0, [], expect.not.stringContaining('WRONG')]);
    // doctor starts the decoder process from a file of the package.
    expect(checks.map(({ name, detail }) => [name, detail])).toEqual(
      expect.arrayContaining([
        ['driver', 'patched'],
        ['decoder', 'works'],
      ]),
    );
  });

  it('names its own commands in its advice, not those of the checkout', async () => {
    const env = { DATA_DIR: join(folder.path, 'none') };
    const { code, stderr } = await commerce(['status'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The first start makes one: commerce start.')]);
    const { stdout } = await commerce(['doctor', '--json'], { DATABASE_URL: `${database.url}_none`, SECRET_KEY });
    const { checks } = JSON.parse(stdout) as { checks: { repair?: string }[] };
    expect(checks.at(-1)!.repair).toMatch(/ && commerce migrate$/);
    expect(await commerce(['start', '--all'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--all'),
    });
  });

  it('has the service, with the worker threads that render its pages', async () => {
    const env = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: folder.path, PORT: '0' };
    const service = run(join(PACKAGE, 'src/cli/commerce.js'), ['start'], env, folder.path);
    const url = await vi.waitFor(() => String(logLines(service.stdout()).find(({ msg }) => msg === 'ready')!.url), {
      timeout: 30_000,
    });
    for (const path of ['/docs', '/docs/operations/saveProduct', '/console', '/api/v1/admin/graphql'])
      expect([path, (await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).status]).toEqual([path, 200]);
    service.child.kill();
    expect(await service.finished).toMatchObject({ code: 0 });
  });
});
