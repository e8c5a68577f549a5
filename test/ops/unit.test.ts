import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs, shell } from '../support/programs.ts';

const UNIT = new URL('../../ops/systemd/commerce@.service', import.meta.url);

it('is a unit that systemd accepts', async (context) => {
  await needs(context, 'systemd-analyze', 'systemd');
  const folder = await mkdtemp(join(tmpdir(), 'commerce-unit-'));
  await copyFile(UNIT, join(folder, 'commerce@.service'));
  const { stdout, stderr } = await shell('systemd-analyze', ['verify', join(folder, 'commerce@api-1.service')]);
  // Where the service is not installed, the program itself is missing.
  expect((stdout + stderr).split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'))).toEqual([]);
  await rm(folder, { recursive: true });
});

it('starts the program as npm start does', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  const [, command] = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(await readFile(UNIT, 'utf8'))!;
  // systemd reads the EnvironmentFile itself.
  expect(scripts.start.replace(' $(test -e .env && echo --env-file=.env)', '')).toContain(command);
});
