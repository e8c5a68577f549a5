import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { newId } from '../../../src/db/sql/id.ts';
import { type Clients, countRows, isReplay, startClients } from '../../support/clients.ts';
import { skipOnCluster } from '../../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, codes } from '../../support/post.ts';

const saveTag = 'mutation ($name: String!) { saveProductTag(input: { name: $name }) { id name createdAt } }';

let database: TestDatabase;
let clients: Clients;
beforeAll(async () => {
  database = await createDatabase();
  clients = await startClients(database);
});
afterAll(async () => {
  await clients.stop();
  await database.drop();
});

describe('a repeat of a mutation request', () => {
  it('gets the response of the first request, and has no effect', async () => {
    const { app, send } = await clients.createClient();
    const first = await send({ query: saveTag, variables: { name: 'New' } }, 'a');
    const second = await send({ query: saveTag, variables: { name: 'New' } }, 'a');
    expect(first.body.data).toMatchObject({ saveProductTag: { name: 'New' } });
    expect(second).toMatchObject({ status: first.status, body: first.body });
    expect([first, second].map(isReplay)).toEqual([false, true]);
    expect(await countRows('product_tag', app)).toBe(1);
  });

  it('is recognized in any order of its variables, and for any media type of the response', async () => {
    const { send } = await clients.createClient();
    const query = 'mutation ($input: CategoryInput!) { saveCategory(input: $input) { id } }';
    const first = await send({ query, variables: { input: { name: 'C', description: 'd' } } }, 'a');
    const second = await send(
      { query, variables: { input: { description: 'd', name: 'C' } }, operationName: null },
      'a',
      { accept: 'application/graphql-response+json' },
    );
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
    expect(second.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  it('gets its cost if it has the header for it, with or without it in the first request', async () => {
    const { send } = await clients.createClient();
    const request = { query: saveTag, variables: { name: 'New' } };
    const told = { 'x-request-cost': 'true' };
    const [first, second, third] = [
      await send(request, 'a', told),
      await send(request, 'a'),
      await send(request, 'a', told),
    ];
    expect(first.body.extensions).toMatchObject({ cost: { requestedQueryCost: 101, actualQueryCost: 101 } });
    expect(second.body).toEqual({ data: first.body.data });
    expect(third.body).toMatchObject({
      data: first.body.data,
      extensions: { cost: { requestedQueryCost: 101, actualQueryCost: 101 } },
    });
  });

  it('gets the stored text, which is not parsed again', async () => {
    const { app, send } = await clients.createClient();
    const request = { query: saveTag, variables: { name: 'New' } };
    const first = await send(request, 'a');
    await database.db.execute(sql`
      update idempotency_key set answer = replace(answer, '"name":', '"name":     ') where merchant_id = ${app.merchantId}`);
    const second = await send(request, 'a');
    expect(second.body).toEqual(first.body);
    const lengths = [first, second].map(({ headers }) => Number(headers.get('content-length')));
    expect(lengths[1]! - lengths[0]!).toBe(5);
  });

  it('gets the response also after a restart', async () => {
    const { app, send } = await clients.createClient();
    const request = { query: saveTag, variables: { name: 'Before' } };
    const first = await send(request, 'a');
    await clients.restart();
    const second = await send(request, 'a');
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
    expect(await countRows('product_tag', app)).toBe(1);
  });

  it('gets the error of the first request, although it would succeed now', async () => {
    const { send } = await clients.createClient();
    const name = `Name ${newId()}`;
    const taken = await send({ query: saveTag, variables: { name } });
    const first = await send({ query: saveTag, variables: { name } }, 'a');
    await send({
      query: 'mutation ($ids: [String!]!) { deleteProductTagList(idList: $ids) }',
      variables: { ids: [tagId(taken)] },
    });
    const second = await send({ query: saveTag, variables: { name } }, 'a');
    expect(codes(first)).toEqual(['CONFLICT']);
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
  });

  it('is executed again after the key has expired', async () => {
    const { app, send } = await clients.createClient();
    const first = await send({ query: saveTag, variables: { name: 'One' } }, 'a');
    await expire(app, 'a');
    const second = await send({ query: saveTag, variables: { name: 'Two' } }, 'a');
    const third = await send({ query: saveTag, variables: { name: 'Two' } }, 'a');
    expect([first, second, third].map(isReplay)).toEqual([false, false, true]);
    expect(third.body).toEqual(second.body);
    expect(await countRows('product_tag', app)).toBe(2);
  });

  it('gets nothing with a token that lacks the scope', async () => {
    const { app, send } = await clients.createClient();
    const query =
      'mutation { ... on Mutation { ...F } } fragment F on Mutation { saveProductTag(input: { name: "Mine" }) { id } }';
    await send({ query }, 'a');
    const narrow = await clients.clientOf(app, ['read_products']);
    const answer = await narrow({ query }, 'a');
    expect(answer.body).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_products' } }],
    });
    expect(answer.body.data).toBeUndefined();
  });

  it('needs no scopes of mutations that a directive leaves out', async () => {
    const { app } = await clients.createClient();
    const send = await clients.clientOf(app, ['write_products']);
    const query =
      'mutation ($no: Boolean!) { saveProductTag(input: { name: "Mine" }) { id } saveCustomer(input: { firstName: "A" }) @include(if: $no) { id } }';
    const [first, second] = [
      await send({ query, variables: { no: false } }, 'a'),
      await send({ query, variables: { no: false } }, 'a'),
    ];
    expect(codes(first)).toEqual([]);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect([first, second].map(isReplay)).toEqual([false, true]);
  });

  it('is refused again if the variable of a directive is null', async () => {
    const { app, send } = await clients.createClient();
    const query =
      'mutation ($yes: Boolean = true) { saveProductTag(input: { name: "Mine" }) @include(if: $yes) { id } }';
    for (const headers of [{}, { 'x-dry-run': 'true' }] as Record<string, string>[])
      for (let times = 0; times < 2; times++) {
        const answer = await send({ query, variables: { yes: null } }, 'a', headers);
        expect([answer.status, codes(answer)]).toEqual([200, ['ARGUMENT_VALIDATION_ERROR']]);
      }
    expect(await countRows('product_tag', app)).toBe(0);
  });

  it('gets nothing with a token that lacks the scope of an argument', async () => {
    const { app, send } = await clients.createClient();
    const query =
      'mutation { saveWebhook(input: { endpoint: "https://203.0.114.9/hook", scopes: ["store/customer/created"] }) { id } }';
    const first = await send({ query }, 'a');
    expect(codes(first)).toEqual([]);
    const narrow = await clients.clientOf(app, ['read_products']);
    expect(codes(await narrow({ query }, 'a'))).toEqual(['UNAUTHORIZED']);
    const other = await clients.clientOf(app, ['write_customers']);
    expect(await other({ query }, 'a')).toMatchObject({ body: first.body });
  });
});

describe('a key', () => {
  it('that was used for another body is a CONFLICT, and nothing is executed', async () => {
    const { app, send } = await clients.createClient();
    const request = {
      query: `query Q { me { id } } ${saveTag.replace('mutation', 'mutation M')}`,
      operationName: 'M',
      variables: { name: 'New' },
    };
    await send(request, 'a');
    const others = [
      { body: { ...request, variables: { name: 'Other' } } },
      { body: { ...request, variables: { name: 'New', unused: 1 } } },
      { body: { ...request, query: `${request.query} ` } },
      { body: { query: saveTag, variables: { name: 'New' } } },
      { body: request, headers: { 'x-dry-run': 'true' } },
    ];
    for (const { body, headers } of others) {
      const answer = await send(body, 'a', headers);
      expect([answer.status, codes(answer), isReplay(answer)]).toEqual([409, ['CONFLICT'], false]);
    }
    expect(await countRows('product_tag', app)).toBe(1);
  });

  it('belongs to one app', async () => {
    const { app, send } = await clients.createClient();
    const colleague = await clients.clientOf(await secondApp(app));
    const stranger = await clients.createClient();
    const answers = [];
    for (const client of [send, colleague, stranger.send])
      answers.push(await client({ query: saveTag, variables: { name: newId() } }, 'shared'));
    expect(answers.flatMap(codes)).toEqual([]);
    expect(answers.map(isReplay)).toEqual([false, false, false]);
    expect([await countRows('product_tag', app), await countRows('product_tag', stranger.app)]).toEqual([2, 1]);
  });

  // docs/reliability-tests.md: 42
  it.each(['', 'with space', 'k'.repeat(256), 'ü', 'a, b'])(
    'must have visible ASCII characters only and must not be too long: %.20j',
    async (key) => {
      const { app, send } = await clients.createClient();
      const answer = await send({ query: saveTag, variables: { name: 'New' } }, key);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([
        { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['Idempotency-Key'] }] } },
      ]);
      expect(await countRows('product_tag', app)).toBe(0);
    },
  );

  it('may have 255 characters', async () => {
    const { send } = await clients.createClient();
    const answers = [];
    for (const _ of [1, 2])
      answers.push(await send({ query: saveTag, variables: { name: 'New' } }, '!'.repeat(200) + '~'.repeat(55)));
    expect(answers.map(isReplay)).toEqual([false, true]);
  });

  it('stays free if nothing was executed', async () => {
    const { send } = await clients.createClient();
    const refused = [
      { query: 'mutation {' },
      { query: 'mutation { nothing }' },
      { query: saveTag, variables: { name: 1 } },
      { query: saveTag },
    ];
    for (const request of refused) expect(codes(await send(request, 'a'))).toHaveLength(1);
    expect(isReplay(await send({ query: saveTag, variables: { name: 'New' } }, 'a'))).toBe(false);
  });

  it('stays free, and nothing is executed, if the token lacks a scope', async () => {
    const { app, send } = await clients.createClient();
    const narrow = await clients.clientOf(app, ['write_products']);
    const query =
      'mutation { saveProductTag(input: { name: "Both" }) { id } saveCustomer(input: { firstName: "Ada" }) { id } }';
    const refused = await narrow({ query }, 'a');
    expect(refused.body).toMatchObject({
      data: null,
      errors: [{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_customers' } }],
    });
    expect(await countRows('product_tag', app)).toBe(0);
    expect(codes(await send({ query }, 'a'))).toEqual([]);
  });

  it('stays free, and nothing is changed, if the service itself fails', async (test) => {
    skipOnCluster(test, 'needs a trigger of its own, which would have to be made on every node');
    const { app, send } = await clients.createClient();
    const query =
      'mutation { saveProductTag(input: { name: "Both" }) { id } saveProductBrand(input: { name: "Broken" }) { id } }';
    await database.owner.execute(
      sql.raw(`
      create function broken() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger broken before insert on product_brand for each row when (new.name = 'Broken') execute function broken();`),
    );
    const failed = await send({ query }, 'a');
    expect(failed.body).toMatchObject({
      data: null,
      errors: [{ path: ['saveProductBrand'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    });
    expect(await countRows('product_tag', app)).toBe(0);
    await database.owner.execute(sql`drop function broken cascade`);
    const answer = await send({ query }, 'a');
    expect([codes(answer), isReplay(answer)]).toEqual([[], false]);
  });

  it.each<[string, string, string]>([
    ['has invalid input', 'saveProductBrand(input: { name: "" }) { id }', 'ARGUMENT_VALIDATION_ERROR'],
    ['conflicts', 'saveProductTag(input: { name: "First" }) { id }', 'CONFLICT'],
    ['names an unknown record', 'deleteProductBrandList(idList: ["unknown"])', 'NOT_FOUND'],
  ])(
    'undoes all mutations of the request if one of them %s, also when it is repeated',
    async (_name, failing, code) => {
      const { app, send } = await clients.createClient();
      const first = 'first: saveProductTag(input: { name: "First" }) { id }';
      const last = 'last: saveProductTag(input: { name: "Last" }) { id }';
      const query = `mutation { ${first} failing: ${failing} ${last} }`;
      const answers = [await send({ query }, 'a'), await send({ query }, 'a')];
      expect(answers.map(codes)).toEqual([[code], [code]]);
      expect(answers.map(({ body }) => body.data)).toEqual([null, null]);
      expect(answers.map(isReplay)).toEqual([false, true]);
      expect(await countRows('product_tag', app)).toBe(0);
      // The key is used, and the savepoint that was rolled back does not affect the next request.
      expect(codes(await send({ query: `mutation { ${first} }` }, 'a'))).toEqual(['CONFLICT']);
      expect(codes(await send({ query: `mutation { ${first} }` }, 'b'))).toEqual([]);
      expect(await countRows('product_tag', app)).toBe(1);
    },
  );

  it('is refused if the response is too large to be stored, and nothing is changed', async () => {
    const { app, send } = await clients.createClient();
    const query =
      'mutation ($input: ProductBrandInput!) { saveProductBrand(input: $input) { translations { name description } } }';
    const input = {
      name: 'Large',
      translations: Array.from({ length: 70 }, (_, at) => ({ locale: `l${at}`, description: 'x'.repeat(65_000) })),
    };
    const answer = await send({ query, variables: { input } }, 'a');
    expect(answer.body.errors).toMatchObject([
      { extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['Idempotency-Key'] }] } },
    ]);
    expect(await countRows('product_brand', app)).toBe(0);
    const small = query.replace('translations { name description }', 'id');
    expect(codes(await send({ query: small, variables: { input } }, 'a'))).toEqual([]);
  });

  it('works with variables of any depth', async () => {
    const { send } = await clients.createClient();
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    expect(codes(await send({ query: saveTag, variables: { name: 'Deep', deep } }, 'a'))).toEqual([]);
  });

  it('is ignored by a query', async () => {
    const { app, send } = await clients.createClient();
    for (const _ of [1, 2]) expect(isReplay(await send({ query: '{ me { id } }' }, 'a'))).toBe(false);
    expect(await countRows('idempotency_key', app)).toBe(0);
  });
});

async function expire({ merchantId }: Context, key: string): Promise<void> {
  await database.db.execute(
    sql`update idempotency_key set expires_at = now() where merchant_id = ${merchantId} and key = ${key}`,
  );
}

/** Another app of the same merchant. */
async function secondApp(app: Context): Promise<Context> {
  const id = newId();
  await database.db.execute(sql`
    insert into authorized_app (merchant_id, id, name, partner_id, store_app_id, scopes, client_id, client_secret_encrypted, added_date)
    select merchant_id, ${id}, name, partner_id, store_app_id, scopes, ${newId()}, client_secret_encrypted, added_date
    from authorized_app where merchant_id = ${app.merchantId} and id = ${app.session.authorizedAppId}`);
  return { ...app, session: { ...app.session, authorizedAppId: id } };
}

function tagId({ body }: Answer): string {
  return (body.data!['saveProductTag'] as { id: string }).id;
}
