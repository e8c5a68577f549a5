import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectOnce } from '../../../src/db/connection/connect.ts';
import { startEmbeddedPostgres } from '../../../src/db/embedded/embedded-postgres.ts';
import { databaseUrl } from '../../support/database-url.ts';
import { programFile } from '../../support/process.ts';

describe('the embedded database in a folder that other users cannot open', () => {
  // One folder for all: the first start takes most of the time.
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commerce-private-'));
    await chmod(folder, 0o700);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('keeps its data, and uses it at the next start', async () => {
    await inDatabase(folder, 'create table kept as select 42 as answer');
    expect(await inDatabase(folder, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('has a UTF-8 locale, which has the letters of every script', async () => {
    expect(
      await inDatabase(
        folder,
        `
      select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, 'é' < 'f' as "sortsAsDictionary"
      from pg_database where datname = current_database()`,
      ),
    ).toEqual([{ encoding: 'UTF8', provider: 'i', sortsAsDictionary: true }]);
    await inDatabase(folder, 'create extension pg_trgm');
    expect(
      await inDatabase(
        folder,
        `select cardinality(show_trgm('λέξη')) as greek, cardinality(show_trgm('слово')) as cyrillic`,
      ),
    ).toEqual([{ greek: 5, cyrillic: 6 }]);
  });

  it('gets the serving role if an earlier version made none, and resets its password if it is lost', async () => {
    const password = join(folder, 'data', 'serving-password');
    const whoAmI = async () =>
      await inDatabase(
        folder,
        'select current_user as name, rolsuper from pg_roles where rolname = current_user',
        'servingUrl',
      );
    const serving = [{ name: 'commerce_serving', rolsuper: false }];
    expect(await whoAmI()).toEqual(serving);
    const before = await readFile(password, 'utf8');
    await inDatabase(folder, 'drop role commerce_serving');
    await rm(password);
    expect(await whoAmI()).toEqual(serving);
    await rm(password);
    expect(await whoAmI()).toEqual(serving);
    expect(await readFile(password, 'utf8')).not.toBe(before);
    expect((await stat(password)).mode & 0o777).toBe(0o600);
  });
});

it('is created anew after a first start that was killed while it created it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-killed-'));
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  try {
    // Detached: a group of its own, so that `initdb` is killed too, as in a container.
    const first = spawn(process.execPath, [programFile('src/main.ts')], {
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: data },
      detached: true,
      stdio: 'ignore',
    });
    // One of the first files of `initdb`.
    const begun = async () => (await readdir(data, { recursive: true })).filter((path) => path.endsWith('PG_VERSION'));
    await vi.waitFor(async () => expect(await begun()).not.toEqual([]), { timeout: 20_000, interval: 2 });
    process.kill(-first.pid!, 'SIGKILL');
    await once(first, 'close');
    expect(await inDatabase(folder, 'select 1 as one')).toEqual([{ one: 1 }]);
    const named = (await readdir(data)).filter((name) => name.startsWith('postgres'));
    expect(named.toSorted()).toEqual(['postgres', 'postgres-password']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

it('refuses a folder with the C locale of versions before the first release, and does not change it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-c-locale-'));
  await chmod(folder, 0o755);
  try {
    const server = await startEmbeddedPostgres(join(folder, 'data'));
    const client = connectOnce(databaseUrl(server.url, 'template1'));
    await client`drop database postgres`;
    await client`create database postgres template template0 locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`;
    await client.end();
    await server.stop();
    await expect(startEmbeddedPostgres(join(folder, 'data'))).rejects.toThrow('before the first release');
    await expect(stat(join(folder, 'data', 'postgres', 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readFile(join(folder, 'data', 'postgres', 'PG_VERSION'), 'utf8')).toMatch(/^\d+\n$/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function inDatabase(folder: string, statement: string, role: 'url' | 'servingUrl' = 'url'): Promise<object[]> {
  const server = await startEmbeddedPostgres(join(folder, 'data'));
  const client = connectOnce(server[role]);
  try {
    return [...(await client.unsafe(statement))];
  } finally {
    await client.end();
    await server.stop();
  }
}
