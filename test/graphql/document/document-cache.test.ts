import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentCache } from '../../../src/graphql/prepared/document-cache.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import type { PreparedOperation } from '../../../src/graphql/prepared/prepared-operation.ts';
import { splitText } from '../../../src/graphql/prepared/string-literals.ts';
import { collectGarbage } from '../../support/collect-garbage.ts';
import { shortestMs } from '../../support/shortest-ms.ts';
import { codes, post, postText } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { smallSchema } from '../../support/small-schema.ts';

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.drain());

const ask = (query: string, variables?: object) => post(server.graphqlUrl, { query, variables });
/** Sends saveProduct with this text as members of the input. */
const save = (members: string) =>
  postText(
    server.graphqlUrl,
    `{"query":"mutation ($input: ThingInput!) { saveNothing(input: $input) { id } }","variables":{"input":{"name":"x",${members}}}}`,
  );

describe('an alias of a type', () => {
  it.each(['SalesChannelFilterInput', 'SalesChannelFilterInput!', 'StringFilterInput'])(
    'declares a variable: %s',
    async (type) => {
      const answer = await ask(`query ($name: ${type}) { listThing(name: $name) { id } }`, { name: { in: ['a'] } });
      expect(answer.body.errors).toBeUndefined();
      expect(server.received.at(-1)).toMatchObject({ name: { in: ['a'] } });
    },
  );

  it('is unique: neither an alias of another type nor a type of the schema', async () => {
    expect(codes(await ask('query ($ids: [SalesChannelFilterInput!]) { listThing(ids: $ids) { id } }'))).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
    expect((await ask('{ __type(name: "SalesChannelFilterInput") { name } }')).body.data).toEqual({ __type: null });
  });
});

describe('a single value', () => {
  it('counts as a list of one', async () => {
    await ask('{ listThing(ids: "a", name: { in: "b" }) { id } }');
    expect(server.received.at(-1)).toMatchObject({ ids: ['a'], name: { in: ['b'] } });
    await ask('query ($ids: [String!]) { listThing(ids: $ids) { id } }', { ids: 'a' });
    expect(server.received.at(-1)).toMatchObject({ ids: ['a'] });
  });
});

describe('the selection', () => {
  it.each([
    ['{ listThing { selected id name __typename } }', { selected: {}, id: {}, name: {} }],
    [
      '{ x: listThing { selected a: id b: id c: parts { name } d: parts { id } } }',
      { selected: {}, id: {}, parts: { name: {}, id: {} } },
    ],
    [
      '{ listThing { selected ...A } } fragment A on Thing { ...B parts { ...B } } fragment B on Thing { id ... { name } ... on Thing { weight } }',
      { selected: {}, id: {}, name: {}, weight: {}, parts: { id: {}, name: {}, weight: {} } },
    ],
    [
      '{ listThing { selected id } ...Q } fragment Q on Query { listThing { parts { id } } listThing { name } }',
      { selected: {}, id: {}, parts: { id: {} }, name: {} },
    ],
    [
      '{ listThing { selected id @skip(if: true) name @include(if: false) weight @include(if: true) parts @skip(if: false) { id } } }',
      { selected: {}, weight: {}, parts: { id: {} } },
    ],
  ])('of %s has each field once', async (query, selection) => {
    for (let round = 0; round < 2; round++) {
      const answer = await ask(query);
      const [row] = Object.values(answer.body.data ?? {})[0] as { selected: string }[];
      expect(JSON.parse(row!.selected)).toEqual(selection);
    }
  });

  it('follows the variables of each request', async () => {
    const query =
      'query ($yes: Boolean!) { listThing { selected id @include(if: $yes) ...F @skip(if: $yes) } } fragment F on Thing { name }';
    for (const [yes, selection] of [
      [true, { selected: {}, id: {} }],
      [false, { selected: {}, name: {} }],
    ] as const) {
      const { data } = (await ask(query, { yes })).body;
      expect(data).toMatchObject({ listThing: [{ selected: JSON.stringify(selection) }] });
    }
  });
});

