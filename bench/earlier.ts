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
import { printProgress } from './print-progress.ts';
import { serviceSubject, startService } from './service.ts';
import type { Subject } from './subject.ts';
import { openPostgresUsage, waitUntilIdle } from './usage.ts';

const CHECKOUTS = join(ROOT, '.bench/earlier');

const run = promisify(execFile);

/** A checkout of an earlier commit with its packages, and a shop in its tables on a separate database server. */
export type EarlierShop = {
  directory: string;
  databaseUrl: string;
  token: string;
  surroundings: Surroundings;
  stop(): Promise<void>;
};

export async function commitOf(ref: string): Promise<string> {
  const { stdout } = await run('git', ['rev-parse', '--verify', `${ref}^{commit}`], { cwd: ROOT });
  return stdout.trim();
}

/** A checkout of an earlier commit with its packages, and its generated database on a separate server. */
export async function openEarlierDatabase(
  commit: string,
  shops: readonly number[],
): Promise<{ directory: string; database: Databases.BenchDatabase }> {
  if (process.env.DATABASE_URL)
    throw new Error(
      'Earlier commits have embedded database servers. Unset DATABASE_URL, so that all subjects have the same.',
    );
  const directory = await checkOut(commit);
  const databases = await importFrom<typeof Databases>(directory, 'bench/database.ts');
  return { directory, database: await databases.openBenchDatabase(shops) };
}

/** Its records have the ids of the present shop if that commit generates ids in the same way. */
export async function openEarlierShop(commit: string, shops: readonly number[]): Promise<EarlierShop> {
  const { directory, database } = await openEarlierDatabase(commit, shops);
  const shopModule = await importFrom<typeof Shops>(directory, 'bench/shop.ts');
  const { shop, token } = await shopModule.openShop(database.url, database.merchantId);
  const load = await startLoad(shop);
  const postgresMs = await openPostgresUsage(database.url);
  const untilIdle = async (): Promise<void> => await waitUntilIdle(database.url);
  const stop = async (): Promise<void> => {
    await load.stop();
    await database.close();
  };
  return { directory, databaseUrl: database.url, token, surroundings: { shop, load, postgresMs, untilIdle }, stop };
}

/** The service of an earlier commit. Its responses are not compared, because a later commit may respond differently. */
export async function startEarlier(
  ref: string,
  { directory, databaseUrl, token, surroundings }: EarlierShop,
): Promise<Subject> {
  const child = await startService(databaseUrl, directory);
  const { answer: _, ...subject } = serviceSubject(child, token, surroundings, ref);
  return subject;
}

/** Checks out the commit and installs its packages, once. Uses a temporary name until it is complete. */
async function checkOut(commit: string): Promise<string> {
  const directory = join(CHECKOUTS, commit);
  if (
    await access(directory).then(
      () => true,
      () => false,
    )
  )
    return directory;
  printProgress(`installing ${commit}`);
  const draft = join(CHECKOUTS, `draft-${process.pid}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  await run('git', ['archive', '--format=tar', `--output=${join(draft, 'files.tar')}`, commit], { cwd: ROOT });
  await run('tar', ['-xf', 'files.tar'], { cwd: draft });
  await run('npm', ['ci', '--include=dev'], { cwd: draft });
  await rename(draft, directory);
  return directory;
}

export async function importFrom<Module>(directory: string, file: string): Promise<Module> {
  return (await import(pathToFileURL(join(directory, file)).href)) as Module;
}
