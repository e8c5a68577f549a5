import { gunzipSync } from 'node:zlib';
import { buildSchema, introspectionFromSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentSdl, schemaOf } from '../../../codegen/schema-review/sdl-version.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

let open: TestService;
let closed: TestService;
let token: string;
beforeAll(async () => {
  [open, closed] = await Promise.all([startTestService(), startTestService({ introspection: 'token' })]);
  ({ token } = await closed.createApp());
});
afterAll(async () => void (await Promise.all([open.stop(), closed.stop()])));

const sdlUrl = ({ url }: TestService): string => `${url}/api/v1/admin/schema.graphql`;
const load = async (service: TestService, headers: Record<string, string> = {}): Promise<Response> =>
  await fetch(sdlUrl(service), { headers });

describe('the SDL', () => {
  it('is one document that describes the schema, with its directives', async () => {
    const response = await load(open);
    const sdl = await response.text();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(introspectionFromSchema(buildSchema(sdl))).toEqual(introspectionFromSchema(schemaOf(currentSdl())));
    expect(sdl).toContain('@requiresScope(scope: READ_PRODUCTS)');
  });

  it('is sent again only if it has changed', async () => {
    const etag = (await load(open)).headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]{18}"$/);
    const again = await load(open, { 'if-none-match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await load(open, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is compressed for clients that ask for it, with an entity tag of its own', async () => {
    const [gzip, plain] = await Promise.all([
      rawRequest(sdlUrl(open), { 'accept-encoding': 'gzip' }),
      rawRequest(sdlUrl(open), {}),
    ]);
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(gzip.headers.etag).not.toBe(plain.headers.etag);
    expect(
      (await rawRequest(sdlUrl(open), { 'accept-encoding': 'identity' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it.each(['POST', 'DELETE', 'OPTIONS'])('is refused with 405 by %s', async (method) => {
    const response = await fetch(sdlUrl(open), { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('has the same headers by HEAD, and no text', async () => {
    const [head, get] = [await fetch(sdlUrl(open), { method: 'HEAD' }), await load(open)];
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, get.headers.get('etag'), '']);
  });

  it('needs a token where introspection needs one', async () => {
    const refused = await load(closed);
    expect([refused.status, refused.headers.get('www-authenticate'), await refused.json()]).toMatchObject([
      401,
      expect.stringContaining('Bearer'),
      { code: 'LOGIN_REQUIRED' },
    ]);
    const allowed = await load(closed, { authorization: `Bearer ${token}` });
    expect([allowed.status, allowed.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
  });

  it('is refused with an invalid token everywhere', async () => {
    expect((await load(open, { authorization: 'Bearer wrong' })).status).toBe(401);
  });
});
