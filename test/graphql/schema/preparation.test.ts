import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AppScope, appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { openOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { listenHttp } from '../../outbound/receiver.ts';
import { countRows, isReplay } from '../../support/clients.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, codes, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const scope = 'store/product/updated';
const sample = `testWebhook(scope: "${scope}") { endpoint signed { statusCode } }`;
const keyed = { 'idempotency-key': 'a' };
const samplesOfOneTest = 3;

let database: TestDatabase;
let outbound: Outbound;
let server: TestServer;
let ctx: Context;
let endpoint: string;
let resolved: string[];
let pushes: number;

beforeAll(async () => {
  database = await createDatabase();
  outbound = openOutbound({ allowHttp: true, allowPrivate: true }, async (host) => {
    resolved.push(host);
    return await Promise.resolve(['127.0.0.1']);
  });
  const { webhook } = await createContext(database.db);
  server = await startServer({
    schema: buildSchema(readSources(), resolvers),
    db: database.db,
    webhook: { ...webhook, outbound },
  });
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  const { port } = await listenHttp((socket) => {
    pushes += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  endpoint = `http://receiver.example:${port}/`;
  await send(`mutation { ${saveWebhook(endpoint)} }`);
  [resolved, pushes] = [[], 0];
});
afterAll(async () => {
  await server.drain();
  outbound.close();
  await database.drop();
});

function saveWebhook(address: string): string {
  return `saveWebhook(input: { endpoint: "${address}", scopes: ["${scope}"] }) { id endpoint }`;
}

async function send(
  query: string,
  headers: Record<string, string> = {},
  { scopes = appScopes, variables = {} }: { scopes?: readonly AppScope[]; variables?: object } = {},
): Promise<Answer> {
  server.sessions.set(ctx.merchantId, { ...ctx.session, scopes: new Set(scopes) });
  return await post(server.graphqlUrl, { query, variables }, { token: ctx.merchantId, headers });
}

describe('testWebhook', () => {
  it.each([
    ['under two names', `mutation { ${sample} again: ${sample} }`, 'again'],
    [
      'by way of fragments',
      `mutation { ...One again: ${sample} } fragment One on Mutation { ... { ${sample} } }`,
      'again',
    ],
    [
      'with a variable that decides which field is executed',
      `mutation ($one: Boolean = true) { ${sample.replace(' {', ' @include(if: $one) {')} other: ${sample.replace(' {', ' @skip(if: $one) {')} }`,
      'other',
    ],
  ])('is refused twice in a document %s, and nothing is executed', async (_, query, path) => {
    const answer = await send(query.replace('mutation {', 'mutation { saveProductTag(input: { name: "Tag" }) { id }'));
    expect(answer.body.data).toBeUndefined();
    expect(answer.body.errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: [path] }] } },
    ]);
    expect([pushes, await countRows('product_tag', ctx)]).toEqual([0, 0]);
  });

  it('may be selected twice under one response key, and once in each operation of a document', async () => {
    expect(codes(await send(`mutation { ${sample} ${sample} }`))).toEqual([]);
    expect(pushes).toBe(samplesOfOneTest);
    const { body } = await post(
      server.graphqlUrl,
      { query: `mutation A { ${sample} } mutation B { ${sample} }`, operationName: 'B' },
      { token: ctx.merchantId },
    );
    expect(body.errors).toBeUndefined();
  });

  it('is refused in a dry run, and nothing is sent', async () => {
    for (const headers of [{ 'x-dry-run': 'true' }, { 'x-dry-run': 'true', ...keyed }]) {
      const answer = await send(`mutation { ${sample} }`, headers);
      expect(answer.body.errors).toMatchObject([
        { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['X-Dry-Run'] }] } },
      ]);
    }
    expect(pushes).toBe(0);
    expect(await countRows('idempotency_key', ctx)).toBe(0);
  });

  it('is sent once for a key, and a repeated request gets the stored answer', async () => {
    const query = `mutation { ${sample} saveProductTag(input: { name: "Tag" }) { name } }`;
    const answers = [await send(query, keyed), await send(query, keyed)];
    expect(answers.map(isReplay)).toEqual([false, true]);
    for (const { body } of answers)
      expect(body.data).toEqual({
        testWebhook: { endpoint, signed: { statusCode: 200 } },
        saveProductTag: { name: 'Tag' },
      });
    expect(pushes).toBe(samplesOfOneTest);
    const repeats = await Promise.all([1, 2, 3].map(async () => await send(query, { 'idempotency-key': 'b' })));
    expect(repeats.filter(isReplay)).toHaveLength(2);
    expect(pushes).toBe(2 * samplesOfOneTest);
  });

  it('must come first in a request with a key, because it is executed before the other mutations', async () => {
    const query = `mutation { ${saveWebhook(`${endpoint}new`)} ${sample} }`;
    const answer = await send(query, keyed);
    expect(answer.body.errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['testWebhook'] }] } },
    ]);
    expect(pushes).toBe(0);
    expect(await countRows('idempotency_key', ctx)).toBe(0);
    expect((await send(query)).body.data).toMatchObject({ testWebhook: { endpoint: `${endpoint}new` } });
  });

  it('counts for a dry run and for its place in a request with a key only if no directive leaves it out', async () => {
    const save = 'saveProductTag(input: { name: "Tag" }) @include(if: $saves) { name }';
    const test = sample.replace(' {', ' @skip(if: $saves) {');
    const answer = async (saves: boolean, headers: Record<string, string>): Promise<unknown> => {
      const query = `mutation ($saves: Boolean!) { ${save} ${test} }`;
      return (await send(query, headers, { variables: { saves } })).body.data;
    };
    expect(await answer(true, { 'x-dry-run': 'true' })).toEqual({ saveProductTag: { name: 'Tag' } });
    expect(await answer(false, keyed)).toMatchObject({ testWebhook: { signed: { statusCode: 200 } } });
    expect(pushes).toBe(samplesOfOneTest);
  });

  it('sends nothing if it will not be executed', async () => {
    expect(
      (
        await send(
          `mutation ($no: Boolean = false) { ${sample.replace(' {', ' @include(if: $no) {')} saveProductTag(input: { name: "Tag" }) { name } }`,
          keyed,
        )
      ).body.data,
    ).toEqual({ saveProductTag: { name: 'Tag' } });
    expect(
      codes(
        await send(`mutation ($scope: String!) { testWebhook(scope: $scope) { endpoint } }`, {
          'idempotency-key': 'b',
        }),
      ),
    ).toHaveLength(1);
    expect(
      codes(await send(`mutation { ${sample} }`, { 'idempotency-key': 'c' }, { scopes: ['read_customers'] })),
    ).toEqual(['UNAUTHORIZED']);
    expect(
      codes(await send('mutation { testWebhook(scope: "\\u0000") { endpoint } }', { 'idempotency-key': 'd' })),
    ).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(
      codes(
        await send(
          `mutation ($many: [String!]!) { ${sample} deleteWebhook(scopes: $many) }`,
          { 'idempotency-key': 'e' },
          { variables: { many: Array.from({ length: 100_000 }, () => 'x') } },
        ),
      ),
    ).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(pushes).toBe(0);
  });

  it('that fails is an error of its field, also in a repeated request', async () => {
    const query = 'mutation { testWebhook(scope: "store/customer/created") { endpoint } }';
    const answers = [await send(query, keyed), await send(query, keyed)];
    for (const answer of answers)
      expect([codes(answer), answer.body.errors![0]!.path]).toEqual([['NOT_FOUND'], ['testWebhook']]);
    expect(answers.map(isReplay)).toEqual([false, true]);
  });
});

