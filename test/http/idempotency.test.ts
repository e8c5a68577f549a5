import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../src/app/access-token.ts';
import { appScopes, type AppScope } from '../../src/app/scopes.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/id.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { removeExpiredKeys } from '../../src/idempotency/removeExpiredKeys.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, codes, post } from '../support/post.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service.ts';

const CLIENTS = 20;
const PRODUCTS = 50;
const POLL_MS = 10;

const saveTag = 'mutation ($name: String!) { saveProductTag(input: { name: $name }) { id name createdAt } }';
const saveBulk = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';

let database: TestDatabase;
let service: Promise<ServiceProcess>;
beforeAll(async () => {
  database = await createDatabase();
  service = startServiceProcess(database.url, { LOG_LEVEL: 'info' });
  await service;
});
afterAll(async () => {
  await (await service).kill();
  await database.drop();
});

describe('a repeat of a mutation request', () => {
  it('answers what the first was answered, and does nothing', async () => {
    const { app, send } = await createClient();
    const first = await send({ query: saveTag, variables: { name: 'New' } }, 'a');
    const second = await send({ query: saveTag, variables: { name: 'New' } }, 'a');
    expect(first.body.data).toMatchObject({ saveProductTag: { name: 'New' } });
    expect(second).toMatchObject({ status: first.status, body: first.body });
    expect([first, second].map(isReplay)).toEqual([false, true]);
    expect(await count('product_tag', app)).toBe(1);
  });

  it('is one in whatever order its variables stand, and in whatever media type it is answered', async () => {
    const { send } = await createClient();
    const query = 'mutation ($input: CategoryInput!) { saveCategory(input: $input) { id } }';
    const first = await send({ query, variables: { input: { name: 'C', description: 'd' } } }, 'a');
    const second = await send({ query, variables: { input: { description: 'd', name: 'C' } }, operationName: null }, 'a', { accept: 'application/graphql-response+json' });
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
    expect(second.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  it('is answered after a restart too', async () => {
    const { app, send } = await createClient();
    const request = { query: saveTag, variables: { name: 'Before' } };
    const first = await send(request, 'a');
    await restart();
    const second = await send(request, 'a');
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
    expect(await count('product_tag', app)).toBe(1);
  });

  it('is answered the error of the first, although it would succeed by now', async () => {
    const { send } = await createClient();
    const name = `Name ${newId()}`;
    const taken = await send({ query: saveTag, variables: { name } });
    const first = await send({ query: saveTag, variables: { name } }, 'a');
    await send({ query: 'mutation ($ids: [String!]!) { deleteProductTagList(idList: $ids) }', variables: { ids: [tagId(taken)] } });
    const second = await send({ query: saveTag, variables: { name } }, 'a');
    expect(codes(first)).toEqual(['CONFLICT']);
    expect(second.body).toEqual(first.body);
    expect(isReplay(second)).toBe(true);
  });

  it('is executed when the time of the key is over', async () => {
    const { app, send } = await createClient();
    const first = await send({ query: saveTag, variables: { name: 'One' } }, 'a');
    await expire(app, 'a');
    const second = await send({ query: saveTag, variables: { name: 'Two' } }, 'a');
    const third = await send({ query: saveTag, variables: { name: 'Two' } }, 'a');
    expect([first, second, third].map(isReplay)).toEqual([false, false, true]);
    expect(third.body).toEqual(second.body);
    expect(await count('product_tag', app)).toBe(2);
  });

  it('tells a token that may not do it nothing', async () => {
    const { app, send } = await createClient();
    const query = 'mutation { ... on Mutation { ...F } } fragment F on Mutation { saveProductTag(input: { name: "Mine" }) { id } }';
    await send({ query }, 'a');
    const narrow = await clientOf(app, ['read_products']);
    const answer = await narrow({ query }, 'a');
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_products' } }] });
    expect(answer.body.data).toBeUndefined();
  });
});

describe('a key', () => {
  it('that was used for another body is a CONFLICT, and nothing is done', async () => {
    const { app, send } = await createClient();
    const request = { query: `query Q { me { id } } ${saveTag.replace('mutation', 'mutation M')}`, operationName: 'M', variables: { name: 'New' } };
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
    expect(await count('product_tag', app)).toBe(1);
  });

  it('is the app\'s own', async () => {
    const { app, send } = await createClient();
    const colleague = await clientOf(await secondApp(app), appScopes);
    const stranger = await createClient();
    const answers = [];
    for (const client of [send, colleague, stranger.send]) answers.push(await client({ query: saveTag, variables: { name: newId() } }, 'shared'));
    expect(answers.flatMap(codes)).toEqual([]);
    expect(answers.map(isReplay)).toEqual([false, false, false]);
    expect([await count('product_tag', app), await count('product_tag', stranger.app)]).toEqual([2, 1]);
  });

  it.each(['', 'with space', 'k'.repeat(256), 'ü', 'a, b'])('must be of visible ASCII characters and not too long: %.20j', async (key) => {
    const { app, send } = await createClient();
    const answer = await send({ query: saveTag, variables: { name: 'New' } }, key);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['Idempotency-Key'] }] } }]);
    expect(await count('product_tag', app)).toBe(0);
  });

  it('may have 255 characters', async () => {
    const { send } = await createClient();
    const answers = [];
    for (const _ of [1, 2]) answers.push(await send({ query: saveTag, variables: { name: 'New' } }, '!'.repeat(200) + '~'.repeat(55)));
    expect(answers.map(isReplay)).toEqual([false, true]);
  });

  it('stays free where nothing was executed', async () => {
    const { send } = await createClient();
    const refused = [{ query: 'mutation {' }, { query: 'mutation { nothing }' }, { query: saveTag, variables: { name: 1 } }, { query: saveTag }];
    for (const request of refused) expect(codes(await send(request, 'a'))).toHaveLength(1);
    expect(isReplay(await send({ query: saveTag, variables: { name: 'New' } }, 'a'))).toBe(false);
  });

  it('stays free, and nothing is done, where another token might do what this one may not', async () => {
    const { app, send } = await createClient();
    const narrow = await clientOf(app, ['write_products']);
    const query = 'mutation { saveProductTag(input: { name: "Both" }) { id } saveCustomer(input: { firstName: "Ada" }) { id } }';
    const refused = await narrow({ query }, 'a');
    expect(refused.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAUTHORIZED', requiredScope: 'write_customers' } }] });
    expect(await count('product_tag', app)).toBe(0);
    expect(codes(await send({ query }, 'a'))).toEqual([]);
  });

  it('stays free, and nothing is done, where the service itself failed', async () => {
    const { app, send } = await createClient();
    const query = 'mutation { saveProductTag(input: { name: "Both" }) { id } saveProductBrand(input: { name: "Broken" }) { id } }';
    await database.db.execute(sql.raw(`
      create function broken() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger broken before insert on product_brand for each row when (new.name = 'Broken') execute function broken();`));
    const failed = await send({ query }, 'a');
    expect(failed.body).toMatchObject({ data: null, errors: [{ path: ['saveProductBrand'], extensions: { code: 'INTERNAL_SERVER_ERROR' } }] });
    expect(await count('product_tag', app)).toBe(0);
    await database.db.execute(sql`drop function broken cascade`);
    const answer = await send({ query }, 'a');
    expect([codes(answer), isReplay(answer)]).toEqual([[], false]);
  });

  it('keeps the effect of one mutation of a request when the other fails by its input, and so does a repeat', async () => {
    const { app, send } = await createClient();
    const query = 'mutation { saveProductTag(input: { name: "Stays" }) { id } saveProductBrand(input: { name: "" }) { id } }';
    const answers = [await send({ query }, 'a'), await send({ query }, 'a')];
    expect(answers.map(codes)).toEqual([['ARGUMENT_VALIDATION_ERROR'], ['ARGUMENT_VALIDATION_ERROR']]);
    expect(await count('product_tag', app)).toBe(1);
  });

  it('cannot be had for an answer too large to be kept, which changes nothing', async () => {
    const { app, send } = await createClient();
    const query = 'mutation ($input: ProductBrandInput!) { saveProductBrand(input: $input) { translations { name description } } }';
    const input = { name: 'Large', translations: Array.from({ length: 70 }, (_, at) => ({ locale: `l${at}`, description: 'x'.repeat(65_000) })) };
    const answer = await send({ query, variables: { input } }, 'a');
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'ARGUMENT_VALIDATION_ERROR', issues: [{ path: ['Idempotency-Key'] }] } }]);
    expect(await count('product_brand', app)).toBe(0);
    const small = query.replace('translations { name description }', 'id');
    expect(codes(await send({ query: small, variables: { input } }, 'a'))).toEqual([]);
  });

  it('is no harm to variables of any depth', async () => {
    const { send } = await createClient();
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    expect(codes(await send({ query: saveTag, variables: { name: 'Deep', deep } }, 'a'))).toEqual([]);
  });

  it('is nothing to a query', async () => {
    const { app, send } = await createClient();
    for (const _ of [1, 2]) expect(isReplay(await send({ query: '{ me { id } }' }, 'a'))).toBe(false);
    expect(await count('idempotency_key', app)).toBe(0);
  });
});

