import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../installation/sync-folder.ts';
import { hasDatabase } from './has-database.ts';
import type { PostgresUser } from './postgres-user.ts';

/** Owner of the tables. */
export const SUPERUSER = 'postgres';
/** Once this file exists, the serving role exists and has the password in it. */
export const SERVING_PASSWORD_FILE = 'serving-password';
const PASSWORD_BYTES = 24;
/** The name of the folder in which `initdb` creates the cluster begins with this. */
const UNFINISHED = 'postgres-unfinished-';

/** ICU root collation for sorting; messages and numbers as in the C locale. */
export const LOCALE = ['--locale-provider=icu', '--icu-locale=und', '--locale=C'];
/**
 * pg_trgm classifies letters by LC_CTYPE, whatever the locale provider is. Under C only ASCII has letters, so
 * misspelt Greek or Cyrillic words would not be found.
 */
export const UTF8_CTYPE = 'C.UTF-8';
const UTF8_CTYPE_OF_MACOS = 'en_US.UTF-8';

/** The paths of the programs. */
export type Programs = { initdb: string; pg_ctl: string };

/**
 * Creates the database cluster with `initdb` unless it exists, and returns the password of its superuser. The password
 * is kept in a file that only the user of the service can read. The folder is renamed when `initdb` has finished, so that
 * a killed start leaves no incomplete cluster.
 */
export async function initialise(programs: Programs, user: PostgresUser, dataDir: string): Promise<string> {
  const directory = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres-password');
  if (await hasDatabase(dataDir)) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomPassword();
  await rm(join(dataDir, SERVING_PASSWORD_FILE), { force: true });
  await removeUnfinished(dataDir);
  const unfinished = await mkdtemp(join(dataDir, UNFINISHED));
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user.ids) {
    await chown(unfinished, user.ids.uid, user.ids.gid);
    await chown(passwordFile, user.ids.uid, user.ids.gid);
  }
  const options = [
    '-D',
    unfinished,
    '-U',
    SUPERUSER,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  const create = async (ctype: string): Promise<unknown> =>
    await user.run(programs.initdb, [...options, ...LOCALE, `--lc-ctype=${ctype}`]);
  // initdb fails if the machine lacks the locale.
  await create(UTF8_CTYPE)
    .catch(async () => await create(UTF8_CTYPE_OF_MACOS))
    .catch((error: Error) => refuseToStart(error, directory));
  await rm(directory, { recursive: true, force: true });
  await rename(unfinished, directory);
  await syncFolder(dataDir);
  return password;
}

/** Each start uses a new folder, because the `initdb` of a killed start may still be writing to the former one. */
async function removeUnfinished(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 });
}

export function refuseToStart(error: Error, directory: string): never {
  throw new Error(
    `The embedded PostgreSQL could not be made in ${directory}: ${error.message.trim()}\n` +
      'As root it runs as the user postgres, who must be able to reach that folder and this project, ' +
      'or setpriv must be there to let it pass: choose another DATA_DIR, or set DATABASE_URL.',
  );
}

export function randomPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
