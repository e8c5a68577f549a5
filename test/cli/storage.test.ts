import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { openFolderStorage } from '../../src/image/folder-storage.ts';
import { claimStorage } from '../../src/image/storage-owner.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, run } from '../support/process.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

let original: TestDatabase;
let copy: TestDatabase;
let data: DataDir;

beforeAll(async () => {
  original = await createDatabase();
  copy = await createDatabase();
  data = await createDataDir();
  await claimStorage(original, openFolderStorage(data.path));
});
afterAll(async () => {
  await original.drop();
  await copy.drop();
  await data.remove();
});

async function commerce({ url }: TestDatabase, ...args: string[]) {
  const env = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex'), STORAGE_URL: `file://${data.path}` };
  const { code, stdout, stderr } = await run('src/cli/admin.ts', args, env).finished;
  return { code, stderr, answer: JSON.parse(stdout) as Record<string, any> };
}

async function storageFinding(database: TestDatabase) {
  const { code, answer } = await commerce(database, 'doctor');
  expect(code).toBe(0);
  return (answer['checks'] as { name: string }[]).find(({ name }) => name === 'storage');
}

it('doctor names the grant that the owner of the storage is read with, if it was revoked', async () => {
  const own = await createDatabase();
  onTestFinished(() => own.drop());
  await own.owner.execute('revoke execute on function pg_control_system() from public');
  const { code, answer } = await commerce(own, 'doctor');
  expect([code, (answer['checks'] as object[]).at(-1)]).toEqual([
    1,
    expect.objectContaining({
      name: 'storage',
      detail: expect.stringContaining('permission denied for function pg_control_system'),
      repair: expect.stringMatching(
        /^psql -h \S+ -p \d+ -U postgres -d \S+ -c 'grant execute on function pg_control_system/,
      ),
    }),
  ]);
});

const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);

it('doctor warns while the storage belongs to another database, until storage take-over', async () => {
  expect(await storageFinding(original)).not.toHaveProperty('warning');
  expect(await storageFinding(copy)).toMatchObject({
    ok: true,
    warning: true,
    detail: expect.stringContaining(`belongs to another database (${nameOf(original)}, server `),
    repair: expect.stringMatching(/^npm run admin -- storage take-over /),
  });
  expect(await commerce(copy, 'storage', 'take-over')).toMatchObject({
    code: 0,
    answer: { storage: `file://${data.path}`, owner: { name: nameOf(copy) }, former: { name: nameOf(original) } },
  });
  expect(await storageFinding(copy)).not.toHaveProperty('warning');
  expect(await storageFinding(original)).toMatchObject({ warning: true });
});
