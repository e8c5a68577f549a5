import { getIntrospectionQuery } from 'graphql';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codes, post } from '../../support/post.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

let service: TestService;
let app: Awaited<ReturnType<TestService['createApp']>>;
beforeAll(async () => {
  service = await startTestService();
  app = await service.createApp();
});
afterAll(() => service.stop());

const ask = (query: string, variables?: object, token: string | null = app.token) =>
  post(service.graphqlUrl, { query, variables }, { token });

describe('the service', () => {
  const audits = serverAudits({
    url: () => service.graphqlUrl,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${app.token}` },
      }),
  });

  it('follows GraphQL over HTTP in all 61 points', async () => {
    const results = await Promise.all(
      audits.map(async (audit) => ({ id: audit.id, status: (await audit.fn()).status })),
    );
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(results).toHaveLength(61);
  });

  it('is ready, and reports the checks of its database and migrations', async () => {
    const response = await fetch(`${service.url}/readyz`);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'ready', checks: { database: 'ok', migrations: 'ok' } },
    ]);
  });

  it('answers the introspection queries of common tools', async () => {
    for (const options of [
      {},
      {
        inputValueDeprecation: true,
        schemaDescription: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        oneOf: true,
      },
    ]) {
      const answer = await ask(getIntrospectionQuery(options), undefined, null);
      expect(answer.body.errors).toBeUndefined();
      expect(JSON.stringify(answer.body.data)).toContain('"listProduct"');
    }
  });
});

describe('a token', () => {
  it('works from its issue until it is revoked', async () => {
    const { token, clientId, clientSecret } = await service.createApp();
    expect(codes(await ask('{ me { id } }', undefined, token))).toEqual([]);
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token });
    expect((await fetch(`${service.url}/api/admin/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    expect((await ask('{ me { id } }', undefined, token)).status).toBe(401);
  });

  it('has the requested scopes', async () => {
    const { clientId, clientSecret } = await service.createApp(['write_products']);
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: 'read_products',
    });
    const issued = (await (await fetch(`${service.url}/api/admin/oauth/token`, { method: 'POST', body })).json()) as {
      access_token: string;
      scope: string;
      expires_in: number;
    };
    expect(issued).toMatchObject({ scope: 'read_products', expires_in: 14_400, token_type: 'Bearer' });
    const answer = await ask(
      'mutation { saveProductTag(input: { name: "x" }) { id } }',
      undefined,
      issued.access_token,
    );
    expect(answer.body.errors).toMatchObject([
      { extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_products' } },
    ]);
    expect(codes(await ask('{ listProductTag { id } }', undefined, issued.access_token))).toEqual([]);
  });

  // docs/reliability-tests.md: 6
  it('is in no line of the log, and neither is the secret', async () => {
    await ask('{ me { id } }');
    const log = service.lines.join('');
    expect(log).toContain('"operations":["me"]');
    for (const secret of [app.token, app.clientSecret]) expect(log).not.toContain(secret);
  });
});

describe('the limits of the real schema', () => {
  const ids = (size: number): string[] => Array.from({ length: size }, (_, index) => `id-${index}`);

  it.each([
    [
      'idList',
      1_000,
      'mutation ($list: [String!]!) { deleteProductList(idList: $list) }',
      (list: string[]) => ({ list }),
    ],
    [
      'id.in',
      1_000,
      'query ($list: [String!]!) { listProduct(id: { in: $list }) { count } }',
      (list: string[]) => ({ list }),
    ],
    [
      'input',
      1_000,
      'mutation ($list: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $list) }',
      (list: string[]) => ({
        list: list.map((name) => ({ name, type: 'PHYSICAL', variants: [], categories: [], productVariantTypes: [] })),
      }),
    ],
    [
      'input.variantPriceInputs',
      3_000,
      'mutation ($list: [VariantPriceInput!]!) { saveVariantPrices(input: { variantPriceInputs: $list }) }',
      (list: string[]) => ({ list: list.map((id) => ({ productId: id, variantId: id, price: { sellPrice: 1 } })) }),
    ],
  ])('hold %s to %i entries', async (path, max, query, variables) => {
    const tooLong = await ask(query, variables(ids(max + 1)));
    expect(tooLong.body.errors?.[0]).toMatchObject({ extensions: { code: 'ARGUMENT_VALIDATION_ERROR' } });
    expect(JSON.stringify(tooLong.body.errors)).toContain(`must have at most ${max} entries and has ${max + 1}`);
    if (max < 3_000) expect(tooLong.body.errors?.[0]?.extensions['issues']).toMatchObject([{ path: path.split('.') }]);
    const allowed = await ask(query, variables(ids(max)));
    expect(JSON.stringify(allowed.body)).not.toContain('must have at most');
  });

  it('accept the names of filters that clients of similar APIs use', async () => {
    const answer = await ask(
      'query ($channels: SalesChannelFilterInput) { listProduct(salesChannelIds: $channels) { count } }',
      { channels: { in: ['x'] } },
    );
    expect(answer.body).toEqual({ data: { listProduct: { count: 0 } } });
  });

  it('keep the defaults of members that a literal leaves out', async () => {
    const answer = await ask('{ listProduct(pagination: { page: 2 }) { limit page } }');
    expect(answer.body).toEqual({ data: { listProduct: { limit: 50, page: 2 } } });
  });
});

describe('two errors', () => {
  it('leave the results of other operations, if their types are nullable', async () => {
    const reader = await service.createApp(['read_customers']);
    const answer = await ask(
      '{ me { name } getMerchant { id } getBulkOperation(id: "x") { id } }',
      undefined,
      reader.token,
    );
    expect(answer.body.data).toMatchObject({ me: { name: 'Test' }, getBulkOperation: null });
    expect(codes(answer)).toEqual(['UNAUTHORIZED']);
  });
});