describe('a Timestamp', () => {
  const query = 'query ($since: Timestamp) { listThing(since: $since) { at } }';

  it.each([0, -1, 1_700_000_000_000, -62_135_596_800_000, 253_402_300_799_999])(
    'may be %i, as a literal and in a variable',
    async (since) => {
      await ask(query, { since });
      expect(server.received.at(-1)).toEqual({ limit: 50, since });
      await ask(`{ listThing(since: ${since}) { at } }`);
      expect(server.received.at(-1)).toEqual({ limit: 50, since });
    },
  );

  it.each([
    '2024-01-01',
    '1700000000000',
    '',
    1.5,
    true,
    [],
    {},
    253_402_300_800_000,
    -62_135_596_800_001,
    2 ** 53,
    1e300,
  ])('is refused in a variable as %j', async (since) => {
    const answer = await ask(query, { since });
    expect(answer.body.errors).toMatchObject([
      {
        message: expect.stringMatching(/^Variable "\$since" has invalid value.*: Timestamp is/),
        extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['since'] }] },
      },
    ]);
  });

  it.each(['"2024-01-01"', '1.5', '1e400', 'true', 'NOW', '253402300800000'])(
    'is refused as the literal %s',
    async (since) => {
      expect(codes(await ask(`{ listThing(since: ${since}) { at } }`))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    },
  );

  it('is an integer in the answer', async () => {
    expect((await ask('{ listThing { at } }')).body.data).toEqual({ listThing: [{ at: 1_700_000_000_000 }] });
  });
});

describe('a text or number that cannot be stored', () => {
  const inVariable = (input: object) =>
    ask('mutation ($input: ThingInput!) { saveNothing(input: $input) { id } }', { input });
  const issuesOf = async (answer: ReturnType<typeof ask>) => (await answer).body.errors?.[0]?.extensions['issues'];

  // docs/reliability-tests.md: 46, 47, 89
  it('is refused anywhere in an input, with its path', async () => {
    expect(
      await issuesOf(
        inVariable({ name: 'a\0', parts: [{ name: 'ok' }, { name: '\ud800x', names: ['ok', 'x\udc00'] }] }),
      ),
    ).toEqual([
      { path: ['input', 'name'], message: 'must not contain the character U+0000' },
      { path: ['input', 'parts', 1, 'name'], message: 'must not contain half of a surrogate pair' },
      { path: ['input', 'parts', 1, 'names', 1], message: 'must not contain half of a surrogate pair' },
    ]);
    expect(await issuesOf(ask('{ listThing(name: { in: ["a\\u0000"] }, search: "\\u0000") { id } }'))).toMatchObject([
      { path: ['name', 'in', 0] },
      { path: ['search'] },
    ]);
    expect(await issuesOf(ask('query ($text: String = "\\u0000") { getThing(id: $text) { id } }'))).toMatchObject([
      { path: ['id'] },
    ]);
  });

  // docs/reliability-tests.md: 48
  it('is refused when it is Infinity', async () => {
    expect(
      await issuesOf(ask('mutation { saveNothing(input: { name: "x", weight: 1e400, prices: [1, -1e999] }) { id } }')),
    ).toEqual([
      { path: ['input', 'weight'], message: expect.stringContaining('64-bit float') },
      { path: ['input', 'prices', 1], message: expect.stringContaining('64-bit float') },
    ]);
    expect(await issuesOf(save('"prices":[1e400,1,-1e999]'))).toMatchObject([
      { path: ['input', 'prices', 0] },
      { path: ['input', 'prices', 2] },
    ]);
    expect(codes(await ask('query ($prices: [Float!]) { __typename }', { prices: [1] }))).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
  });

  // docs/reliability-tests.md: 48
  it('is refused if it is so small that a 64-bit float is 0', async () => {
    expect(
      await issuesOf(
        ask('mutation { saveNothing(input: { name: "1e-400", weight: 1e-400, prices: [0e-400, -0.1e-999] }) { id } }'),
      ),
    ).toEqual([
      { path: ['input', 'weight'], message: expect.stringContaining('64-bit float') },
      { path: ['input', 'prices', 1], message: expect.stringContaining('64-bit float') },
    ]);
    expect(
      await issuesOf(
        ask('mutation ($weight: Float = 1e-400) { saveNothing(input: { name: "x", weight: $weight }) { id } }'),
      ),
    ).toMatchObject([{ path: ['weight'] }]);
    expect(
      await issuesOf(
        ask(`mutation { saveNothing(input: { ${'\n'.repeat(2_000)} name: "x", weight: 1e-400 }) { id } }`),
      ),
    ).toMatchObject([{ path: ['input', 'weight'] }]);
    expect(await issuesOf(save('"weight":1e-400,"prices":[0e-400,1e-300]'))).toMatchObject([
      { path: ['input', 'weight'] },
    ]);
  });

  it('is otherwise accepted unchanged', async () => {
    const name = 'ß İ 👩‍👩‍👧 \u0001 \u200b "quoted" \\';
    await inVariable({ name, weight: 5e-324 });
    expect(server.received.at(-1)).toMatchObject({ input: { name, weight: 5e-324 } });
  });

  it('is reported at most fifty times', async () => {
    expect(await issuesOf(inVariable({ name: 'x', names: Array.from({ length: 1_000 }, () => '\0') }))).toHaveLength(
      50,
    );
  });
});

