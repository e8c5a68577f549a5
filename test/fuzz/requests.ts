import fc, { type Arbitrary } from 'fast-check';
import { argumentsOf, awkwardTexts } from '../support/arbitrary.ts';
import { operations } from '../support/operation.ts';
import { type Choices, choices, spoiled, spoiledBytes } from './choices.ts';
import { documents, type GraphQLBody } from './documents.ts';

export const GRAPHQL_PATH = '/api/v1/admin/graphql';
/** Placeholders in requests, replaced by tokens when they are sent. */
export const TOKEN_MARKS = { full: 'TOKEN-FULL', narrowed: 'TOKEN-NARROWED' };

/** A request for fetch, or bytes for a connection of their own. */
export type FuzzRequest =
  | { kind: string; method: string; path: string; headers: Record<string, string>; body?: Buffer; raw?: undefined }
  | { kind: string; raw: Buffer };

type Named = { ids: readonly string[] };

/** Requests of all kinds, from valid ones to bytes that are not HTTP. */
export function requests(named: Named): Arbitrary<FuzzRequest> {
  const documentsOf = documents(named.ids);
  return fc.oneof(
    { weight: 45, arbitrary: withHeaders(documentsOf, postOf) },
    { weight: 25, arbitrary: withHeaders(operationsOf(named), postOf) },
    { weight: 4, arbitrary: withHeaders(documentsOf, getOf) },
    { weight: 12, arbitrary: withHeaders(documentsOf, spoiledPostOf) },
    { weight: 4, arbitrary: fc.gen().map((draw) => hostileJson(choices(draw))) },
    { weight: 5, arbitrary: fc.gen().map((draw) => otherRoute(choices(draw), named)) },
    { weight: 5, arbitrary: withHeaders(documentsOf, rawOf) },
  );
}

