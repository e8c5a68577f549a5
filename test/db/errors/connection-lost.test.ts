import { expect, it } from 'vitest';
import { isConnectionLost } from '../../../src/db/errors/connection-lost.ts';
import { describeError } from '../../../src/process/describe-error.ts';

/** As Drizzle wraps an error of the driver. */
function failed(code: string, message: string, members: object = {}): Error {
  return new Error('Failed query: commit', { cause: Object.assign(new Error(message), { code }, members) });
}

const unreachable = (message: string): string => `The database cannot be reached: ${message}`;

it('is true if a cluster loses a node during a commit, as Citus 13.2 reports it', () => {
  expect(
    isConnectionLost(failed('XX000', 'could not commit transaction for shard 102008 on at least one active node')),
  ).toBe(true);
  expect(isConnectionLost(failed('08007', 'transaction resolution unknown'))).toBe(true);
});

it('is true if the queue finds a server without TLS, as node-postgres reports it', () => {
  expect(isConnectionLost(new Error('The server does not support SSL connections'))).toBe(true);
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
  'EPROTO',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  '57P03',
  '53300',
])('is true if no connection can be opened, as commands say too: %s', (code) => {
  const error = failed(code, `connect ${code}`);
  expect([isConnectionLost(error), describeError(error)]).toEqual([true, unreachable(`connect ${code}`)]);
});

it.each([
  ['28P01', 'the password was changed'],
  ['28000', 'the role may not sign in'],
  ['3D000', 'the database was renamed'],
  ['08P01', 'PgBouncer has too many clients'],
  ['55000', 'the database accepts no connections'],
])('is true if the server refuses a connection with %s, because %s', (code, message) => {
  const error = failed(code, message, { severity_local: 'FATAL' });
  expect([isConnectionLost(error), describeError(error)]).toEqual([true, unreachable(message)]);
});

it.each(['08P01', '55000'])('is false if a statement fails with %s', (code) => {
  expect(isConnectionLost(failed(code, 'wrong', { severity_local: 'ERROR', severity: 'ERROR' }))).toBe(false);
});
