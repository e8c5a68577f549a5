import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as Databases from './database.ts';
import type * as Shops from './shop.ts';
import { ROOT } from './child.ts';
import type { Surroundings } from './http-subject.ts';
import { startLoad } from './load.ts';
import { say } from './say.ts';
import { serviceSubject, startService } from './service.ts';
import type { Subject } from './subject.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';

const CHECKOUTS = join(ROOT, '.bench/earlier');

const run = promisify(execFile);

/**
 * The service of an earlier commit, with its own packages, tables, rows and database server, so that each of the two
 * runs as it was released. Its answers are not compared: the rows of the two shops have other ids.
 */
export async function startEarlier(ref: string, shops: readonly number[]): Promise<Subject> {
  const directory = await checkOut(ref);
  const [databases, shopModule] = await Promise.all([
    importFrom<typeof Databases>(directory, 'bench/database.ts'),
    importFrom<typeof Shops>(directory, 'bench/shop.ts'),
  ]);
  const database = await databases.openBenchDatabase(shops);
  const { shop, token } = await shopModule.openShop(database.url, database.merchantId);
  const child = await startService(database.url, directory);
  const load = await startLoad(shop);
  const surroundings: Surroundings = { shop, load, postgresMs: await openPostgresUsage(database.url), untilIdle: async () => await waitUntilIdle(database.url) };
  const { answer: _, ...subject } = serviceSubject(child, token, surroundings, ref);
  return {
    ...subject,
    stop: async () => {
      await load.stop();
      await child.stop();
      await database.close();
    },
  };
}

/** The files of the commit with its packages, kept for the next run. Under another name until they are whole. */
async function checkOut(ref: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${ref}^{commit}`], { cwd: ROOT });
  const commit = stdout.trim();
  const directory = join(CHECKOUTS, commit);
  if (await access(directory).then(() => true, () => false)) return directory;
  say(`installing ${ref}`);
  const draft = join(CHECKOUTS, `draft-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await run('git', ['archive', '--format=tar', `--output=${join(draft, 'files.tar')}`, commit], { cwd: ROOT });
  await run('tar', ['-xf', 'files.tar'], { cwd: draft });
  await run('npm', ['ci', '--include=dev'], { cwd: draft });
  await rename(draft, directory);
  return directory;
}

async function importFrom<Module>(directory: string, file: string): Promise<Module> {
  return (await import(pathToFileURL(join(directory, file)).href)) as Module;
}
