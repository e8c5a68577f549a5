import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { buildSchema, readSources } from '../../../src/graphql/schema/schema.ts';
import { resolvers } from '../../../src/resolvers.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { type Answer, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let database: TestDatabase;
let server: TestServer;
let ctx: Context;
beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ schema: buildSchema(readSources(), resolvers), db: database.db });
});
beforeEach(async () => {
  ctx = await createContext(database.db);
  server.sessions.set(ctx.merchantId, ctx.session);
});
afterAll(async () => {
  await server.drain();
  await database.drop();
});

const send = async (query: string, headers: Record<string, string> = {}, variables: object = {}): Promise<Answer> =>
  await post(server.graphqlUrl, { query, variables }, { token: ctx.merchantId, headers });
const save = (key: string, name = key): string => `${key}: saveProductTag(input: { name: "${name}" }) { name }`;
const names = async (): Promise<string[]> => {
  const { body } = await send('{ listProductTag { name } }');
  return (body.data!['listProductTag'] as { name: string }[]).map(({ name }) => name).toSorted();
};

/** The second mutation is refused, because its name is used. */
const PARTLY = `mutation { ${save('a')} ${save('b', 'a')} ${save('c')} ${save('d')} }`;

describe('a document with several mutations of which one fails', () => {
  it('names those that were executed, whose changes are kept, and those after the failed one, which were not executed', async () => {
    const { status, body } = await send(PARTLY);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: null, errors: [{ path: ['b'], extensions: { code: 'CONFLICT' } }] });
    expect(body.extensions).toEqual({ executed: ['a'], notExecuted: ['c', 'd'] });
    expect(await names()).toEqual(['a']);
  });

  it('names none as executed with an idempotency key, which undoes them together, also in a repeated response', async () => {
    const headers = { 'idempotency-key': 'partly' };
    const { body } = await send(PARTLY, headers);
    expect(body.extensions).toEqual({ executed: [], notExecuted: ['a', 'c', 'd'] });
    expect(await names()).toEqual([]);
    const repeated = await send(PARTLY, headers);
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(repeated.body).toEqual(body);
  });

  it('names in a dry run what would be executed', async () => {
    const { body } = await send(PARTLY, { 'x-dry-run': 'true' });
    expect(body.extensions).toEqual({ dryRun: true, executed: ['a'], notExecuted: ['c', 'd'] });
    expect(await names()).toEqual([]);
  });

  it('names them by their response keys, also in fragments, with directives and besides other fields', async () => {
    const query = `
      mutation ($no: Boolean!, $yes: Boolean = true) {
        __typename ...First ... @include(if: $yes) { ${save('b', 'a')} } ...First
        ${save('left').replace('{ name }', '@include(if: $no) { name }')} saveProductTag(input: { name: "c" }) { name }
      }
      fragment First on Mutation { ${save('a')} }`;
    const { body } = await send(query, { 'x-request-cost': 'true' }, { no: false });
    expect(body.extensions).toMatchObject({ executed: ['a'], notExecuted: ['saveProductTag'], cost: {} });
    expect(await names()).toEqual(['a']);
  });

  it('is answered with status 200 also if the reason is transient, so that nobody repeats what was executed', async () => {
    await database.owner.execute(sql`
      create function fail_tag() returns trigger language plpgsql as $$ begin
        if new.name = 'deadlock' then raise exception 'a deadlock' using errcode = '40P01'; end if;
        return new;
      end $$`);
    await database.owner.execute(
      sql`create trigger fail_tag before insert on product_tag for each row execute function fail_tag()`,
    );
    const { status, body } = await send(`mutation { ${save('a')} ${save('b', 'deadlock')} }`);
    expect(body).toMatchObject({ errors: [{ path: ['b'], extensions: { code: 'SERVICE_UNAVAILABLE' } }] });
    expect([status, body.extensions]).toEqual([200, { executed: ['a'], notExecuted: [] }]);
    const first = await send(`mutation { ${save('c', 'deadlock')} ${save('d')} }`);
    expect(first.status).toBe(503);
  });

  it('has the failed mutation in neither list, also if it is the first or the last', async () => {
    await send(`mutation { ${save('taken')} }`);
    const first = await send(`mutation { ${save('a', 'taken')} ${save('b')} }`);
    expect(first.body.extensions).toEqual({ executed: [], notExecuted: ['b'] });
    const last = await send(`mutation { ${save('a')} ${save('b', 'taken')} }`);
    expect(last.body.extensions).toEqual({ executed: ['a'], notExecuted: [] });
  });
});

describe('a response has no lists of executed fields', () => {
  it.each([
    ['if nothing fails', () => `mutation { ${save('x')} ${save('y')} }`],
    ['if there is one mutation', () => `mutation { __typename ${save('z', '')} }`],
    ['if the document is refused', () => `mutation { ${save('a')} b: saveProductTag(input: {}) { name } }`],
    [
      'of queries, which are all executed',
      () => '{ a: listProductTag { name } b: listProductTag(id: {in: []}, pagination: {limit: 0}) { name } }',
    ],
    [
      'of queries with a directive',
      () => '{ a: listProductTag { name } b: listProductTag(pagination: {limit: 0}) @skip(if: false) { name } }',
    ],
  ])('%s', async (_case, query) => {
    const { body } = await send(query());
    expect(body.extensions).toBeUndefined();
  });
});
