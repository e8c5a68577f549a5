import { createYoga } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes, get, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { inSingleBytes } from '../../support/single-bytes.ts';
import { session, smallSchema } from '../../support/small-schema.ts';

const graphqlResponse = 'application/graphql-response+json';

let server: TestServer;
let closed: TestServer;
beforeAll(async () => {
  server = await startServer();
  closed = await startServer({ introspection: 'token' });
});
afterAll(async () => {
  await server.drain();
  await closed.drain();
});

describe('a query', () => {
  const requests = [
    { query: '{ me { id merchantId } }' },
    { query: '{ __typename }' },
    { query: 'query A { me { id } } query B { __typename }', operationName: 'B' },
    {
      query: 'query ($n: StringFilterInput) { listThing(name: $n) { id parts { id } } }',
      variables: { n: { eq: 'x' } },
    },
    { query: '{ a: listThing { ...T } me { id } } fragment T on Thing { name __typename }' },
    {
      query: 'query ($yes: Boolean!) { listThing { id @include(if: $yes) name @skip(if: $yes) } }',
      variables: { yes: true },
    },
    { query: '{' },
    { query: '{ zzzzzzzz }' },
    { query: 'query A { __typename } query B { __typename }' },
    { query: 'query A { __typename }', operationName: 'C' },
    { query: 'query ($at: Timestamp) { listThing(since: $at) { id } }', variables: { at: 'yesterday' } },
    { query: '{ getThing(id: "not-found") { id } me { id } }' },
    { query: '{ listThing { id } }', token: 'customers' },
    { query: '{ me { id } }', token: null },
    { query: '{ me { id } }', token: 'unknown' },
  ];

  // PHP writes an empty object as an empty list, and clients with typed settings an empty name.
  it.each([{ variables: [] }, { extensions: [] }, { operationName: '' }, { variables: null, operationName: null }])(
    'may have members without a value: %j',
    async (members) => {
      const { status, body } = await post(server.graphqlUrl, { query: '{ __typename }', ...members });
      expect([status, body]).toEqual([200, { data: { __typename: 'Query' } }]);
    },
  );

  // docs/reliability-tests.md: 33
  it.each(requests)('gets the same answer by POST and by GET: $query', async ({ token, ...request }) => {
    for (const accept of ['application/json', graphqlResponse, '*/*']) {
      const options = { ...(token !== undefined && { token }), headers: { accept } };
      const posted = await post(server.graphqlUrl, request, options);
      const got = await get(server.graphqlUrl, request, options);
      expect({ status: got.status, body: got.body }).toEqual({ status: posted.status, body: posted.body });
      expect(got.headers.get('content-type')).toBe(posted.headers.get('content-type'));
      expect(posted.headers.get('content-type')).toBe(
        accept === graphqlResponse ? `${graphqlResponse}; charset=utf-8` : 'application/json; charset=utf-8',
      );
    }
  });

  /** Queries that Yoga's own handler answers with other words or does not support. */
  const ours = /not-found|\$at|query A \{ __typename/;
  const answerable = requests.filter(({ token, query }) => token === undefined && !ours.test(query));

  it.each(answerable)("gets the answer of Yoga's own handler: $query", async (request) => {
    const yoga = createYoga({
      schema: smallSchema().schema,
      logging: false,
      graphiql: false,
      context: { session: session() },
    });
    const headers = { 'content-type': 'application/json', accept: graphqlResponse };
    const theirs = await yoga.fetch('http://yoga/graphql', { method: 'POST', headers, body: JSON.stringify(request) });
    const answer = await post(server.graphqlUrl, request, { headers });
    expect(withoutCodes(answer.body)).toEqual(withoutCodes((await theirs.json()) as typeof answer.body));
    expect(answer.headers.get('content-type')).toBe(theirs.headers.get('content-type'));
    expect(answer.status).toBe(theirs.status);
  });

  it.each([
    'query ($yes: Boolean = true) { __typename @include(if: $yes) }',
    'query ($yes: Boolean = true) { me { id merchantId @include(if: $yes) } }',
    'query ($yes: Boolean = true) { me { id } ...F @skip(if: $yes) } fragment F on Query { __typename }',
    'query ($yes: Boolean = true) { __schema { types { name @include(if: $yes) } } }',
    'query ($yes: Boolean) { __schema { directives { args(includeDeprecated: $yes) { name } } } }',
  ])('is refused if a variable that must have a value there is null: %s', async (query) => {
    const { status, body } = await post(server.graphqlUrl, { query, variables: { yes: null } });
    expect(status).toBe(200);
    expect(body.data ?? null).toBeNull();
    expect(body.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{}] } }]);
  });

  it('has a response that must not be cached', async () => {
    const answer = await get(server.graphqlUrl, { query: '{ me { id } }' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('may have duplicate slashes in its path', async () => {
    const answer = await post(`${server.url}//api/v1//admin/graphql`, { query: '{ __typename }' });
    expect(answer.body).toEqual({ data: { __typename: 'Query' } });
  });

  it('gets the id of the request in a header', async () => {
    const answer = await post(server.graphqlUrl, { query: '{ __typename }' });
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a request without a valid token', () => {
  // docs/reliability-tests.md: 8
  it('is answered with 401 and LOGIN_REQUIRED, and no resolver runs', async () => {
    const before = server.calls.length;
    for (const token of [null, 'unknown']) {
      const answer = await post(server.graphqlUrl, { query: '{ me { id } __typename }' }, { token });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.body).toEqual({
        errors: [{ message: 'A valid access token is required.', extensions: { code: 'LOGIN_REQUIRED' } }],
      });
    }
    expect(server.calls).toHaveLength(before);
  });

  it('may introspect the schema, unless it has an invalid token', async () => {
    const query =
      'query ($all: Boolean!) { __schema @include(if: $all) { queryType { name } } ... on Query { ...T } } fragment T on Query { __typename }';
    const asked = await post(server.graphqlUrl, { query, variables: { all: true } }, { token: null });
    expect(asked.body).toEqual({ data: { __schema: { queryType: { name: 'Query' } }, __typename: 'Query' } });
    expect((await post(server.graphqlUrl, { query: '{ __typename }' }, { token: 'unknown' })).status).toBe(401);
  });

  // docs/reliability-tests.md: 27
  it('cannot introspect the schema if that needs a token', async () => {
    for (const query of ['{ __typename }', '{ nothing }', '{', '{ me { id } }']) {
      const answer = await post(closed.graphqlUrl, { query }, { token: null });
      expect([answer.status, codes(answer)]).toEqual([401, ['LOGIN_REQUIRED']]);
    }
    expect((await post(closed.graphqlUrl, { query: '{ __schema { queryType { name } } }' })).body.data).toEqual({
      __schema: { queryType: { name: 'Query' } },
    });
  });
});

describe('a caller without the scope', () => {
  it('gets the missing scope, and the other operations are executed', async () => {
    const answer = await post(
      server.graphqlUrl,
      { query: '{ getThing(id: "1") { id } me { id } }' },
      { token: 'customers' },
    );
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({ getThing: null, me: { id: 'app-1' } });
    expect(answer.body.errors).toMatchObject([
      { path: ['getThing'], extensions: { code: 'UNAUTHORIZED', requiredScope: 'read_products' } },
    ]);
  });

  it('cannot write with a read scope, but can read with a write scope', async () => {
    const query = 'mutation { saveNothing(input: { name: "x" }) { id } }';
    const answer = await post(server.graphqlUrl, { query }, { token: 'reader' });
    expect(answer.body.errors).toMatchObject([
      { extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_products' } },
    ]);
    expect(
      codes(await post(server.graphqlUrl, { query: '{ getThing(id: "1") { id } }' }, { token: 'writer' })),
    ).toEqual([]);
  });
});

describe('a request that is not a GraphQL request', () => {
  const bodies: [string, number, string][] = [
    ['{"query": "{', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['null', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['"text"', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['[{"query":"{__typename}"}]', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":["{__typename}"]}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","variables":[1]}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","variables":""}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","operationName":[]}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","operationName":1}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","extensions":"x"}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    ['{"query":"{__typename}","variables":{"__proto__":{"polluted":true}}}', 400, 'ARGUMENT_VALIDATION_ERROR'],
    [
      '{"query":"{__typename}","variables":{"constructor":{"prototype":{"polluted":true}}}}',
      400,
      'ARGUMENT_VALIDATION_ERROR',
    ],
    [`{"query":"{__typename}","variables":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`, 200, ''],
    [`{"query":"${' '.repeat(10 * 1024 * 1024)}"}`, 413, 'PAYLOAD_TOO_LARGE'],
  ];

  // docs/reliability-tests.md: 21, 40, 41
  it.each(bodies)('is refused with the reason: %.60j', async (body, status, code) => {
    const response = await fetch(server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer full' },
      body,
    });
    const answer = (await response.json()) as { errors?: { message: string; extensions: Record<string, unknown> }[] };
    const [error] = answer.errors ?? [];
    expect([response.status, error?.extensions['code'] ?? '']).toEqual([status, code]);
    const member = /member "(variables|operationName|extensions)"|query string/.exec(error?.message ?? '');
    if (status === 400)
      expect(error!.extensions['issues']).toMatchObject([
        { path: member ? [member[1] ?? 'query'] : expect.any(Array) },
      ]);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  // docs/reliability-tests.md: 35
  it.each([
    ['text/plain', '{"query":"{__typename}"}'],
    ['application/x-www-form-urlencoded', 'query={__typename}'],
    ['application/graphql', '{__typename}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/json; charset=utf-16', '{"query":"{__typename}"}'],
  ])('is refused with 415 as %s', async (contentType, body) => {
    const response = await fetch(server.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': contentType, authorization: 'Bearer full' },
      body,
    });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] });
  });

  // docs/reliability-tests.md: 41, 45
  it('is refused when its bytes are compressed or not UTF-8', async () => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer full' };
    const compressed = await fetch(server.graphqlUrl, {
      method: 'POST',
      headers: { ...headers, 'content-encoding': 'gzip' },
      body: Buffer.from([31, 139]),
    });
    expect(compressed.status).toBe(415);
    for (const body of [
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
      Buffer.from('{"query":"{__typename}"}', 'utf16le'),
    ]) {
      expect((await fetch(server.graphqlUrl, { method: 'POST', headers, body })).status).toBe(400);
    }
  });

  it('is executed if its body comes in chunks of one byte', async () => {
    const name = 'äöü€🎉'.repeat(1_000);
    const query = `mutation { saveThing(input: { name: "${name}" }) { name } }`;
    const body = inSingleBytes(Buffer.from(JSON.stringify({ query })));
    const headers = { 'content-type': 'application/json', authorization: 'Bearer full' };
    const response = await fetch(server.graphqlUrl, { method: 'POST', headers, ...body });
    expect(await response.json()).toEqual({ data: { saveThing: { name } } });
  });

  // docs/reliability-tests.md: 41
  it.each([
    ['begins with a byte order mark', '\ufeff{"query":"{ __typename }"}'],
    ['has two members of one name, of which the last one counts', '{"query":"{ nothing }","query":"{ __typename }"}'],
  ])('is executed if its body %s', async (_, body) => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer full' };
    const response = await fetch(server.graphqlUrl, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  // docs/reliability-tests.md: 33
  it.each(['subscription { me { id } }', '{ me { ... @defer { id } } }', '{ listThing @stream { id } }'])(
    'is refused if its answer would have several parts: %s',
    async (query) => {
      const answer = await post(server.graphqlUrl, { query });
      expect([codes(answer)[0], answer.body.data]).toEqual(['GRAPHQL_VALIDATION_FAILED', undefined]);
    },
  );

  // docs/reliability-tests.md: 28
  it.each([
    ['{ listThin { id } }', 'Cannot query field "listThin" on type "Query".', ['listThing']],
    ['{ listThing { nam } }', 'Cannot query field "nam" on type "Thing".', ['name']],
    ['{ listThing(serach: "x") { id } }', 'Unknown argument "serach" on field "Query.listThing".', ['search']],
    ['{ listThing { id @skip(i: true) } }', 'Unknown argument "i" on directive "@skip".', ['if']],
    ['{ listThing { ...on Thin { id } } }', 'Unknown type "Thin".', ['Thing']],
    ['query ($a: Strin) { me { id } }', 'Unknown type "Strin".', ['String']],
    ['{ listThing { zzzzzzzz } }', 'Cannot query field "zzzzzzzz" on type "Thing".', undefined],
    [
      'mutation { saveThing(input: { name: "x", weigth: 1 }) { id } }',
      'Expected value of type "ThingInput" not to include unknown field "weigth", found: { name: "x", weigth: 1 }.',
      ['weight'],
    ],
  ])('is refused with the same message, and suggestions beside it: %s', async (query, message, suggestions) => {
    const { body } = await post(server.graphqlUrl, { query });
    const refusal = body.errors!.find((error) => error.message === message);
    const { code, suggestions: given } = refusal!.extensions as { code: string; suggestions?: string[] };
    // More similar names come first.
    expect([code, given?.slice(0, 1)]).toEqual(['GRAPHQL_VALIDATION_FAILED', suggestions]);
    expect(JSON.stringify(body)).not.toMatch(/did you mean/i);
  });

  // docs/reliability-tests.md: 28
  it('gets no suggestions without a token where the schema is shown only with one', async () => {
    const query = '{ listThin { id } }';
    const anonymous = await post(closed.graphqlUrl, { query }, { token: null });
    expect(codes(anonymous)).toEqual(['LOGIN_REQUIRED']);
    expect(JSON.stringify(anonymous.body)).not.toContain('listThing');
    const known = await post(closed.graphqlUrl, { query }, { token: 'full' });
    expect(known.body.errors?.[0]?.extensions).toMatchObject({ suggestions: ['listThing', 'getThing'] });
  });

  // docs/reliability-tests.md: 28
  it('is refused with suggestions for a misspelt member of a variable', async () => {
    const { body } = await post(
      server.graphqlUrl,
      {
        query: 'mutation ($input: ThingInput!) { saveThing(input: $input) { id } }',
        variables: { input: { name: 'x', weigth: 1 } },
      },
      { token: 'full' },
    );
    expect(body.errors).toMatchObject([
      {
        message: expect.stringContaining('unknown field "weigth", found: '),
        extensions: { code: 'ARGUMENT_VALIDATION_ERROR', suggestions: ['weight'] },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/did you mean/i);
  });

  // docs/reliability-tests.md: 34
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('is refused with 405 by %s', async (method) => {
    const response = await fetch(server.graphqlUrl, { method, headers: { authorization: 'Bearer full' } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  it('is refused with 406 if it accepts no media type of the response', async () => {
    const answer = await post(
      server.graphqlUrl,
      { query: '{ __typename }' },
      { headers: { accept: 'application/xml, text/plain' } },
    );
    expect(answer.status).toBe(406);
  });

  it('is refused if a parameter of a GET is not JSON', async () => {
    const answer = await get(server.graphqlUrl, { query: '{ __typename }', variables: '{x' });
    expect([answer.status, codes(answer)]).toEqual([400, ['ARGUMENT_VALIDATION_ERROR']]);
  });
});

describe('a mutation', () => {
  // docs/reliability-tests.md: 34
  it('is refused with GET and changes nothing', async () => {
    const before = server.calls.length;
    const answer = await get(server.graphqlUrl, { query: 'mutation { saveNothing(input: { name: "x" }) { id } }' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(server.calls).toHaveLength(before);
  });
});

describe('an operation that fails', () => {
  const failing = (id: string) => post(server.graphqlUrl, { query: `{ getThing(id: "${id}") { id } }` });

  it('has the code of the error and all its extensions', async () => {
    expect((await failing('not-found')).body.errors).toMatchObject([
      {
        message: 'Thing not found: x',
        path: ['getThing'],
        extensions: { code: 'NOT_FOUND', type: 'Thing', ids: ['x'] },
      },
    ]);
    expect((await failing('conflict')).body.errors).toMatchObject([
      { message: 'Taken.', extensions: { code: 'CONFLICT', version: 3 } },
    ]);
  });

  // docs/reliability-tests.md: 36
  it.each(['sql', 'text'])(
    'unexpectedly, returns only the id of the request, and is logged once with this id: %s',
    async (id) => {
      const answer = await failing(id);
      const requestId = answer.headers.get('x-request-id');
      expect(answer.body.errors).toMatchObject([
        { message: 'Unexpected error', extensions: { code: 'INTERNAL_SERVER_ERROR', requestId } },
      ]);
      expect(JSON.stringify(answer.body)).not.toMatch(/select|secret|\.ts|no Error/);
      expect(server.lines.filter((line) => line['requestId'] === requestId && line['level'] === 50)).toHaveLength(1);
    },
  );

  // docs/reliability-tests.md: 36
  it('because the database is unavailable, says so without the address of the database', async () => {
    const answer = await failing('disconnected');
    expect([answer.status, answer.headers.get('retry-after'), codes(answer)]).toEqual([
      503,
      '1',
      ['SERVICE_UNAVAILABLE'],
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/10\.0\.0\.7|CONNECTION/);
  });

  it('because of a limit, says when to retry', async () => {
    const answer = await failing('limited');
    expect([answer.status, answer.headers.get('retry-after'), codes(answer)]).toEqual([429, '10', ['RATE_LIMITED']]);
    const partly = await post(server.graphqlUrl, {
      query: '{ one: getThing(id: "limited") { id } two: getThing(id: "2") { id } }',
    });
    expect([partly.status, partly.headers.get('retry-after'), codes(partly)]).toEqual([200, null, ['RATE_LIMITED']]);
  });

  it('because the database is unavailable, keeps the result of another field', async () => {
    const answer = await post(server.graphqlUrl, {
      query: '{ one: getThing(id: "disconnected") { id } two: getThing(id: "2") { id } }',
    });
    expect([answer.status, answer.headers.get('retry-after'), codes(answer), answer.body.data]).toEqual([
      200,
      null,
      ['SERVICE_UNAVAILABLE'],
      { one: null, two: { id: '2' } },
    ]);
  });
});

describe('a browser', () => {
  it('gets GraphiQL, which loads nothing from other hosts', async () => {
    const response = await fetch(server.graphqlUrl, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    const page = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).toContain('<div id="root"');
    expect(page).not.toMatch(/<(script|link)[^>]+(src|href)="(https?:)?\/\//);
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'self'");
  });

  it.each([
    ['text/html; charset=utf-8', 'text/html;q=0.9,application/json;q=0.8'],
    ['text/html; charset=utf-8', '*/*;q=0.1, text/html'],
    ['application/json; charset=utf-8', 'application/json, text/html;q=0.9'],
    ['application/graphql-response+json; charset=utf-8', 'application/graphql-response+json, text/html;q=0.5'],
    ['application/json; charset=utf-8', '*/*'],
  ])('and other clients get %s if they accept %s', async (contentType, accept) => {
    const response = await fetch(`${server.graphqlUrl}?query={__typename}`, { headers: { accept } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
  });

  it.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['br', '*'],
    ['gzip', 'gzip;q=1, br;q=0'],
    ['gzip', 'X, GZIP'],
  ])('gets the page as %s if it accepts %s', async (coding, acceptEncoding) => {
    const response = await getPage({ 'accept-encoding': acceptEncoding });
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, coding]);
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(await response.text()).toContain('<div id="root"');
  });

  it.each(['identity', 'gzip;q=0, *;q=0', 'deflate'])(
    'does not get 2 MB if it accepts no coding except %s',
    async (acceptEncoding) => {
      expect((await getPage({ 'accept-encoding': acceptEncoding })).status).toBe(406);
    },
  );

  it('caches the page for a day, and then revalidates it', async () => {
    const first = await getPage({});
    const etag = first.headers.get('etag')!;
    expect(first.headers.get('cache-control')).toBe('public, max-age=86400');
    const second = await getPage({ 'if-none-match': `"other", W/${etag}` });
    expect([second.status, await second.text(), second.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await getPage({ 'if-none-match': etag, 'accept-encoding': 'br' })).status).toBe(200);
    expect((await getPage({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  async function getPage(headers: Record<string, string>): Promise<Response> {
    return await fetch(server.graphqlUrl, { headers: { accept: 'text/html', ...headers } });
  }
});

type Body = { errors?: { extensions?: unknown }[] };

/** Without the codes, which Yoga's own handler does not have. */
function withoutCodes<Of extends Body>(body: Of): Of {
  return { ...body, ...(body.errors && { errors: body.errors.map((error) => ({ ...error, extensions: undefined })) }) };
}
