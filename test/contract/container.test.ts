import { randomBytes } from 'node:crypto';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LOCALE, UTF8_CTYPE } from '../../src/db/embedded/initialise.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, startMain } from '../support/process.ts';

vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let folder: DataDir;
let dockerfile: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await createDataDir();
  dockerfile = await readFile('Dockerfile', 'utf8');
});
afterAll(() => Promise.all([database.drop(), folder.remove()]));

it('the image has the Node version of the packages', async () => {
  const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const major = /\d+/.exec(devDependencies.node!)![0];
  const images = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map((match) => match[1]);
  expect(images).toEqual([major, major]);
});

it('.dockerignore excludes nothing that the image copies', async () => {
  const lines = (await readFile('.dockerignore', 'utf8')).trim().split('\n');
  const missing = copied().filter((path) => !lines.includes(`!${path}`));
  expect([lines[0], missing]).toEqual(['*', []]);
});

it('the service runs with only the files that the image copies', async () => {
  const app = join(folder.path, 'app');
  await mkdir(app);
  for (const path of copied()) await cp(path, join(app, path), { recursive: true });
  await symlink(resolve('node_modules'), join(app, 'node_modules'));
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATA_DIR: folder.path,
    NODE_ENV: 'production',
  };
  const service = await startMain(env, app);
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
  expect((await fetch(`${service.url}/docs/errors/NOT_FOUND`)).status).toBe(200);
  expect(await service.stop()).toMatchObject({ code: 0 });
});

it('the service is not process 1 of its container, where Linux ignores the SIGKILL by which the watchdog ends it', async () => {
  expect(dockerfile).toMatch(/^RUN .*apt-get install .*\btini\b/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
  // A second init process would warn at each start.
  expect(await readFile('compose.yaml', 'utf8')).not.toContain('init: true');
});

it('compose creates a database with the locale of the embedded one, in an image whose ICU and C library stay', async () => {
  const postgres = /^ {2}postgres:\n(?: {4}.*\n)+/m.exec(await readFile('compose.yaml', 'utf8'))![0];
  expect(postgres).toMatch(/^ {4}image: postgres:18-trixie$/m);
  expect(postgres).toContain(`POSTGRES_INITDB_ARGS: ${LOCALE.join(' ')} --lc-ctype=${UTF8_CTYPE}\n`);
});

it('compose limits the memory of the service, and restarts it when it ends', async () => {
  const service = /^ {2}commerce:\n(?: {4}.*\n)+/m.exec(await readFile('compose.yaml', 'utf8'))![0];
  expect(service).toMatch(/^ {4}restart: unless-stopped$/m);
  expect(service).toMatch(/^ {4}mem_limit: \d+g$/m);
});

it('compose limits the logs of all services, which Docker by default keeps for ever', async () => {
  const text = await readFile('compose.yaml', 'utf8');
  expect(text).toMatch(
    /^x-logging: &logging\n {2}driver: local\n {2}options:\n {4}max-size: \d+m\n {4}max-file: '\d+'\n/m,
  );
  const [, services] = /^services:\n((?: {2,}.*\n|\n)+)/m.exec(text)!;
  const names = [...services!.matchAll(/^ {2}(\w+):$/gm)].map((match) => match[1]);
  expect(names).toEqual(['migrate', 'commerce', 'postgres']);
  expect(services!.match(/^ {4}logging: \*logging$/gm)).toHaveLength(names.length);
});

it('compose gives PostgreSQL shared memory for parallel queries', async () => {
  const postgres = /^ {2}postgres:\n(?: {4}.*\n)+/m.exec(await readFile('compose.yaml', 'utf8'))![0];
  expect(postgres).toMatch(/^ {4}shm_size: \d+m$/m);
});

it('compose gives a stop the same time as systemd', async () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(await readFile('ops/systemd/commerce@.service', 'utf8'))!;
  const service = /^ {2}commerce:\n(?: {4}.*\n)+/m.exec(await readFile('compose.yaml', 'utf8'))![0];
  expect(service).toContain(`\n    stop_grace_period: ${seconds}s\n`);
});

/** The paths copied by the last stage of the Dockerfile. */
function copied(): string[] {
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  return [...lastStage.matchAll(/^COPY ([\w.]+) \S+$/gm)].map((match) => match[1]!);
}