describe(`${CLIENTS} clients that repeat one bulk mutation with one key`, () => {
  it('have one effect and equal answers', async () => {
    const { app, send } = await createClient();
    const answers = await repeatedly(send, bulkRequest(), 'bulk');
    expect(await outcome(app, answers)).toEqual(oneEffect);
    expect(answers.filter(isReplay)).toHaveLength(CLIENTS - 1);
  });

  it('leave the others their connections while they wait', async () => {
    const { app, send } = await createClient();
    const gate = await closeGate('before insert on bulk_operation');
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    const others = await Promise.all(Array.from({ length: 5 }, async () => await send({ query: '{ listProduct { count } }' })));
    expect(others.flatMap(codes)).toEqual([]);
    await gate.open();
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it.each([
    ['amid the effect', 'before insert on bulk_operation'],
    ['between the effect and the storing of the answer', 'before update on idempotency_key'],
    ['between the storing of the answer and the commit', 'after update on idempotency_key'],
  ])('have one effect and equal answers when the process is killed %s', async (_, moment) => {
    const { app, send } = await createClient();
    const gate = await closeGate(moment);
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    await restart(async () => await gate.open());
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it('have one effect and equal answers when the process is killed as soon as there is an effect', async () => {
    const { app, send } = await createClient();
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await until(async () => (await count('bulk_operation', app)) === 1);
    await restart();
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it('have one effect and equal answers when the process is killed a second time, while it waits for what the first left behind', async () => {
    const { app, send } = await createClient();
    const gate = await closeGate('before update on idempotency_key');
    const answers = repeatedly(send, bulkRequest(), 'bulk');
    await gate.reached();
    await restart();
    await until(async () => await isSomebodyWaiting('transactionid'));
    await restart(async () => await gate.open());
    expect(await outcome(app, await answers)).toEqual(oneEffect);
  });

  it('of two processes have one effect and equal answers', async () => {
    const { app, send } = await createClient();
    const second = await startServiceProcess(database.url);
    const sendToSecond = await clientOf(app, appScopes, () => Promise.resolve(second));
    const request = bulkRequest();
    const answers = await Promise.all([repeatedly(send, request, 'bulk'), repeatedly(sendToSecond, request, 'bulk')]);
    await second.kill();
    expect(await outcome(app, answers.flat())).toEqual(oneEffect);
    expect(answers.flat().filter(isReplay)).toHaveLength(2 * CLIENTS - 1);
  });
});

describe('the removal of keys', () => {
  it('takes those of all merchants whose time is over, and no other', async () => {
    await removeExpiredKeys(database.db);
    const apps = [await createContext(database.db), await createContext(database.db)];
    for (const app of apps) {
      await database.db.execute(sql`
        insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
        select ${app.merchantId}, ${app.session.authorizedAppId}, n::text, '', now(), now() + make_interval(mins => 700 - n) from generate_series(1, 1300) as n`);
    }
    expect(await removeExpiredKeys(database.db)).toBe(2 * 601);
    expect(await Promise.all(apps.map((app) => count('idempotency_key', app)))).toEqual([699, 699]);
    expect(await removeExpiredKeys(database.db)).toBe(0);
  });
});

type Send = (body: object, key?: string, headers?: Record<string, string>) => Promise<Answer>;

async function createClient(): Promise<{ app: Context; send: Send }> {
  const app = await createContext(database.db);
  return { app, send: await clientOf(app, appScopes) };
}

/** Sends requests with a token of the app, again and again until there is an answer. */
async function clientOf({ db, merchantId, session }: Context, scopes: readonly AppScope[], to = () => service): Promise<Send> {
  const token = await issueAccessToken({ db, merchantId }, { authorizedAppId: session.authorizedAppId, scopes });
  return async (body, key, headers = {}) => {
    for (;;) {
      const { graphqlUrl, ended } = await to();
      try {
        return await post(graphqlUrl, body, { token, headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers } });
      } catch (error) {
        if (!(error instanceof TypeError) || (error.cause as NodeJS.ErrnoException | undefined)?.code === undefined) throw error;
        await ended;
      }
    }
  };
}

/** Kills the process and starts another; who sends meanwhile waits for that one. */
async function restart(between = async (): Promise<void> => {}): Promise<void> {
  const killed = service;
  service = killed.then(async (process) => {
    await process.kill();
    await between();
    return await startServiceProcess(database.url);
  });
  await service;
}

async function repeatedly(send: Send, request: object, key: string): Promise<Answer[]> {
  return await Promise.all(Array.from({ length: CLIENTS }, async () => await send(request, key)));
}

function bulkRequest(): object {
  const products = Array.from({ length: PRODUCTS }, (_, at) => ({
    name: `Product ${at}`, type: 'PHYSICAL', categories: [{ name: ['A', 'B'] }], productVariantTypes: [], variants: [{ prices: [{ sellPrice: at }] }],
  }));
  return { query: saveBulk, variables: { input: products } };
}

/** What the clients saw and what the database has, where the request was executed once. */
const oneEffect = { answers: [{ status: 200, body: { data: { bulkUpdateProducts: expect.any(String) as string } } }], firstsAtMost: 1, products: PRODUCTS, bulkOperations: 1, categories: 2 };

async function outcome(app: Context, answers: Answer[]): Promise<object> {
  const different = new Set(answers.map(({ status, body }) => JSON.stringify({ status, body })));
  return {
    answers: [...different].map((answer) => JSON.parse(answer) as object),
    firstsAtMost: Math.max(1, answers.filter((answer) => !isReplay(answer)).length),
    products: await count('product', app),
    bulkOperations: await count('bulk_operation', app),
    categories: await count('category', app),
  };
}

/** Holds the service's transactions at a moment of their writing, until it is opened. */
async function closeGate(moment: string): Promise<{ reached(): Promise<void>; open(): Promise<void> }> {
  await database.db.execute(sql.raw(`
    create function pass_gate() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger pass_gate ${moment} for each row execute function pass_gate();`));
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const closed = Promise.withResolvers<void>();
  const holding = inTransaction(database, async ({ db }) => {
    await db.execute(sql`select pg_advisory_xact_lock(1)`);
    closed.resolve();
    await opened;
  });
  await closed.promise;
  return {
    reached: async () => await until(async () => await isSomebodyWaiting('advisory')),
    open: async () => {
      open();
      await holding;
      await database.db.execute(sql`drop function pass_gate cascade`);
    },
  };
}

async function isSomebodyWaiting(lock: string): Promise<boolean> {
  const rows = await database.db.execute(sql`select from pg_stat_activity where datname = current_database() and wait_event = ${lock}`);
  return rows.length > 0;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function count(table: string, { merchantId }: Context): Promise<number> {
  const [row] = await database.db.execute<{ count: number }>(sql`select count(*)::int as count from ${sql.identifier(table)} where merchant_id = ${merchantId}`);
  return row!.count;
}

async function expire({ merchantId }: Context, key: string): Promise<void> {
  await database.db.execute(sql`update idempotency_key set expires_at = now() where merchant_id = ${merchantId} and key = ${key}`);
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

function isReplay({ headers }: Answer): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

function tagId({ body }: Answer): string {
  return (body.data!['saveProductTag'] as { id: string }).id;
}
