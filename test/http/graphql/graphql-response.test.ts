import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { CommerceError, type ErrorCode, httpStatusByCode } from '../../../src/errors.ts';
import { outcomeOf } from '../../../src/http/graphql/graphql-response.ts';

const TRANSIENT = [
  'INTERNAL_SERVER_ERROR',
  'LOGIN_REQUIRED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
  'UNAUTHORIZED',
];

it.each(Object.keys(httpStatusByCode))('%s of a mutation keeps its key only if a repetition would fail too', (code) => {
  const error = new CommerceError(code as ErrorCode, 'Failed.');
  const { rolledBack } = outcomeOf(
    { data: { saveThing: null }, errors: [new GraphQLError('Failed.', { originalError: error })], keys: ['saveThing'] },
    { request: {} as never, mediaType: 'application/json', isDryRun: false, fields: null },
  );
  expect(rolledBack!.isTransient).toBe(TRANSIENT.includes(code));
});

it.each([
  ['RATE_LIMITED', 429, [], { 'retry-after': '10' }],
  ['RATE_LIMITED', 200, ['first'], {}],
  ['LOGIN_REQUIRED', 401, [], { 'www-authenticate': 'Bearer' }],
  ['LOGIN_REQUIRED', 200, ['first'], {}],
] as const)(
  '%s has status %i if the mutations before it that were executed are %j',
  (code, status, executed, headers) => {
    const error = new CommerceError(code, 'Refused.', { retryAfter: 10 });
    const { response } = outcomeOf(
      { data: null, errors: [new GraphQLError('Refused.', { originalError: error })], keys: ['first', 'second'] },
      {
        request: {} as never,
        mediaType: 'application/json',
        isDryRun: false,
        fields: { executed, notExecuted: [] },
      },
    );
    expect([response.status, response.headers]).toEqual([status, headers]);
  },
);