/** An operation with all its arguments in variables. Half of the values are unusual or invalid. */
function operationsOf({ ids }: Named): Arbitrary<GraphQLBody> {
  const all = [...operations].map(([name, { kind, field }]) => {
    const declared = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
    const passed = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    const selected = /^\[?(Boolean|String|ID)\b/.test(String(field.type)) ? '' : '{ __typename }';
    const query = `${kind} ${declared && `(${declared})`} { ${name} ${passed && `(${passed})`} ${selected} }`;
    return argumentsOf(field.args, ids).map((variables) => ({ query, variables }));
  });
  return fc.oneof(...all);
}

function withHeaders(
  bodies: Arbitrary<GraphQLBody>,
  make: (given: Choices, body: GraphQLBody, headers: Record<string, string>) => FuzzRequest,
): Arbitrary<FuzzRequest> {
  return fc.tuple(bodies, fc.gen()).map(([body, draw]) => {
    const given = choices(draw);
    return make(given, body, headersOf(given));
  });
}

function headersOf({ chance, oneOf }: Choices): Record<string, string> {
  const token = chance(96) ? TOKEN_MARKS.full : oneOf(TOKEN_MARKS.narrowed, 'unknown', 'a'.repeat(2_000), '');
  return {
    ...(chance(98) && { authorization: `${chance(97) ? 'Bearer' : oneOf('Basic', 'bearer', '')} ${token}` }),
    'content-type': chance(96)
      ? 'application/json'
      : oneOf(
          'text/plain',
          'application/json; charset=utf-16',
          'multipart/form-data; boundary=x',
          'application/graphql',
          '',
        ),
    ...(chance(10) && {
      accept: oneOf('application/json', 'application/graphql-response+json', 'text/html', '*/*', 'a/b', ';q=x'),
    }),
    ...(chance(5) && { 'x-dry-run': oneOf('true', 'true', 'false', '') }),
    ...(chance(5) && { 'idempotency-key': oneOf('a', 'b', 'c', 'x'.repeat(300), ' ') }),
    ...(chance(2) && { 'content-encoding': oneOf('gzip', 'identity', 'x') }),
    ...(chance(2) && { 'x-forwarded-for': oneOf('127.0.0.1', '::1, x', "'") }),
    ...(chance(3) && { 'x-request-cost': 'true' }),
  };
}

function postOf({ chance, oneOf }: Choices, body: GraphQLBody, headers: Record<string, string>): FuzzRequest {
  const sent = chance(97)
    ? body
    : oneOf<unknown>([body], [body, body], null, 1, '', { ...body, extensions: 1 }, { ...body, query: [body.query] });
  return {
    kind: 'document',
    method: chance(99) ? 'POST' : oneOf('PUT', 'DELETE', 'PATCH', 'OPTIONS'),
    path: GRAPHQL_PATH,
    headers,
    body: Buffer.from(JSON.stringify(sent)),
  };
}

function getOf(
  { chance }: Choices,
  { query, variables, operationName }: GraphQLBody,
  headers: Record<string, string>,
): FuzzRequest {
  const parameters = new URLSearchParams({
    query: query.slice(0, 8_000).toWellFormed(),
    ...(variables !== undefined && { variables: JSON.stringify(variables).slice(0, 4_000) }),
    ...(typeof operationName === 'string' && { operationName: operationName.toWellFormed() }),
  });
  if (chance(10)) parameters.append('query', '{ me { id } }');
  return {
    kind: 'get',
    method: chance(90) ? 'GET' : 'HEAD',
    path: `${GRAPHQL_PATH}?${parameters.toString()}`,
    headers,
  };
}

function spoiledPostOf(given: Choices, body: GraphQLBody, headers: Record<string, string>): FuzzRequest {
  const text = JSON.stringify(body);
  const bytes = given.chance(50) ? Buffer.from(spoiled(given, text)) : spoiledBytes(given, Buffer.from(text));
  return { kind: 'bytes', method: 'POST', path: GRAPHQL_PATH, headers, body: bytes };
}

/** JSON that may break parsers and programs, in the place of a variable. */
function hostileJson(given: Choices): FuzzRequest {
  const { oneOf, upTo } = given;
  const depth = 10 ** upTo(5);
  const value = oneOf(
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"a":1,"a":2}',
    '[1e400,-1e400,1e-400]',
    `"${'\\ud800'.repeat(upTo(100))}"`,
    `${'['.repeat(depth)}${']'.repeat(depth)}`,
    `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    `[${'0,'.repeat(depth)}0]`,
    '"\\u0000"',
    '1'.repeat(depth),
    `{${Array.from({ length: depth / 10 }, (_, index) => `"k${index}":0`).join(',')}}`,
  );
  const texts = [
    `{"query":"query ($v: StringFilterInput) { listCustomer(email: $v) { count } }","variables":{"v":${value}}}`,
    `{"query":"mutation ($v: ProductInput!) { saveProduct(input: $v) { id } }","variables":{"v":${value}}}`,
    `{"query":"{ me { id } }","variables":${value},"extensions":${value}}`,
    `{"query":"{ me { id } }","__proto__":${value}}`,
    `\ufeff{"query":"{ me { id } }","variables":{"v":${value}}}`,
    value,
  ];
  const body = given.chance(10) ? Buffer.from(oneOf(...texts), 'utf16le') : Buffer.from(oneOf(...texts));
  return { kind: 'json', method: 'POST', path: GRAPHQL_PATH, headers: headersOf(given), body };
}

function otherRoute(given: Choices, { ids }: Named): FuzzRequest {
  const { oneOf, draw, chance } = given;
  const text = (): string => oneOf(...awkwardTexts, ...ids, draw(fc.string));
  const path = oneOf(
    '/api/admin/oauth/token',
    '/api/admin/oauth/revoke',
    '/api/v1/admin/product/upload/image',
    `/images/${oneOf(...ids)}/${oneOf(...ids)}/image_180.webp`,
    `/images/${encodeURIComponent(text().slice(0, 200).toWellFormed())}/x/image_180.webp`,
    '/healthz',
    '/readyz',
    '/metrics',
    `//${encodeURIComponent(text().slice(0, 200).toWellFormed())}`,
    '/api/v1/admin/graphql/',
    '/%',
  );
  const members = {
    client_id: text(),
    client_secret: text(),
    grant_type: oneOf('client_credentials', text()),
    scope: text(),
    token: text(),
  };
  const upload = {
    productImage: {
      variantIds: [text()],
      order: oneOf<unknown>(0, '1', 1e300, text()),
      isMain: oneOf<unknown>(true, 'true', 1),
      base64: text(),
    },
    brandImage: chance(20) ? { categoryIds: [text()], url: text() } : undefined,
  };
  const body =
    path.includes('oauth') && chance(50)
      ? new URLSearchParams(Object.entries(members).map(([name, value]) => [name, value.toWellFormed()])).toString()
      : JSON.stringify(path.includes('upload') ? upload : members);
  const form = {
    'content-type':
      path.includes('oauth') && !body.startsWith('{') ? 'application/x-www-form-urlencoded' : 'application/json',
  };
  return {
    kind: 'route',
    method: oneOf('POST', 'POST', 'POST', 'GET', 'HEAD', 'DELETE'),
    path,
    headers: { ...headersOf(given), ...form },
    body: chance(80) ? Buffer.from(body) : spoiledBytes(given, Buffer.from(body)),
  };
}

/** A request as text, with faults in the HTTP syntax. */
function rawOf(given: Choices, body: GraphQLBody, headers: Record<string, string>): FuzzRequest {
  const { oneOf, chance } = given;
  const content = JSON.stringify(body).slice(0, 4_000);
  const more = chance(50)
    ? ''
    : oneOf(
        'Transfer-Encoding: chunked\r\n',
        'Content-Length: 5\r\n',
        'Content-Length: -1\r\n',
        'Content-Length: 99999999999\r\n',
        ' folded: x\r\n',
        'Expect: 100-continue\r\n',
        'Connection: upgrade\r\nUpgrade: websocket\r\n',
        'X: \0\r\n',
        'X : y\r\n',
        `X: ${'y'.repeat(20_000)}\r\n`,
        'X: a\nY: b\r\n',
        'Host: other\r\n',
      );
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  const path = oneOf(
    GRAPHQL_PATH,
    GRAPHQL_PATH,
    '*',
    '/\0',
    'http://other/',
    '/..%2f..%2fetc/passwd',
    `/${'a'.repeat(20_000)}`,
  );
  const head = `${oneOf('POST', 'POST', 'GET', 'CONNECT', 'PRI', 'post')} ${path} HTTP/${oneOf('1.1', '1.1', '1.0', '2.0', '9')}\r\nHost: localhost\r\n${lines}${more}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n`;
  const bytes = Buffer.from(head + content);
  return { kind: 'raw', raw: chance(50) ? bytes : spoiledBytes(given, bytes) };
}