describe.each([
  ['with a key', keyed],
  ['in a dry run', { 'x-dry-run': 'true' }],
])('saveWebhook %s', (_, headers) => {
  it('has the same response as without a key', async () => {
    const input = { endpoint: `${endpoint}new`, scopes: [scope] };
    const answer = await send(
      'mutation ($input: WebhookInput!) { hook: saveWebhook(input: $input) { endpoint } }',
      headers,
      { variables: { input } },
    );
    expect(answer.body.data).toEqual({ hook: [{ endpoint: `${endpoint}new` }] });
    expect(resolved).toEqual(['receiver.example']);
  });

  it('reports a forbidden endpoint at its field; other fields are executed only without a key', async () => {
    const query = `mutation { bad: ${saveWebhook('http://receiver.example:22/')} good: ${saveWebhook(endpoint)} }`;
    const answer = await send(query, headers);
    expect(answer.body).toMatchObject({
      data: headers === keyed ? null : { bad: null, good: [{ endpoint }] },
      errors: [
        { path: ['bad'], extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['input', 'endpoint'] }] } },
      ],
    });
  });

  it('resolves no host name for a token without the scope', async () => {
    const answer = await send(`mutation { ${saveWebhook(endpoint)} }`, headers, { scopes: ['read_customers'] });
    expect(codes(answer)).toEqual(['UNAUTHORIZED']);
    expect(resolved).toEqual([]);
  });
});
