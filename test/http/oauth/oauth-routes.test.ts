import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../../support/server.ts';
import { inSingleBytes } from '../../support/single-bytes.ts';

const secret = 's3cret+ /é';
const client = { client_id: 'client', client_secret: secret };
const grant = { grant_type: 'client_credentials' };
const basic = `Basic ${Buffer.from(`client:${formEncoded(secret)}`).toString('base64')}`;

let server: TestServer;
beforeAll(async () => void (server = await startServer()));
afterAll(() => server.drain());

describe('a token', () => {
  const asks: [string, RequestInit][] = [
    ['a form', form({ ...grant, ...client })],
    ['JSON', json({ ...grant, ...client })],
    ['a form and HTTP Basic', form(grant, { authorization: basic })],
    ['JSON and HTTP Basic', json({ ...grant, client_id: 'client' }, { authorization: basic })],
    [
      'a form with members without a value',
      form({ ...grant, client_id: '', client_secret: '', scope: '' }, { authorization: basic }),
    ],
    ['a client whose header has its expired token', form({ ...grant, ...client }, { authorization: 'Bearer expired' })],
    ['JSON with unknown members', json({ ...grant, ...client, audience: ['x'], 'a"b': 1, expires_in: 3_600 })],
  ];

  it.each(asks)('is issued for %s', async (_, init) => {
    const response = await ask('token', init);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      access_token: 'issued',
      token_type: 'Bearer',
      expires_in: 14_400,
      scope: 'read_products,write_products',
    });
  });

  it('is issued for the requested scopes', async () => {
    const response = await ask('token', form({ ...grant, ...client, scope: 'read_products' }));
    expect(await response.json()).toMatchObject({ scope: 'read_products' });
  });

  it.each([form, json])('is issued for a body in chunks of one byte', async (encoded) => {
    const { body, ...init } = encoded({ ...grant, ...client });
    expect((await ask('token', { ...init, ...inSingleBytes(Buffer.from(body as string)) })).status).toBe(200);
  });

  it.each([form, json])('is issued for a one-time code without client', async (encoded) => {
    const response = await ask('token', encoded({ grant_type: 'authorization_code', code: 'c0de' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      access_token: 'exchanged',
      token_type: 'Bearer',
      expires_in: 14_400,
      scope: 'read_products',
    });
  });
});

it.each(['token', 'revoke'])('answers 405 to other methods than POST: %s', async (route) => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const response = await ask(route, { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
  }
});

describe('a request for a token', () => {
  const twice = {
    ...form({ ...grant, ...client }),
    body: 'grant_type=client_credentials&grant_type=client_credentials&client_id=client&client_secret=x',
  };
  const refusals: [string, RequestInit, number, string][] = [
    ['without a grant type', form(client), 400, 'invalid_request'],
    ['for another grant', form({ ...client, grant_type: 'password' }), 400, 'unsupported_grant_type'],
    ['for a wrong code', form({ grant_type: 'authorization_code', code: 'x' }), 400, 'invalid_grant'],
    ['without a code', form({ grant_type: 'authorization_code' }), 400, 'invalid_request'],
    ['without a client', form(grant), 401, 'invalid_client'],
    ['with a wrong secret', form({ ...grant, ...client, client_secret: 'wrong' }), 401, 'invalid_client'],
    ['with an unknown client', json({ ...grant, ...client, client_id: 'nobody' }), 401, 'invalid_client'],
    [
      'with a wrong secret in the header',
      form(grant, { authorization: `Basic ${btoa('client:wrong')}` }),
      401,
      'invalid_client',
    ],
    ['with a header that is not Basic', form(grant, { authorization: 'Bearer x' }), 401, 'invalid_client'],
    [
      'with a header that is not form-encoded',
      form(grant, { authorization: `Basic ${btoa('client:%zz')}` }),
      401,
      'invalid_client',
    ],
    [
      'with two ways to name the client',
      form({ ...grant, ...client }, { authorization: basic }),
      400,
      'invalid_request',
    ],
    ['with two clients', form({ ...grant, client_id: 'other' }, { authorization: basic }), 400, 'invalid_request'],
    ['with an unknown scope', form({ ...grant, ...client, scope: 'unknown' }), 400, 'invalid_scope'],
    ['with a member twice', twice, 400, 'invalid_request'],
    ['with a number', json({ ...grant, ...client, client_secret: 1 }), 400, 'invalid_request'],
    ['with a list', json([]), 400, 'invalid_request'],
    ['with incomplete JSON', { ...json({}), body: '{' }, 400, 'invalid_request'],
    ['without a body', { method: 'POST' }, 400, 'invalid_request'],
    ['as plain text', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }, 415, 'invalid_request'],
  ];

  it.each(refusals)('%s is refused', async (_, init, status, error) => {
    const response = await ask('token', init);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, error]);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('www-authenticate')).toBe(
      status === 401 ? 'Basic realm="oauth", charset="UTF-8"' : null,
    );
  });
});

describe('a revocation', () => {
  it('is answered with 200 and an empty body', async () => {
    const response = await ask('revoke', form({ ...client, token: 'issued', token_type_hint: 'access_token' }));
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect((await ask('revoke', json({ token: 'issued' }, { authorization: basic }))).status).toBe(200);
  });

  it.each([
    ['a token', form(client), 400, 'invalid_request'],
    ['a client', form({ token: 'issued' }), 401, 'invalid_client'],
  ] as [string, RequestInit, number, string][])('without %s is refused', async (_, init, status, error) => {
    const response = await ask('revoke', init);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([status, error]);
  });
});

describe('the token routes', () => {
  // docs/reliability-tests.md: 8
  it('have a limit of their own', async () => {
    const limited = await startServer({
      oauth: {
        issueToken: () => Promise.reject(new Error('never')),
        exchangeSignInCode: () => Promise.reject(new Error('never')),
        revokeToken: async () => {},
        rateLimitPerMinute: 2,
      },
    });
    const statuses = [];
    for (let request = 0; request < 3; request++)
      statuses.push((await fetch(`${limited.url}/api/admin/oauth/revoke`, form({ ...client, token: 'x' }))).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await fetch(`${limited.graphqlUrl}?query={__typename}`)).status).toBe(200);
    await limited.drain();
  });

  // docs/reliability-tests.md: 36
  it('do not reveal unexpected errors', async () => {
    const failing = await startServer({
      oauth: {
        issueToken: () => Promise.reject(new Error('select secret')),
        exchangeSignInCode: () => Promise.reject(new Error('never')),
        revokeToken: async () => {},
        rateLimitPerMinute: 0,
      },
    });
    const response = await fetch(`${failing.url}/api/admin/oauth/token`, form({ ...grant, ...client }));
    expect(response.status).toBe(500);
    expect(await response.text()).toMatch(
      /^\{"error":"server_error","error_description":"Unexpected error","requestId":"[0-9a-f-]{36}"\}$/,
    );
    await failing.drain();
  });
});

async function ask(route: string, init: RequestInit): Promise<Response> {
  return await fetch(`${server.url}/api/admin/oauth/${route}`, init);
}

function form(fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  };
}

function json(body: object, headers: Record<string, string> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}
