import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BlockingWorkQueue } from '../../../src/http/admission/blocking-work-queue.ts';
import { codes, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** The longest time to refuse a document, without the time to send it. The shortest of several runs counts. */
const maxCostMs = 200;
const rounds = 8;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await post(server.graphqlUrl, { query: '{ __schema { types { name fields { name } } } }' });
});
afterAll(() => server.drain());

const times = (count: number, text: string | ((index: number) => string)): string =>
  Array.from({ length: count }, (_, index) => (typeof text === 'string' ? text : text(index))).join(' ');
const nested = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth);

type Ladder = { name: string; steps: { size: number; query: string; refused: string | null }[] };

const literals = times(2_900, '"x"');

const parse = 'GRAPHQL_PARSE_FAILED';
const validation = 'GRAPHQL_VALIDATION_FAILED';

const ladders: Ladder[] = [
  ladder('aliases', (size) => `{${times(size, (index) => `a${index}: me { id }`)}}`, {
    15: null,
    30: null,
    31: validation,
    1000: parse,
    10_000: parse,
  }),
  ladder(
    'aliases of a mutation',
    (size) => `mutation {${times(size, (index) => `a${index}: saveNothing(input: { name: "x" }) { id }`)}}`,
    { 31: validation, 1000: parse },
  ),
  ladder(
    'aliases in a fragment',
    (size) => `{ x: me { ...A } y: me { ...A } } fragment A on Me {${times(size, (index) => `a${index}: id`)}}`,
    { 14: null, 15: validation },
  ),
  ladder(
    'levels',
    (size) =>
      nested(size - 1, '{ listThing '.replace('listThing', 'parts'), '{ id }', '}').replace('parts', 'listThing'),
    { 7: null, 15: null, 16: validation, 400: validation, 5000: parse, 20_000: parse },
  ),
  ladder(
    'levels in fragments',
    (size) =>
      `{ listThing { ...F0 } } ${times(size, (index) => `fragment F${index} on Thing { parts { ...F${index + 1} } }`)} fragment F${size} on Thing { id }`,
    { 13: null, 14: validation, 100: validation },
  ),
  ladder('levels of a list', (size) => `{ listThing(ids: ${nested(size, '[', '', ']')}) { id } }`, {
    16: validation,
    900: validation,
    20_000: parse,
  }),
  ladder(
    'levels of an object',
    (size) => `mutation { saveThing(input: ${nested(size, '{ parts: ', '{ name: "x" }', '}')}) { id } }`,
    { 16: validation, 400: validation, 5000: parse },
  ),
  ladder('levels of a type', (size) => `query ($a: ${nested(size, '[', 'Int', ']')}) { me { id } }`, {
    16: validation,
    900: validation,
    20_000: parse,
  }),
  ladder('directives', (size) => `{ me { id ${times(size, '@skip(if: false)')} } }`, {
    51: validation,
    200: validation,
    10_000: parse,
  }),
  ladder(
    'directives on fields',
    (size) => `{ me { ${times(size, (index) => `... @include(if: ${index % 2 === 0}) { id }`)} } }`,
    { 50: null, 51: validation },
  ),
  ladder('directives nobody knows', (size) => `{ me { id ${times(size, (index) => `@x${index}`)} } }`, {
    50: validation,
    900: validation,
    10_000: parse,
  }),
  ladder('repeated fields', (size) => `{ me { ${times(size, 'id')} } }`, {
    100: null,
    101: validation,
    1900: validation,
    10_000: parse,
  }),
  ladder('repeated operations', (size) => `{ ${times(size, 'listThing(search: "x") { id }')} }`, {
    10: null,
    11: validation,
    180: validation,
    10_000: parse,
  }),
  ladder(
    'repeated operations in fragments',
    (size) =>
      `{ ${times(size, (index) => `...F${index}`)} } ${times(size, (index) => `fragment F${index} on Query { listThing(search: "x") { id } }`)}`,
    { 10: null, 11: validation, 80: validation },
  ),
  ladder('fields that do not exist', (size) => `{ ${times(size, (index) => `x${index}`)} }`, {
    50: validation,
    1900: validation,
  }),
  ladder('variables nobody uses', (size) => `query (${times(size, (index) => `$a${index}: Int`)}) { me { id } }`, {
    400: validation,
  }),
  ladder(
    'a cycle of fragments',
    (size) =>
      `{ listThing { ...F0 } } ${times(size, (index) => `fragment F${index} on Thing { parts { ...F${(index + 1) % size} } }`)}`,
    { 1: validation, 2: validation, 100: validation },
  ),
  ladder(
    'fragments that spread two others',
    (size) =>
      `{ me { ...F0 } } ${times(size, (index) => `fragment F${index} on Me { a: ...F${index + 1} ...F${index + 1} }`.replace('a: ', ''))} fragment F${size} on Me { id }`,
    { 20: null, 100: null },
  ),
  ladder(
    'fragments about the schema that spread two others',
    (size) =>
      `{ __schema { ...F0 } } ${times(size, (index) => `fragment F${index} on __Schema { ...F${index + 1} ...F${index + 1} }`)} fragment F${size} on __Schema { description }`,
    { 20: null, 100: null },
  ),
  ladder(
    'levels that double',
    (size) =>
      `{ listThing { ...F0 } } ${times(size, (index) => `fragment F${index} on Thing { a${index}: parts { ...F${index + 1} } b${index}: parts { ...F${index + 1} } }`)} fragment F${size} on Thing { id }`,
    { 4: null, 5: validation, 13: validation },
  ),
  ladder(
    'unused fragments',
    (size) =>
      `{ me { id } } ${times(size, (index) => `fragment F${index} on Thing { ${times(5, (other) => `...F${(index + other + 1) % size}`)} }`)}`,
    { 100: validation, 10_000: parse },
  ),
  ladder('introspection fields', (size) => `{ ${times(size, (index) => `a${index}: __schema { types { name } }`)} }`, {
    1: null,
    2: validation,
    30: validation,
  }),
  ladder('types by name', (size) => `{ ${times(size, (index) => `a${index}: __type(name: "Thing") { name }`)} }`, {
    1: null,
    6: null,
    7: validation,
    29: validation,
  }),
  ladder(
    'types beside the schema',
    (size) => `{ __schema { description } ${times(size, (index) => `a${index}: __type(name: "Thing") { name }`)} }`,
    {
      5: null,
      6: validation,
    },
  ),
  ladder(
    'types by name in fragments',
    (size) =>
      `{ ...F0 } ${times(size, (index) => `fragment F${index} on Query { a${index}: __type(name: "Thing") { name } ...F${index + 1} }`)} fragment F${size} on Query { __typename }`,
    { 6: null, 7: validation },
  ),
  ladder(
    'parts of a type',
    (size) => `{ __type(name: "Thing") { ${times(size, (index) => `a${index}: fields { name }`)} } }`,
    {
      1: validation,
      28: validation,
    },
  ),
  ladder(
    'parts of the schema',
    (size) => `{ __schema { types { ${times(size, (index) => `a${index}: fields { name }`)} } } }`,
    { 1: validation, 30: validation },
  ),
  ladder(
    'circles of the schema',
    (size) => `{ __schema { types { ${nested(size, 'fields { type { ', 'name', ' } }')} } } }`,
    { 1: null, 2: null, 3: validation, 5: validation },
  ),
  ladder(
    'entries of a list as literals',
    (size) =>
      `mutation { saveNothing(input: { name: "x", parts: [${times(size, '{ name: "x", weight: 1.5 }')}] }) { id } }`,
    { 1_000: null, 13_000: parse },
  ),
  ladder('tokens beside literals', (size) => `{ listThing(many: [${literals}]) { id ${times(size, '__typename')} } }`, {
    99: null,
    2_000: parse,
  }),
  ladder(
    'variables among literals',
    (size) => `query ($a: String! = "x") { listThing(many: [${times(size, '$a')}]) { id } }`,
    { 900: null, 1_100: parse },
  ),
  ladder(
    'repeated operations with many literals',
    (size) => `{ ${times(size, `listThing(many: [${literals}]) { id }`)} }`,
    {
      1: null,
      2: validation,
    },
  ),
  ladder(
    'unknown members among literals',
    (size) => `mutation { saveNothing(input: { ${times(size, (index) => `a${index}: 1`)} }) { id } }`,
    { 1: validation, 30_000: validation },
  ),
  ladder('characters', (size) => `{ me { id } } # ${'x'.repeat(size)}`, { 1_000: null, 1_000_000: parse }),
];

