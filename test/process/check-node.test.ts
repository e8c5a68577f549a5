import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

async function check(version: string): Promise<string> {
  const asVersion = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;
  const args = ['--import', asVersion, '--import', './src/process/check-node.js', '--eval', ''];
  return await promisify(execFile)(process.execPath, args).then(
    () => 'started',
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  );
}

it.each(['20.20.2', '22.22.0', '24.15.0', '25.9.0', '26.0.0'])('refuses Node %s in one line', async (version) => {
  expect(await check(version)).toMatch(/^1: commerce needs Node 24 from 24\.16 on, or Node 26\.1 or newer, .+\n$/);
});

it.each(['24.16.0', '24.21.0', '26.1.0', '26.10.0', '27.0.0'])('accepts Node %s', async (version) => {
  expect(await check(version)).toBe('started');
});
