import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shell } from '../support/programs.ts';

/** The programs of PostgreSQL, which write down how they were called. */
const PROGRAM = `#!/bin/sh
printf '%s %s [%s]\\n' "$(basename "$0")" "$*" "$PGPASSWORD" >> "$CALLS"
for argument; do case $argument in --file=*.part) : > "\${argument#--file=}" ;; esac; done
case $* in *to_regclass*) echo t ;; esac
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'programs-'));
  for (const name of ['pg_dump', 'pg_restore', 'psql']) {
    await writeFile(join(folder, name), PROGRAM);
    await chmod(join(folder, name), 0o755);
  }
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['postgres://owner:hunter2@db.example:5433/shop', 'hunter2', 'postgres://owner@db.example:5433/shop'],
  [
    'postgres://owner:a%40%2fb%25c%C3%A9@db/shop?sslmode=require',
    'a@/b%c\u00e9',
    'postgres://owner@db/shop?sslmode=require',
  ],
  ['postgres://owner:hunter2@[::1]:5432/shop', 'hunter2', 'postgres://owner@[::1]:5432/shop'],
  ['postgres://owner@db/shop?password=hunter2&sslmode=require', 'hunter2', 'postgres://owner@db/shop?sslmode=require'],
  ['postgres://db/shop?user=owner&password=hunter2', 'hunter2', 'postgres://db/shop?user=owner'],
  ['postgres://owner@db:5432/shop', '', 'postgres://owner@db:5432/shop'],
  ['postgres://db:5432/shop', '', 'postgres://db:5432/shop'],
])('the scripts give the programs the password of %s in PGPASSWORD, and not as an argument', async (...given) => {
  const [url, password, shown] = given;
  const calls = join(folder, 'calls');
  const env = { PATH: `${folder}:${process.env.PATH}`, DATABASE_URL: url, CALLS: calls };
  await writeFile(calls, '');
  await shell('ops/backup.sh', [join(folder, 'backups')], { env });
  await shell('ops/restore.sh', ['a.dump'], { env });
  const connected = (await readFile(calls, 'utf8')).split('\n').filter((call) => call.includes('postgres://'));
  expect(connected.length).toBeGreaterThanOrEqual(5);
  for (const call of connected) {
    expect(call).toContain(shown);
    expect(call).toMatch(new RegExp(`\\[${RegExp.escape(password)}\\]$`));
    if (password !== '') expect(call.slice(0, call.lastIndexOf(' ['))).not.toContain(password);
  }
});
