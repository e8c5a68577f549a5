import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { CommerceError, type ErrorCode, httpStatusByCode } from '../../../src/errors.ts';
import { createExecuteOperation } from '../../../src/graphql/execute/execute-operation.ts';
import { outcomeOf } from '../../../src/http/graphql/graphql-response.ts';
import type { MutationOutcome, MutationResponse } from '../../../src/http/protocol/mutation.ts';
import { preparedOperation } from '../../support/execute.ts';

const TRANSIENT = [
  'INTERNAL_SERVER_ERROR',
  'LOGIN_REQUIRED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'TIMEOUT',
  'UNAUTHORIZED',
];
const request = { log: { error() {} } } as never;
const options = { request, mediaType: 'application/json', isDryRun: false, isMutation: true } as const;

it.each(Object.keys(httpStatusByCode))('%s of a mutation keeps its key only if a repetition would fail too', (code) => {
  const error = new CommerceError(code as ErrorCode, 'Failed.');
  const { rolledBack } = outcomeOf(
    { data: { saveThing: null }, errors: [new GraphQLError('Failed.', { originalError: error })], keys: ['saveThing'] },
    options,
  );
  expect(rolledBack!.isTransient).toBe(TRANSIENT.includes(code));
});

it.each([
  ['RATE_LIMITED', 429, 'first', { 'retry-after': '10' }],
  ['RATE_LIMITED', 200, 'second', {}],
  ['LOGIN_REQUIRED', 401, 'first', { 'www-authenticate': 'Bearer' }],
  ['LOGIN_REQUIRED', 200, 'second', {}],
] as const)('%s has status %i if it ends a document with its %s mutation', (code, status, key, headers) => {
  const originalError = new CommerceError(code, 'Refused.', { retryAfter: 10 });
  const errors = [new GraphQLError('Refused.', { originalError, path: [key] })];
  const { response } = outcomeOf({ data: null, errors, keys: ['first', 'second'] }, options);
  expect([response.status, response.headers]).toEqual([status, headers]);
});

describe('the lists of executed fields', () => {
  const typeDefs = `
    type Query { a: Boolean }
    type Thing { id: ID! name: String! }
    type Mutation { save: Thing! mayFail: Thing }
  `;
  const refused = () => {
    throw new Error('refused');
  };
  const saved = () => ({ id: '1' });
  const outcome = async (query: string, Mutation: Record<string, () => unknown>): Promise<MutationOutcome> => {
    const schema = makeExecutableSchema({ typeDefs, resolvers: { Mutation } });
    const operation = preparedOperation(schema, parse(query));
    const sent = { variables: null, strings: {} };
    return outcomeOf(await createExecuteOperation(schema)({ operation, sent, contextValue: {} }), options);
  };
  const listsOf = ({ body }: MutationResponse): unknown => (body as { extensions?: object }).extensions;

  it('continue after a failed field that may be null', async () => {
    const query = 'mutation { a: save { id } b: mayFail { id } c: save { id } }';
    const { response } = await outcome(query, { save: saved, mayFail: refused });
    expect(listsOf(response)).toEqual({ executed: ['a', 'c'], notExecuted: [] });
  });

  it('name the last failed field as the one that ended the execution', async () => {
    const query = 'mutation { a: mayFail { id } b: save { id } c: save { id } }';
    const { response } = await outcome(query, { save: refused, mayFail: refused });
    expect(listsOf(response)).toEqual({ executed: [], notExecuted: ['c'] });
  });

  it('count a field as executed if only its result could not be completed', async () => {
    const query = 'mutation { a: save { name } b: save { id } }';
    const { response, rolledBack } = await outcome(query, { save: saved });
    expect(listsOf(response)).toEqual({ executed: ['a'], notExecuted: ['b'] });
    expect(listsOf(rolledBack!.response)).toEqual({ executed: [], notExecuted: ['a', 'b'] });
  });
});
