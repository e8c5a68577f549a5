import { describe, expect, it } from 'vitest';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { commonSource } from '../../support/small-schema.ts';

const scopes = 'enum AppScopeEnum { READ_PRODUCTS READ_EVERYTHING }';
const resolve = () => null;

describe('the schema', () => {
  it('is built from the SDL and the resolvers of all domains', () => {
    const schema = buildSchema(readSources(), resolvers);
    expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toContain('listProduct');
  });

  it('has the descriptions of the SDL, also for a scalar with a resolver', () => {
    const types = Object.values(buildSchema(readSources(), resolvers).getTypeMap()).filter(({ astNode }) => astNode);
    expect(types.map(({ name, description }) => [name, description])).toEqual(
      types.map(({ name, astNode }) => [name, astNode!.description?.value]),
    );
  });

  it.each([
    [
      'does not say who may call it',
      'extend type Query { open: Int }',
      { Query: { open: resolve } },
      'Query.open has neither @requiresScope nor @authenticated',
    ],
    ['has no resolver', 'extend type Query { me: Int @authenticated }', {}, 'Query.me has no resolver'],
    [
      'requires an unknown scope',
      'extend type Query { all: Int @requiresScope(scope: READ_EVERYTHING) }',
      { Query: { all: resolve } },
      'Query.all: there is no scope read_everything',
    ],
    [
      'is a resolver without a field',
      'extend type Query { me: Int @authenticated }',
      { Query: { me: resolve, ghost: resolve } },
      'Query.ghost defined in resolvers, but not in schema',
    ],
  ])('is refused when an operation %s', (_, operations, given, message) => {
    const ping = 'extend type Mutation { ping: Int @authenticated }';
    const withPing = { ...given, Mutation: { ping: resolve } };
    expect(() => buildSchema([commonSource, scopes, ping, operations], withPing as never)).toThrow(message);
  });

  it.each([
    [
      'is a type of the schema',
      'input A @aliases(names: ["StringFilterInput"]) { x: Int }',
      '@aliases of A: StringFilterInput is a type of the schema',
    ],
    [
      'stands for two types',
      'input A @aliases(names: ["Other"]) { x: Int } input B @aliases(names: ["Other"]) { x: Int }',
      '@aliases of B: Other stands for A already',
    ],
    [
      'is a value of the enum',
      'enum Kind { ONE @aliases(names: ["TWO"]) TWO }',
      '@aliases of Kind.ONE: TWO is a value of the enum',
    ],
    [
      'stands for two values',
      'enum Kind { ONE @aliases(names: ["ANY"]) TWO @aliases(names: ["ANY"]) }',
      '@aliases of Kind.TWO: ANY stands for ONE already',
    ],
  ])('is refused when an alias %s', (_, types, message) => {
    const operations = 'extend type Query { me: Int @authenticated } extend type Mutation { ping: Int @authenticated }';
    const given = { Query: { me: resolve }, Mutation: { ping: resolve } };
    expect(() => buildSchema([commonSource, scopes, operations, types], given as never)).toThrow(message);
  });
});
