import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { needs, shell } from '../support/programs.ts';

const UNIT = new URL('../../ops/systemd/commerce@.service', import.meta.url);

it('the unit is accepted by systemd', async (context) => {
  await needs(context, 'systemd-analyze', 'systemd');
  const folder = await mkdtemp(join(tmpdir(), 'commerce-unit-'));
  await copyFile(UNIT, join(folder, 'commerce@.service'));
  const { stdout, stderr } = await shell('systemd-analyze', ['verify', join(folder, 'commerce@api-1.service')]);
  // systemd reports a missing program, because the service is not installed on this machine.
  expect((stdout + stderr).split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'))).toEqual([]);
  await rm(folder, { recursive: true });
});

it('the unit starts the program like npm start', async () => {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    scripts: { start: string };
  };
  const [, command] = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(await readFile(UNIT, 'utf8'))!;
  // Without the option for .env: systemd reads the EnvironmentFile itself.
  expect(scripts.start.replace(' $(test -e .env && echo --env-file=.env)', '')).toContain(command);
});

it('the command for a larger heap starts the program like npm start, with the variables of .env', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } };
  const start = scripts.start.replace('$(test -e .env && echo --env-file=.env)', '--env-file-if-exists=.env');
  const [command] = /node --.+ src\/main\.ts(?=`)/.exec(await readFile('docs/configuration.md', 'utf8'))!;
  expect(start.replace('=1024', '=2048')).toContain(command);
});

it('the unit allows the sockets by which Node reads the addresses of the machine, which Fastify does with HOST=0.0.0.0', async () => {
  const [, families] = /^RestrictAddressFamilies=(.+)$/m.exec(await readFile(UNIT, 'utf8'))!;
  expect(families!.split(' ')).toContain('AF_NETLINK');
});

it('the unit goes on when Linux ends a decoder of pictures because memory is short', async () => {
  expect(await readFile(UNIT, 'utf8')).toMatch(/^OOMPolicy=continue$/m);
});

it('the unit tries again without limit, however long PostgreSQL is away', async () => {
  const [, section] = /^\[Unit\]\n([^[]+)/m.exec(await readFile(UNIT, 'utf8'))!;
  expect(section).toMatch(/^StartLimitIntervalSec=0$/m);
});
