import { readFileSync } from 'node:fs';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import type { Session } from '../../src/context.ts';
import { CommerceError, notFound } from '../../src/errors.ts';
import { Timestamp } from '../../src/graphql/schema/scalars.ts';
import { buildSchema, type GraphQLSchema } from '../../src/graphql/schema/schema.ts';
import type { PlannedInfo } from '../../src/graphql/plan/selection.ts';

/** The smallest schema that the tests of the server and the executor need. */
const things = /* GraphQL */ `
  extend type Query {
    me: Me @authenticated
    listThing(name: StringFilterInput, since: Timestamp, ids: [String!], many: [String!] @listSize(max: 3000), search: String, limit: Int = 50): [Thing!]! @requiresScope(scope: READ_PRODUCTS)
    getThing(id: String!, required: Int! = 1): Thing @requiresScope(scope: READ_PRODUCTS)
    wait: Boolean @authenticated
  }
  extend type Mutation {
    saveThing(input: ThingInput!): Thing! @requiresScope(scope: WRITE_PRODUCTS) @transaction(isLong: false)
    saveNothing(input: ThingInput!): Thing @requiresScope(scope: WRITE_PRODUCTS) @transaction(isLong: false)
  }
  type Me { id: String merchantId: String }
  type Thing { id: ID! name: String! weight: Float at: Timestamp parts: [Thing!] selected: String }
  input ThingInput { id: String name: String! weight: Float at: Timestamp parts: [ThingInput!] names: [String!] prices: [Float!] @listSize(max: 3000) }
  enum AppScopeEnum { ${appScopes.map((scope) => scope.toUpperCase()).join(' ')} }
`;

export const commonSource = readFileSync(new URL('../../schema/common.graphql', import.meta.url), 'utf8');

/** Ids for which getThing throws: one for each kind of error of domains, the database and libraries. */
const failures: Record<string, () => never> = {
  'not-found': () => fail(notFound('Thing', ['x'])),
  conflict: () => fail(new CommerceError('CONFLICT', 'Taken.', { version: 3 })),
  limited: () => fail(new CommerceError('RATE_LIMITED', 'Too many.', { retryAfter: 10 })),
  sql: () =>
    fail(
      new Error('Failed query: select secret from access_token', {
        cause: Object.assign(new Error('relation "secret"'), { code: '42P01' }),
      }),
    ),
  disconnected: () =>
    fail(
      new Error('Failed query', {
        cause: Object.assign(new Error('write CONNECTION_CLOSED 10.0.0.7:5432'), { code: 'CONNECTION_CLOSED' }),
      }),
    ),
  timeout: () =>
    fail(
      new Error('Failed query: select 1', {
        cause: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
      }),
    ),
  text: () => fail('text that is no Error'),
};

export type SmallSchema = {
  schema: GraphQLSchema;
  calls: string[];
  received: Record<string, unknown>[];
  release(): void;
};

/** The schema, with a record of the calls of its resolvers. The field `wait` answers when it is released. */
export function smallSchema(): SmallSchema {
  const calls: string[] = [];
  const received: Record<string, unknown>[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const noted = <Value>(name: string, args: object, value: Value): Value => {
    calls.push(name);
    received.push(args as Record<string, unknown>);
    return value;
  };
  const resolvers = {
    Timestamp,
    Query: {
      me: (_: unknown, args: object, ctx: { session: Session }) =>
        noted('me', args, { id: ctx.session.authorizedAppId, merchantId: ctx.session.merchantId }),
      listThing: (_: unknown, args: object, __: unknown, info: PlannedInfo) =>
        noted('listThing', args, [
          {
            id: '1',
            name: 'One',
            weight: 1.5,
            at: 1_700_000_000_000,
            selected: JSON.stringify(info.selection),
            parts: [],
          },
        ]),
      getThing: (_: unknown, args: { id: string }) =>
        noted('getThing', args, failures[args.id]?.() ?? { id: args.id, name: 'Thing' }),
      wait: async () => {
        calls.push('wait');
        await released;
        return true;
      },
    },
    Mutation: {
      saveThing: (_: unknown, args: { input: object }) => noted('saveThing', args, { id: '2', ...args.input }),
      saveNothing: (_: unknown, args: { input: object }) => noted('saveNothing', args, null),
    },
  };
  return { schema: buildSchema([commonSource, things], resolvers as never), calls, received, release: () => release() };
}

export function session(scopes: readonly AppScope[] = appScopes): Session {
  return { merchantId: 'merchant-1', authorizedAppId: 'app-1', scopes: new Set(scopes) };
}

function fail(error: unknown): never {
  throw error;
}
