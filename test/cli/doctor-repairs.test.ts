import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { connectOnce } from '../../src/db/connection/connect.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createDatabase, createEmptyDatabase } from '../support/database.ts';
import { COMPILE_CACHE, createDataDir, programFile } from '../support/process.ts';
import { needs } from '../support/programs.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const SECRET = 'Hunter2-/#@%zz';
/** Of a set-up in which nothing is broken. */
const WORKS = '"ok":true,"checks"';
const DOCTOR = `${process.execPath} ${programFile('src/cli/admin.ts')} doctor`;
const KEY = randomBytes(32).toString('hex');

type Environment = Record<string, string>;
type Finding = { name: string; ok: boolean; warning?: true; detail: string; repair?: string };

let superuser: ReturnType<typeof connectOnce>;
let dataDir: string;
const opened: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  superuser = connectOnce(inject('serverUrl'));
  return async () => superuser.end();
});
beforeEach(async (context) => {
  skipOnCluster(context, 'the tests create databases and roles');
  await needs(context, 'createdb', 'postgresql-client');
  const data = await createDataDir();
  dataDir = data.path;
  opened.push(() => data.remove());
});
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

describe('the repair of doctor repairs', () => {
  it('a value that is none and a key that is missing', async () => {
    const { url } = await migrated();
    const { SECRET_KEY: _, ...without } = environment(url);
    expect(await afterRepair({ ...without, POOL_SIZE: 'many' }, 'configuration')).toContain(WORKS);
  });

  it('a DATABASE_URL whose password has a slash', async () => {
    const { url } = await migrated();
    expect(
      await afterRepair(environment('postgres://user:12/Hunter2@host/commerce'), 'configuration', {
        typed: `${url}\n`,
      }),
    ).toContain(WORKS);
  });

  it('the key in the variable of its file', async () => {
    const { url } = await migrated();
    const { SECRET_KEY, ...others } = environment(url);
    const file = join(dataDir, 'secret');
    await writeFile(file, SECRET_KEY!);
    expect(
      await afterRepair({ ...others, SECRET_KEY_FILE: SECRET_KEY! }, 'configuration', {
        change: (repair) => repair.replace('/PATH/OF/A/READABLE/FILE', file),
      }),
    ).toContain(WORKS);
  });

  it('the roles that the first migration creates', async () => {
    const empty = await createEmptyDatabase();
    opened.push(() => empty.drop());
    const given = { ...environment(newRole(empty.url)), MIGRATION_DATABASE_URL: empty.ownerUrl };
    expect(await afterRepair(given, 'password', { repair: 'npm run admin -- migrate' })).toContain(WORKS);
  });

  it('the role and the database that do not exist yet', async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    opened.push(async () => superuser.unsafe(`drop database if exists ${name} with (force)`));
    const url = (of: string) => Object.assign(new URL(of), { pathname: `/${name}` }).href;
    const given = {
      ...environment(newRole(url(inject('servingUrl')))),
      MIGRATION_DATABASE_URL: url(inject('serverUrl')),
    };
    expect(await afterRepair(given, 'password')).toContain(WORKS);
  });

  it('an owner who may not create', async () => {
    const empty = await createEmptyDatabase();
    opened.push(() => empty.drop());
    const ownerUrl = newRole(empty.ownerUrl);
    const { username, password } = new URL(ownerUrl);
    await superuser.unsafe(`create role ${username} login createrole password '${decodeURIComponent(password)}'`);
    const given = { ...environment(empty.url), MIGRATION_DATABASE_URL: ownerUrl };
    expect(
      await afterRepair(given, 'rights', { repair: expect.stringContaining('grant create on database') }),
    ).toContain(WORKS);
  });

  it('a privilege that is missing, if the owner is configured', async () => {
    const own = await migrated();
    await own.owner.execute(`revoke select on product from ${new URL(own.url).username}`);
    const given = { ...environment(own.url), MIGRATION_DATABASE_URL: own.ownerUrl };
    expect(await afterRepair(given, 'rights', { repair: 'npm run admin -- migrate' })).toContain(WORKS);
  });

  it('a folder of pictures that does not exist', async () => {
    const { url } = await migrated();
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    expect(
      await afterRepair({ ...environment(url), STORAGE_URL: `file://${file}/images` }, 'storage', {
        change: (repair) => `rm ${file} && ${repair}`,
      }),
    ).toContain(WORKS);
  });
});

it('is to set the password, or to create the role with it, if the owner is not configured', async () => {
  const { url } = await migrated();
  const missing = newRole(url);
  const { broken } = await doctor(environment(missing));
  const { username } = new URL(missing);
  expect(broken.repair).toMatch(new RegExp(`\\\\password ${username}' .*createuser .* --pwprompt ${username}$`));
});

