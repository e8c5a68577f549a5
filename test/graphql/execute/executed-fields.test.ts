import { makeExecutableSchema } from '@graphql-tools/schema';
import { parse } from 'graphql';
import { expect, it } from 'vitest';
import { createExecuteOperation } from '../../../src/graphql/execute/execute-operation.ts';
import { executedFields, rolledBackFields } from '../../../src/graphql/execute/executed-fields.ts';
import { preparedOperation } from '../../support/execute.ts';

const typeDefs = `
  type Query { a: Boolean }
  type Thing { id: ID! name: String! }
  type Mutation { save: Thing! mayFail: Thing }
`;
const refused = () => {
  throw new Error('refused');
};
const saved = () => ({ id: '1' });

async function outcome(query: string, Mutation: Record<string, () => unknown>) {
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Mutation } });
  const operation = preparedOperation(schema, parse(query));
  const sent = { variables: null, strings: {} };
  return executedFields(await createExecuteOperation(schema)({ operation, sent, contextValue: {} }));
}

it('continues after a failed field that may be null', async () => {
  const query = 'mutation { a: save { id } b: mayFail { id } c: save { id } }';
  expect(await outcome(query, { save: saved, mayFail: refused })).toEqual({ executed: ['a', 'c'], notExecuted: [] });
});

it('names the last failed field as the one that ended the execution', async () => {
  const query = 'mutation { a: mayFail { id } b: save { id } c: save { id } }';
  expect(await outcome(query, { save: refused, mayFail: refused })).toEqual({ executed: [], notExecuted: ['c'] });
});

it('counts a field as executed if only its result could not be completed', async () => {
  const query = 'mutation { a: save { name } b: save { id } }';
  const fields = await outcome(query, { save: saved });
  expect(fields).toEqual({ executed: ['a'], notExecuted: ['b'] });
  expect(rolledBackFields(fields!)).toEqual({ executed: [], notExecuted: ['a', 'b'] });
});