describe('the cache of documents', () => {
  const { schema } = smallSchema();
  const withToken = { hasToken: true };

  it('has a document that was sent twice', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    expect(cache.find('{ me { id } }')).toBeNull();
    cache.read('{ me { id } }', withToken);
    expect(cache.find('{ me { id } }')).toBeNull();
    const { prepared } = cache.read('{ me { id } }', withToken);
    expect(cache.find('{ me { id } }')!.prepared).toBe(prepared);
    expect(cache.read('{ me { id } }', { hasToken: false }).prepared).toBe(prepared);
  });

  it('keeps no document that is read without a token', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    for (let time = 0; time < 3; time++)
      expect(cache.read('{ me { id } }', { hasToken: false }).prepared).toBeDefined();
    expect(cache.find('{ me { id } }')).toBeNull();
  });

  it('reads the most rows of saveVariantPrices as literals, and keeps no document of them', () => {
    const cache = createDocumentCache(buildSchema(readSources(), resolvers), { maxBytes: 100_000_000 });
    const row = `{productId:"",variantId:"",price:{sellPrice:1,buyPrice:1,discountPrice:1,currency:"",priceListId:""},deleted:true}`;
    const text = `mutation{saveVariantPrices(input:{variantPriceInputs:[${row.repeat(3_000)}]})}`;
    for (let time = 0; time < 3; time++) expect(cache.read(text, withToken).prepared).toBeDefined();
    expect(cache.find(text)).toBeNull();
    expect(cache.parse(text).definitions).toHaveLength(1);
    expect(() => cache.read(text, { hasToken: false })).toThrow('A valid access token is required');
  });

  it('keeps no invalid document', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    for (const text of ['{ nothing }', '{ nothing', '{ nothing(id: "a") }']) {
      for (let time = 0; time < 3; time++) expect(cache.read(text, withToken).refusal).toHaveLength(1);
      expect(cache.find(text)).toBeNull();
    }
  });

  // docs/reliability-tests.md: 29
  it('stays within its limit for any documents', () => {
    const maxBytes = 4_000_000;
    const cache = createDocumentCache(schema, { maxBytes });
    const ask = (ids: string, index: number) => {
      const text = `{ listThing(ids: [${ids}]) { id } } # ${index}`;
      return [text, text].map((text) => cache.read(text, withToken))[1]!;
    };
    const before = heapUsed();
    for (let index = 0; index < 400; index++) ask('"a" '.repeat(200), index);
    const dense = heapUsed() - before;
    for (let index = 0; index < 400; index++) ask(`"${'x'.repeat(15_000)}"`, index);
    const long = heapUsed() - before;
    expect(ask('"a"', 0).refusal).toBeUndefined();
    expect(Math.max(dense, long)).toBeLessThan(maxBytes * 2);
  });

  it('counts what is prepared of documents with many fields', () => {
    const maxBytes = 10_000_000;
    const cache = createDocumentCache(schema, { maxBytes });
    const roots = Array.from({ length: 15 }, (_, index) => `a${index}: listThing { ...F }`).join(' ');
    const levels = 12;
    const parts = `${'id name weight at parts { '.repeat(levels)} id ${'}'.repeat(levels)}`;
    const ask = (index: number): void => {
      const text = `{ ${roots} } fragment F on Thing { ${parts} } # ${index}`;
      const { prepared } = [text, text].map((text) => cache.read(text, withToken))[1]!;
      const operation = prepared!.operation(null) as PreparedOperation;
      expect(operation.cost.requested(null)).toBeGreaterThan(0);
      expect(operation.checkedValues({}, { variables: {}, strings: {} })).toMatchObject({ fields: { length: 15 } });
    };
    ask(0);
    const before = heapUsed();
    for (let index = 1; index < 100; index++) ask(index);
    expect(heapUsed() - before).toBeLessThan(maxBytes * 2);
  });

  it('prepares documents once that differ only in the texts of their literals', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    const ask = (id: string) =>
      cache.read(`{ me { id } listThing(ids: ["${id}"], search: "\\"#${id}") { id } } # "${'x'}`, withToken);
    const [, first, second] = [ask('a'), ask('b'), ask('c')];
    expect(second!.prepared).toBe(first!.prepared);
    expect([first, second].map((read) => Object.values(read!.prepared ? read!.sent.values : {}))).toEqual([
      ['b', '"#b'],
      ['c', '"#c'],
    ]);
  });

  it('refuses fields that cannot be merged, also if their strings were equal before', async () => {
    const query = (id: string) => `{ getThing(id: "a") { id } getThing(id: "${id}") { name } }`;
    for (let time = 0; time < 3; time++) expect(codes(await ask(query('a')))).toEqual([]);
    expect(codes(await ask(query('b')))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  it('finds no document by the key that documents without their strings have', async () => {
    const query = '{ getThing(id: "conflict") { id } }';
    for (let time = 0; time < 3; time++) expect(codes(await ask(query))).toEqual(['CONFLICT']);
    expect(codes(await ask(`\0${query.replace('conflict', '')}`))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  it.each(['"', '\\"'.repeat(300_000), '#"'.repeat(300_000), '""'.repeat(300_000), `"${'x'.repeat(900_000)}`])(
    'reads a hostile text once: %#',
    (text) => {
      const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
      for (const ending of ['', '"', '" }'])
        expect(cache.read(`{ listThing(search: "${text}${ending}`, withToken).refusal).toHaveLength(1);
    },
  );

  it.each(['"" '.repeat(330_000), '#\n'.repeat(490_000)])(
    'does not read a long text outside the queue: %#',
    async (text) => {
      const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
      const query = `{ listThing(ids: [${text}"`;
      expect(cache.find(query)).toBeNull();
      expect(await shortestMs(async () => cache.find(query))).toBeLessThan(2);
      expect(await shortestMs(async () => splitText(query))).toBeLessThan(20);
    },
  );

  it('shares a long document with strings', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    const read = (text: string) =>
      cache.read(`{ listThing(search: "${text.repeat(40_000)}") { id } }`, withToken).prepared;
    read('a');
    expect(read('b')).toBe(read('c'));
  });

  it('reports one error of a long document, whose text may contain the whole document', () => {
    const cache = createDocumentCache(schema, { maxBytes: 1_000_000 });
    const query = (text: string) => `{ listThing(name: {eq: "${text}", a: 1, b: 1}) { id } }`;
    expect(cache.read(query('x'), withToken).refusal).toHaveLength(2);
    const [first, ...others] = cache.read(query('x'.repeat(40_000)), withToken).refusal!;
    expect(first!.message).toMatch(/^Expected value of type "StringFilterInput" not to include unknown field "a"/);
    expect(others.map(({ message }) => message)).toEqual([
      'Too many validation errors, error limit reached. Validation aborted.',
    ]);
  });

  it('does not share documents with strings that are no values of arguments', async () => {
    for (const text of ['a', 'b', 'b', 'c', 'c'])
      for (let time = 0; time < 2; time++) {
        await ask(`query ($search: String = "${text}") { listThing(search: $search, ids: ["${text}"]) { id } }`);
        expect(server.received.at(-1)).toMatchObject({ search: text, ids: [text] });
      }
  });

  it('reports the places of errors in the text that was sent', async () => {
    const places = async (search: string): Promise<unknown> =>
      (await ask(`{ listThing(search: "${search}") { id } getThing(id: "conflict") { id } }`)).body.errors?.[0];
    for (const search of ['', 'a', 'some text', '\\u0041', ''])
      expect(await places(search)).toMatchObject({
        path: ['getThing'],
        locations: [{ line: 1, column: 32 + search.length }],
      });
  });

  it('keeps the suggestions of errors about variables', async () => {
    const query = '{ listThing(search: "suggested", name: $name) { id } }';
    for (let sent = 0; sent < 3; sent++) {
      const { body } = await ask(`query ($name: StringFilterInput) ${query}`, { name: { lik: 'x' } });
      expect(body.errors![0]!.extensions).toMatchObject({ suggestions: expect.arrayContaining(['like']) });
    }
  });

  it('takes literals of any argument, once or as an entry of a list or a member of an input', async () => {
    for (const text of ['a', 'b', 'c', 'it\\"s', '\\u00e9', '#'])
      for (const [argument, received] of [
        ['ids: "?"', { ids: ['?'] }],
        ['ids: ["?", "x"]', { ids: ['?', 'x'] }],
        ['name: { in: "?", eq: "x" }', { name: { in: ['?'], eq: 'x' } }],
      ] as const) {
        await ask(`{ listThing(${argument.replace('?', text)}) { id } }`);
        const value = JSON.parse(`"${text}"`) as string;
        const replaced = JSON.parse(JSON.stringify(received).replace('"?"', JSON.stringify(value))) as object;
        expect(server.received.at(-1)).toMatchObject(replaced);
      }
  });

  it('distinguishes documents with other literals from the one without their texts', async () => {
    for (const id of ['', 'a', '?', '\\u0001', ' ']) {
      await ask(`{ listThing(ids: ["${id}"]) { id } }`);
      expect(server.received.at(-1)).toMatchObject({ ids: [JSON.parse(`"${id}"`)] });
    }
    await ask('{ listThing(ids: ["a""b"]) { id } }');
    expect(server.received.at(-1)).toMatchObject({ ids: ['a', 'b'] });
    await ask('{ listThing(ids: ["""a "b" # c"""]) { id } } # "');
    expect(server.received.at(-1)).toMatchObject({ ids: ['a "b" # c'] });
    expect(codes(await ask('{ listThing(ids: ["a\\q"]) { id } }'))).toEqual(['GRAPHQL_PARSE_FAILED']);
    expect(codes(await ask('{ listThing(since: "a") { id } }'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    expect(codes(await ask('{ listThing(since: "b") { id } }'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  it('does not grow with 100,000 documents that each have another literal', () => {
    const cache = createDocumentCache(schema, { maxBytes: 32_000_000 });
    const ask = (from: number) => {
      for (let index = from; index < from + 50_000; index++)
        cache.read(`{ listThing(ids: ["${index}"]) { id name parts { id name } } }`, withToken);
    };
    ask(0);
    const before = heapUsed();
    ask(50_000);
    expect(heapUsed() - before).toBeLessThan(1_000_000);
  });

  it('evicts the least recently used documents when it is full', () => {
    const cache = createDocumentCache(schema, { maxBytes: 100_000 });
    const askTwice = (text: string) => [text, text].forEach((text) => cache.read(text, withToken));
    askTwice('{ me { id } }');
    expect(cache.find('{ me { id } }')).not.toBeNull();
    for (let index = 0; index < 1_000; index++) askTwice(`{ me { id } } # ${index}`);
    expect(cache.find('{ me { id } }')).toBeNull();
  });
});

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
