import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppScope, appScopes } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { callWithFilters, createShop, type Shop } from '../../contract/calls.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { operations, startOperations } from '../../support/operation.ts';
import { type Answer, codes, post } from '../../support/post.ts';

/** Has no dry run. */
const CHANGES = ['listChange', 'getChange'];
const SENDER = 'testWebhook';
const PREFLIGHT = { 'x-preflight': 'true' };

type Preflight = {
  isAllowed: boolean | null;
  operations: {
    key: string;
    name: string;
    requiredScope: string | null;
    isGranted: boolean;
    dependsOnArguments: boolean;
  }[];
  requestedQueryCost: number;
  maximumQueryCost: number;
  throttleStatus: object | null;
};

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
let owner: Context;
let shop: Shop;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
  owner = await createContext(database.db);
  shop = await createShop(api.call, owner);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe('a preflight', () => {
  it.each([...operations.keys()])(
    'of %s says whether the request is allowed, as the request then shows, for each kind of token',
    async (name) => {
      const variables = callWithFilters(name, shop);
      const [known] = preflightOf(await api.call(owner, name, variables, PREFLIGHT)).operations;
      for (const scopes of tokensFor(known!)) {
        const caller = withScopes(scopes);
        const preflight = preflightOf(await api.call(caller, name, variables, PREFLIGHT));
        const isDryRun = operations.get(name)!.kind === 'mutation' && name !== SENDER;
        const headers = {
          'x-request-cost': 'true',
          ...(isDryRun && { 'x-dry-run': 'true' }),
        };
        const { errors = [], extensions } = await api.call(caller, name, variables, headers);
        const missing = errors.flatMap(({ extensions }) => extensions['requiredScope'] ?? []);
        const [operation] = preflight.operations;
        expect([name, operation!.name, preflight.operations.length]).toEqual([name, name, 1]);
        const cost = extensions?.['cost'] as { requestedQueryCost: number };
        expect([name, preflight.requestedQueryCost]).toEqual([name, cost.requestedQueryCost]);
        if (preflight.isAllowed !== null)
          expect([name, scopes, missing]).toEqual([
            name,
            scopes,
            preflight.isAllowed ? [] : [operation!.requiredScope],
          ]);
        // The arguments decide which scope is needed. A token without scopes is refused, or gets none of the changes.
        if (preflight.isAllowed === null && scopes.length === 0 && !CHANGES.includes(name))
          expect([name, missing]).toEqual([name, [expect.any(String)]]);
      }
    },
  );

  it('executes nothing, and uses no idempotency key', async () => {
    const query = 'mutation { saveProductTag(input: {name: "preflight"}) { id } }';
    const key = { 'idempotency-key': 'preflight-1' };
    const { body, status } = await send(query, { ...PREFLIGHT, ...key });
    expect([status, body.data, body.errors]).toEqual([200, null, undefined]);
    expect((await send('{ listProductTag(name: {eq: "preflight"}) { id } }')).body.data).toEqual({
      listProductTag: [],
    });
    const done = await send(query, key);
    expect([done.headers.get('idempotency-replayed'), done.body.errors]).toEqual([null, undefined]);
  });

  it('names each root field by its key, without those that a directive leaves out', async () => {
    const query =
      'query ($no: Boolean!) { a: me { id } listCustomer @include(if: $no) { count } ...T @skip(if: $no) } fragment T on Query { tags: listProductTag { id } }';
    const { body } = await send(query, PREFLIGHT, { variables: { no: false } });
    expect(preflightOf(body).operations).toEqual([
      { key: 'a', name: 'me', requiredScope: null, isGranted: true, dependsOnArguments: false },
      {
        key: 'tags',
        name: 'listProductTag',
        requiredScope: 'read_products',
        isGranted: true,
        dependsOnArguments: false,
      },
    ]);
  });

  it('names all root fields if the variable of a directive is null, as the request will be refused', async () => {
    const query = 'query ($no: Boolean = false) { me @include(if: $no) { id } listProductTag { id } }';
    const { body } = await send(query, PREFLIGHT, { variables: { no: null } });
    expect(preflightOf(body).operations.map(({ name }) => name)).toEqual(['me', 'listProductTag']);
  });

  it('refuses a document that costs too much, as the request would be', async () => {
    const query = `{ ${Array.from({ length: 6 }, (_, index) => `a${index}: searchProducts(input: {pagination: {limit: 200}}) { facets { field values { id } } }`).join(' ')} }`;
    const preflight = preflightOf((await send(query, PREFLIGHT)).body);
    expect(preflight).toMatchObject({ isAllowed: false, maximumQueryCost: 100_000 });
    expect(preflight.requestedQueryCost).toBeGreaterThan(100_000);
    expect(codes(await send(query))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
  });

  it.each<[AppScope[], boolean]>([
    [['read_products', 'read_customers'], true],
    [['read_products'], false],
    [[], false],
  ])('with the scopes %j says whether all operations of a document are allowed', async (scopes, isAllowed) => {
    const query = '{ me { id } listProductTag { id } listCustomer { count } }';
    const { body } = await send(query, PREFLIGHT, {}, withScopes(scopes));
    expect(preflightOf(body).isAllowed).toBe(isAllowed);
  });

  it('refuses an invalid document, like a request', async () => {
    expect(codes(await send('{ nothing }', PREFLIGHT))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  it('refuses other values of the header', async () => {
    expect((await send('{ me { id } }', { 'x-preflight': 'yes' })).body.errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['X-Preflight'] }] } },
    ]);
  });

  it('refuses a caller without a token, like a request', async () => {
    const anonymous = await post(
      `${api.url}/api/v1/admin/graphql`,
      { query: '{ me { id } }' },
      { token: null, headers: PREFLIGHT },
    );
    expect([anonymous.status, codes(anonymous)]).toEqual([401, ['LOGIN_REQUIRED']]);
  });
});

/** With all scopes, none, the one that is needed, and one that does not include it. Arguments may need any scope. */
function tokensFor({ requiredScope, dependsOnArguments }: Preflight['operations'][number]): readonly AppScope[][] {
  const reading = appScopes.filter((scope) => scope.startsWith('read_'));
  if (dependsOnArguments) return [[...appScopes], [], ...reading.map((scope) => [scope])];
  const needed = appScopes.filter((scope) => scope === requiredScope);
  const lesser = reading.filter(
    (scope) => scope !== requiredScope && scope === requiredScope?.replace('write_', 'read_'),
  );
  const [other] = [...lesser, ...reading.filter((scope) => scope !== requiredScope)];
  return [[...appScopes], [], needed, [other!]];
}

function withScopes(scopes: readonly AppScope[]): Context {
  return { ...owner, session: { ...owner.session, scopes: new Set(scopes) } };
}

async function send(
  query: string,
  headers: Record<string, string> = {},
  more: object = {},
  caller = owner,
): Promise<Answer> {
  await api.call(caller, 'me', {});
  return await post(`${api.url}/api/v1/admin/graphql`, { query, ...more }, { token: owner.merchantId, headers });
}

function preflightOf({ extensions }: Answer['body']): Preflight {
  return extensions!['preflight'] as Preflight;
}
