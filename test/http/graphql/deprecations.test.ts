import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Timestamp } from '../../../src/graphql/schema/scalars.ts';
import { buildSchema } from '../../../src/graphql/schema/schema.ts';
import { type Answer, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { commonSource } from '../../support/small-schema.ts';

const UNTIL = 'Since 2026-11-22, until 2027-06-01: use `title`.';
const SDL = /* GraphQL */ `
  extend type Query {
    listBook(by: String @deprecated(reason: "${UNTIL}"), filter: BookFilterInput): [Book!]! @authenticated
  }
  extend type Mutation { saveBook: Boolean @authenticated @transaction(isLong: false) }
  type Book { id: ID! title: String name: String @deprecated(reason: "${UNTIL}") }
  input BookFilterInput { name: String @deprecated(reason: "Soon.") title: String kind: BookEnum and: [BookFilterInput!] }
  enum AppScopeEnum { READ_PRODUCTS }
  enum BookEnum { PAPER SCROLL @deprecated(reason: "${UNTIL}") }
`;
const ASKED = { 'x-deprecations': 'true' };
/** Measured: 0.1 s with the positions of the lexer; 3 s if each is searched for in the text. */
const MANY_LINES_MS = 1_500;

let server: TestServer;
beforeAll(async () => {
  const resolvers = {
    Timestamp,
    Mutation: { saveBook: () => true },
    Query: { listBook: () => [{ id: '1', title: 'T', name: 'N' }] },
  };
  server = await startServer({ schema: buildSchema([commonSource, SDL], resolvers as never) });
});
afterAll(() => server.drain());

async function send(query: string, headers: Record<string, string> = {}, variables = {}): Promise<Answer['body']> {
  return (await post(server.graphqlUrl, { query, variables }, { headers })).body;
}

function entry(kind: string, coordinate: string, ...locations: [number, number][]): object {
  return {
    coordinate,
    reason: UNTIL,
    since: '2026-11-22',
    until: '2027-06-01',
    message: `The ${kind} ${coordinate} is deprecated. ${UNTIL}`,
    locations: locations.map(([line, column]) => ({ line, column })),
  };
}

describe('X-Deprecations: true', () => {
  it('returns each deprecated part of the document with reason, dates and locations, besides the data', async () => {
    const query =
      '{\n  listBook(by: "x", filter: {kind: SCROLL}) { name }\n  again: listBook { ...B }\n}\nfragment B on Book { name }';
    const { data, extensions } = await send(query, ASKED);
    expect(data).toEqual({ listBook: [{ name: 'N' }], again: [{ name: 'N' }] });
    expect(extensions).toEqual({
      deprecations: [
        entry('argument', 'Query.listBook(by:)', [2, 12]),
        entry('enum value', 'BookEnum.SCROLL', [2, 36]),
        entry('field', 'Book.name', [2, 47], [5, 22]),
      ],
    });
  });

  it('returns those in variables, without locations, and those whose reasons have no dates', async () => {
    const query = 'query ($filter: BookFilterInput) { listBook(filter: $filter) { id } }';
    const filter = { title: 'x', and: [{ kind: 'PAPER', and: [{ name: 'y', kind: 'SCROLL' }] }] };
    const { extensions } = await send(query, ASKED, { filter });
    const deprecations = extensions!['deprecations'] as { coordinate: string }[];
    expect(deprecations).toHaveLength(2);
    expect(deprecations).toContainEqual(entry('enum value', 'BookEnum.SCROLL'));
    expect(deprecations).toContainEqual({
      ...entry('input field', 'BookFilterInput.name'),
      reason: 'Soon.',
      since: null,
      until: null,
      message: 'The input field BookFilterInput.name is deprecated. Soon.',
    });
  });

  it('returns an empty list without deprecated parts, and nothing without the header', async () => {
    expect((await send('{ listBook { id title } }', ASKED)).extensions).toEqual({ deprecations: [] });
    expect((await send('{ listBook { name } }')).extensions).toBeUndefined();
    expect((await send('{ listBook { name } }', { ...ASKED, 'x-request-cost': 'true' })).extensions).toEqual({
      cost: expect.anything() as unknown,
      deprecations: [entry('field', 'Book.name', [1, 14])],
    });
  });

  it('is fast in a document of many lines', async () => {
    const query = `{${'\n'.repeat(500_000)}listBook { ${'name '.repeat(90)}} }`;
    const startedAtMs = performance.now();
    const { extensions } = await send(query, ASKED);
    expect(performance.now() - startedAtMs).toBeLessThan(MANY_LINES_MS);
    expect(extensions!['deprecations']).toMatchObject([{ coordinate: 'Book.name', locations: [] }]);
  });

  it('is about the executed operation only, and equal to the answer of a preflight', async () => {
    const query = 'query One { listBook { name } } query Two { listBook(filter: {and: [{name: "x"}]}) { id } }';
    for (const operationName of ['One', 'Two']) {
      const ask = async (headers: Record<string, string>) =>
        (await post(server.graphqlUrl, { query, operationName }, { headers })).body.extensions!;
      const { deprecations } = await ask(ASKED);
      expect(deprecations).toHaveLength(1);
      expect(await ask({ 'x-preflight': 'true' })).toMatchObject({ preflight: { deprecations } });
    }
  });
});