describe.each(ladders)('$name', ({ steps }) => {
  // docs/reliability-tests.md: 20, 22, 23, 24, 25, 27
  it.each(steps)('$size: $refused', async ({ query, refused }) => {
    const answer = await post(
      server.graphqlUrl,
      { query },
      { headers: { accept: 'application/graphql-response+json' } },
    );
    expect([...new Set(codes(answer))]).toEqual(refused ? [refused] : []);
    expect(answer.status).toBe(refused ? 400 : 200);
    expect(answer.body.errors?.length ?? 0).toBeLessThanOrEqual(100);
    if (refused) expect(await cost(query)).toBeLessThan(maxCostMs);
    expect((await post(server.graphqlUrl, { query: '{ me { id } }' })).body).toEqual({ data: { me: { id: 'app-1' } } });
  });
});

it.each([null, 'full'])('introspection with the token %s is executed as blocking work', async (token) => {
  let isInQueue = false;
  const executed: boolean[] = [];
  const run = vi.spyOn(BlockingWorkQueue.prototype, 'run').mockImplementation(async (_, __, work) => {
    isInQueue = true;
    try {
      return work();
    } finally {
      isInQueue = false;
    }
  });
  const type = server.schema.getType('Thing')!;
  const description = Object.getOwnPropertyDescriptor(type, 'description')!;
  Object.defineProperty(type, 'description', { configurable: true, get: () => executed.push(isInQueue) && null });
  try {
    const query = '{ __type(name: "Thing") { description } }';
    expect((await post(server.graphqlUrl, { query }, { token })).body.data).toEqual({
      __type: { description: null },
    });
    expect(executed).toEqual([true]);
  } finally {
    Object.defineProperty(type, 'description', description);
    run.mockRestore();
  }
});

