import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { calledSignatures, fits, signaturesOf } from '../../codegen/function-signatures.ts';

/**
 * If a call is not merged yet: `git checkout main -- migrations/meta/_functions.json && npm run codegen` forgets it.
 * Otherwise docs/tables.md says what to do.
 */
it('the functions that a version with the same tables calls are there, since its nodes may run beside them', async () => {
  const { called } = JSON.parse(await readFile('migrations/meta/_functions.json', 'utf8')) as {
    called: Record<string, string>;
  };
  const current = calledSignatures();
  expect(current.length).toBeGreaterThan(30);
  expect(Object.entries(called).filter((call) => !fits(call, current))).toEqual([]);
});

it('the version of the functions is current', async () => {
  await expect(
    promisify(execFile)(process.execPath, ['codegen/functions-command.ts', '--check']),
  ).resolves.toMatchObject({
    stdout: '',
  });
});

const FORMER: [string, string] = ['f(uuid, int4[])', 'a uuid, b text'];

it.each([
  ['the same', 'f(m uuid, n integer[], out a uuid, out b text)', true],
  ['a further result', 'f(m uuid, n integer[]) returns table (a uuid, b text, c text)', true],
  ['a further parameter with a default', 'f(m uuid, n integer[], x text default null, out a uuid, out b text)', true],
  ['other names of parameters', 'f(x uuid, y integer[], out a uuid, out b text)', true],
  ['a further parameter', 'f(m uuid, n integer[], x text, out a uuid, out b text)', false],
  ['a parameter fewer', 'f(m uuid, out a uuid, out b text)', false],
  ['another type', 'f(m uuid, n bigint[], out a uuid, out b text)', false],
  ['a result fewer', 'f(m uuid, n integer[], out a uuid)', false],
  ['another name of a result', 'f(m uuid, n integer[], out a uuid, out c text)', false],
  ['another name', 'g(m uuid, n integer[], out a uuid, out b text)', false],
])('a function with %s fits former calls: %s, %s', (_, header, expected) => {
  expect(fits(FORMER, signaturesOf(`create function ${header} language sql as 'select 1'`))).toBe(expected);
});
