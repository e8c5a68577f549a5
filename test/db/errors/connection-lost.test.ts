import { expect, it } from 'vitest';
import { isConnectionLost } from '../../../src/db/errors/connection-lost.ts';
import { isUnreachable } from '../../../src/process/describe-error.ts';

/** As Drizzle wraps an error of the driver. */
function failed(code: string, message: string): Error {
  return new Error('Failed query: commit', { cause: Object.assign(new Error(message), { code }) });
}

it('is true if a cluster loses a node during a commit, as Citus 13.2 reports it', () => {
  expect(
    isConnectionLost(failed('XX000', 'could not commit transaction for shard 102008 on at least one active node')),
  ).toBe(true);
  expect(isConnectionLost(failed('08007', 'transaction resolution unknown'))).toBe(true);
});

it('is false for other internal errors, and for what a statement did wrong', () => {
  expect(isConnectionLost(failed('XX000', 'cache lookup failed for function 1'))).toBe(false);
  expect(isConnectionLost(failed('23505', 'could not commit'))).toBe(false);
});

it.each([
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  '57P03',
  '53300',
])('is true if no connection can be opened, as commands say too: %s', (code) => {
  const error = failed(code, `connect ${code}`);
  expect([isConnectionLost(error), isUnreachable(error)]).toEqual([true, true]);
});