it.each([null, 'full'])('introspection of more than 1 MiB with the token %s is refused', async (token) => {
  const type = server.schema.getType('Thing')!;
  const description = Object.getOwnPropertyDescriptor(type, 'description')!;
  Object.defineProperty(type, 'description', { configurable: true, get: () => 'x'.repeat(1024 * 1024) });
  try {
    const query = '{ __type(name: "Thing") { description } }';
    expect(codes(await post(server.graphqlUrl, { query }, { token }))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
  } finally {
    Object.defineProperty(type, 'description', description);
  }
});

describe('a list', () => {
  const list = (size: number): string[] => Array.from({ length: size }, () => 'x');
  const byLiteral = (argument: string, size: number) => ({
    query: `{ listThing(${argument}: ${JSON.stringify(list(size))}) { id } }`,
  });
  const byVariable = (argument: string, size: number) => ({
    query: `query ($list: [String!]) { listThing(${argument}: $list) { id } }`,
    variables: { list: list(size) },
  });

  // docs/reliability-tests.md: 26
  it.each([1_000, 1_001])('of %i entries as a literal is accepted up to 1,000', async (size) => {
    expect(codes(await post(server.graphqlUrl, byLiteral('ids', size)))).toEqual(
      size > 1_000 ? ['ARGUMENT_VALIDATION_ERROR'] : [],
    );
  });

  it('of more than 2,000 entries as a literal is refused without a token', async () => {
    const query = byLiteral('many', 2_900);
    const refused = await post(server.graphqlUrl, query, { token: null });
    expect([refused.status, codes(refused)]).toEqual([401, ['LOGIN_REQUIRED']]);
    expect(codes(await post(server.graphqlUrl, query))).toEqual([]);
    expect(server.received.at(-1)).toMatchObject({ many: list(2_900) });
  });

  it.each([
    ['an entry', `{ listThing(many: [${literals} 5]) { id } }`],
    ['a number out of range', rows('{ name: "x", at: 1 }', '{ name: "x", at: 253402300800000 }')],
    ['a number of another kind', rows('{ name: "x", at: 1 }', '{ name: "x", at: 1.5 }')],
    ['a decimal of another kind', rows('{ name: "x", at: 1.0 }', '{ name: "x", at: 1.5 }')],
    ['a member that is missing', rows('{ name: "x" }', '{ weight: 1 }')],
    ['a member that is sent twice', rows('{ name: "x" }', '{ name: "x", name: "x" }')],
    ['a variable', rows('{ name: "x" }', '{ name: $undeclared }')],
    ['null', rows('{ name: "x" }', '{ name: null }')],
  ])('of many literals is refused for the last one: %s', async (_, query) => {
    expect(codes(await post(server.graphqlUrl, { query }))[0]).toBe(validation);
  });

  // docs/reliability-tests.md: 26
  it.each([
    ['ids', 1_000],
    ['many', 3_000],
  ])('in a variable for %s is accepted up to %i entries', async (argument, max) => {
    expect(codes(await post(server.graphqlUrl, byVariable(argument, max)))).toEqual([]);
    const answer = await post(server.graphqlUrl, byVariable(argument, max + 1));
    expect(answer.body.errors).toMatchObject([
      {
        extensions: {
          code: 'ARGUMENT_VALIDATION_ERROR',
          issues: [{ message: `must have at most ${max} entries and has ${max + 1}` }],
        },
      },
    ]);
  });

  it('within an input has a limit of its own, and the error names the member', async () => {
    const query = 'mutation ($input: ThingInput!) { saveThing(input: $input) { id } }';
    const part = (size: number) => ({ name: 'x', names: list(size), prices: list(size).map(() => 1) });
    expect(codes(await post(server.graphqlUrl, { query, variables: { input: part(1_000) } }))).toEqual([]);
    const answer = await post(server.graphqlUrl, {
      query,
      variables: { input: { name: 'x', parts: [{ name: 'x' }, part(1_001)] } },
    });
    expect(answer.body.errors).toMatchObject([{ extensions: { issues: [{ path: ['input', 'parts', 1, 'names'] }] } }]);
  });

  // docs/reliability-tests.md: 26
  it('of 100,000 entries is refused before its entries are checked', async () => {
    const before = server.calls.length;
    const entries = list(100_000).map((_, index) => index);
    const answer = await post(server.graphqlUrl, {
      query: 'query ($list: [String!]) { listThing(ids: $list) { id } }',
      variables: { list: entries },
    });
    expect(answer.body.errors).toMatchObject([
      {
        extensions: {
          code: 'ARGUMENT_VALIDATION_ERROR',
          issues: [{ path: ['list'], message: 'must have at most 3000 entries and has 100000' }],
        },
      },
    ]);
    expect(server.calls).toHaveLength(before);
  });
});

describe('a variable', () => {
  // docs/reliability-tests.md: 32
  it('of the wrong type is refused with its path and the message of graphql-js', async () => {
    const query = 'mutation ($input: ThingInput!) { saveThing(input: $input) { id } }';
    const answer = await post(server.graphqlUrl, {
      query,
      variables: { input: { name: 'x', parts: [{ name: 5 }], unknown: true } },
    });
    expect(answer.body.errors).toMatchObject([
      {
        message: 'Variable "$input" has invalid value at .parts[0].name: String cannot represent a non string value: 5',
        extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'parts', 0, 'name'] }] },
      },
      {
        message:
          'Variable "$input" has invalid value: Expected value of type "ThingInput" not to include unknown field "unknown", found: { name: "x", parts: [[Object]], unknown: true }.',
      },
    ]);
  });

  // docs/reliability-tests.md: 32
  it('with a long invalid value is not quoted in full', async () => {
    const query = 'query ($at: Timestamp, $limit: Int) { listThing(since: $at, limit: $limit) { id } }';
    const answer = await post(server.graphqlUrl, { query, variables: { limit: 'x'.repeat(1_000_000) } });
    expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(JSON.stringify(answer.body).length).toBeLessThan(5_000);
  });

  it.each(['', '.'])('with a long invalid value of surrogate pairs is quoted without half of one', async (before) => {
    const query = 'query ($limit: Int) { listThing(limit: $limit) { id } }';
    const answer = await post(server.graphqlUrl, { query, variables: { limit: before + '😀'.repeat(600) } });
    expect(codes(answer)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(JSON.stringify(answer.body)).not.toMatch(/\\ud[89a-f]/);
  });

  // docs/reliability-tests.md: 32
  it('that the document does not declare is ignored, if the body has few enough names', async () => {
    const variables = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`v${index}`, index]));
    expect((await post(server.graphqlUrl, { query: '{ __typename }', variables })).body).toEqual({
      data: { __typename: 'Query' },
    });
  });
});

function rows(row: string, last: string): string {
  return `mutation { saveNothing(input: { name: "x", parts: [${times(900, row)} ${last}] }) { id } }`;
}

function ladder(name: string, query: (size: number) => string, steps: Record<number, string | null>): Ladder {
  return {
    name,
    steps: Object.entries(steps).map(([size, refused]) => ({
      size: Number(size),
      query: query(Number(size)),
      refused,
    })),
  };
}

/**
 * The shortest time of up to eight requests: other work on the machine makes some of them longer. Stops at the first one
 * that is short enough. Adds another space each time, so that no document is in the cache.
 */
async function cost(query: string): Promise<number> {
  let shortest = Infinity;
  for (let round = 1; round <= rounds && shortest >= maxCostMs; round++) {
    const body = JSON.stringify({ query: `${query}${' '.repeat(round)}` });
    const start = performance.now();
    const response = await fetch(server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer full' },
      body,
    });
    await response.arrayBuffer();
    shortest = Math.min(shortest, performance.now() - start);
  }
  return shortest;
}