it('of a wrong password is never to create the role, if the owner sees it', async () => {
  const { url, ownerUrl } = await migrated();
  const wrong = Object.assign(new URL(url), { password: 'Hunter2' }).href;
  const { broken } = await doctor({ ...environment(wrong), MIGRATION_DATABASE_URL: ownerUrl });
  expect(broken.repair).toMatch(/\\password \w+'/);
  expect(broken.repair).not.toContain('createuser');
});

it('warns of a superuser with exit code 0, and proposes a role of its own', async () => {
  const empty = await createEmptyDatabase();
  opened.push(() => empty.drop());
  await migrate(empty.ownerUrl, empty.ownerUrl);
  const { code, checks, stderr } = await doctor(environment(empty.ownerUrl));
  const warning = checks.find(({ name }) => name === 'servingRole')!;
  expect([code, warning.ok, warning.warning]).toEqual([0, true, true]);
  expect(stderr).toContain(`WARN   servingRole: `);
  const role = new URL(newRole(empty.url)).username;
  const repair = warning.repair!.replace('commerce_serving', role).replace('NEW_PASSWORD', 'a-new-one');
  await inShell(environment(empty.ownerUrl), repair);
  const url = Object.assign(new URL(empty.url), { username: role, password: 'a-new-one' }).href;
  expect((await doctor(environment(url))).checks.filter((check) => !check.ok || check.warning)).toEqual([]);
});

it('warns of a serving role that may create temporary tables, with the repair', async () => {
  const { url, owner } = await migrated();
  await owner.execute(`grant temporary on database ${new URL(url).pathname.slice(1)} to public`);
  await owner.execute('grant create on schema public to public');
  const { code, checks } = await doctor(environment(url));
  const warning = checks.find(({ name }) => name === 'servingRole')!;
  expect([code, warning.ok, warning.warning]).toEqual([0, true, true]);
  expect(warning.detail).toContain(': it may create temporary tables, it may create tables in public;');
  await inShell(environment(url), warning.repair!);
  expect((await doctor(environment(url))).checks.filter((check) => !check.ok || check.warning)).toEqual([]);
});

it('does not show a key that somebody has given as an option of STORAGE_URL', async () => {
  const { url } = await migrated();
  const bucket = 's3://bucket/images?region=x&accessKeyId=AK&secretAccessKey=Hunter2';
  const { broken } = await doctor({ ...environment(url), STORAGE_URL: bucket });
  expect(broken).toMatchObject({ name: 'configuration', detail: expect.stringContaining('STORAGE_URL must be') });
  expect(JSON.stringify(broken)).not.toContain('Hunter2');
});

type Expected = { repair?: unknown; typed?: string; change?: (repair: string) => string };

/** Runs doctor, then its repair and doctor again in one shell. Returns what the second doctor prints. */
async function afterRepair(
  given: Environment,
  layer: string,
  { repair, typed, change }: Expected = {},
): Promise<string> {
  const { code, broken } = await doctor(given);
  expect([code, broken.name]).toEqual([1, layer]);
  if (repair) expect(broken.repair).toEqual(repair);
  const command = change ? change(broken.repair!) : broken.repair!;
  const after = await inShell(given, `{ ${command}\n} >&2 && ${DOCTOR}`, typed);
  return `${after.stdout}${after.stderr}`;
}

/** No output has the secret of the environment. */
async function doctor(given: Environment) {
  const { code, stdout, stderr } = await inShell(given, DOCTOR);
  expect(stdout + stderr).not.toContain('Hunter2');
  expect(stdout + stderr).not.toContain(KEY);
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  return { code, checks, stderr, broken: checks.at(-1)! };
}

async function inShell(given: Environment, command: string, typed = '') {
  const { password } = new URL(inject('serverUrl'));
  const env = {
    PATH: process.env.PATH,
    HOME: dataDir,
    PGPASSWORD: password,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...given,
  };
  return await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const child = execFile('bash', ['-c', command], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin!.end(typed);
  });
}

function environment(url: string): Environment {
  return { DATABASE_URL: url, SECRET_KEY: KEY, DATA_DIR: dataDir };
}

async function migrated() {
  const own = await createDatabase();
  opened.push(() => own.drop());
  return own;
}

/** The URL for a role that does not exist yet, and is removed at the end. */
function newRole(url: string): string {
  const name = `role_${randomUUID().slice(0, 8)}`;
  opened.unshift(async () => {
    const [found] = await superuser.unsafe(`select from pg_roles where rolname = '${name}'`);
    if (found) await superuser.unsafe(`drop owned by ${name}; drop role ${name}`);
  });
  return Object.assign(new URL(url), { username: name, password: encodeURIComponent(SECRET) }).href;
}
