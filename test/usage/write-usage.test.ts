import { sql } from 'drizzle-orm';
import { getIntrospectionQuery, parse } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import type { OperationUsage } from '../../src/graphql/usage/operation-usage.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { resolvers } from '../../src/resolvers.ts';
import { removeOldUsage } from '../../src/usage/remove-old-usage.ts';
import { UsageCounts } from '../../src/usage/usage-counts.ts';
import { KEPT_DAYS } from '../../src/usage/kept-days.ts';
import { writeUsage } from '../../src/usage/write-usage.ts';
import { countRows } from '../support/clients.ts';
import { createContext } from '../support/context.ts';
import { preparedOperation } from '../support/execute.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { type Answer, post } from '../support/post.ts';
import { spyDatabase } from '../support/spy-database.ts';

const LIST =
  'query Tags($name: StringFilterInput) { listProductTag(name: $name) { id ...Named } } fragment Named on ProductTag { name }';

const schema = buildSchema(readSources(), resolvers);

let database: TestDatabase;
let counts: UsageCounts;
let api: Awaited<ReturnType<typeof startOperations>>;
let app: Context;
beforeAll(async () => {
  database = await createDatabase();
  counts = new UsageCounts();
  api = await startOperations(database.db, { usageCounts: { count: (...args) => counts.count(...args) } });
});
beforeEach(async () => {
  counts = new UsageCounts();
  app = await createContext(database.db);
  await api.call(app, 'me', {});
  counts.take();
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

describe('the counts of an executed request', () => {
  it('are fields, arguments, input members and enum values, of documents and of variables', async () => {
    await send({ query: LIST, variables: { name: { eq: 'x' } } });
    await send({ query: LIST, variables: { name: { like: 'y' } } });
    expect(await written()).toEqual({
      ProductTag: 2,
      'ProductTag.id': 2,
      'ProductTag.name': 2,
      'Query.listProductTag': 2,
      'Query.listProductTag(name:)': 2,
      StringFilterInput: 2,
      'StringFilterInput.eq': 1,
      'StringFilterInput.like': 1,
    });
  });

  it('count a value once for each request, in any place, and enum values by name', async () => {
    const input = { name: 'P', type: 'PHYSICAL', variants: [{ prices: [{ sellPrice: 1 }, { sellPrice: 2 }] }] };
    await send({
      query: 'mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }',
      variables: { input },
    });
    expect(await written()).toMatchObject({
      'Mutation.saveProduct(input:)': 1,
      'ProductInput.type': 1,
      'ProductTypeEnum.PHYSICAL': 1,
      'VariantInput.prices': 1,
      'ProductPriceInput.sellPrice': 1,
    });
  });

  it('have the name of a type that the client uses, also if it is an alias', async () => {
    await send({ query: 'query ($ids: SalesChannelFilterInput) { listProduct(salesChannelIds: $ids) { count } }' });
    expect(await written()).toMatchObject({ SalesChannelFilterInput: 1, 'ProductPaginationResponse.count': 1 });
    expect((await operations())[0]!.text).toContain('$ids:SalesChannelFilterInput');
  });

  it('have the enum value that an alias stands for, in literals and in variables', async () => {
    const save = (input: string) => `{ saveVariantType(input: ${input}) { id } }`;
    const input = { name: 'Colour', selectionType: 'COLOR', values: [{ name: 'Red' }] };
    await send({ query: `mutation ($input: VariantTypeInput!) ${save('$input')}`, variables: { input } });
    await send({
      query: `mutation ${save('{ name: "Size", selectionType: CHOICE, values: [{ name: "S" }] }')}`,
    });
    const used = Object.entries(await written()).filter(([coordinate]) => coordinate.startsWith('VariantSelection'));
    expect(used).toEqual([
      ['VariantSelectionTypeEnum.choice', 1],
      ['VariantSelectionTypeEnum.color', 1],
    ]);
  });

  it('include those of literals, in documents that differ only in the texts of literals', async () => {
    for (const text of ['a', 'b', 'c'])
      await send({
        query: `{ listProductTag(name: { eq: "${text}" }, pagination: { limit: ${text.length} }) { id } }`,
      });
    expect(await written()).toMatchObject({ 'StringFilterInput.eq': 3, 'PaginationInput.limit': 3 });
    expect(await operations()).toEqual([
      { name: null, text: '{listProductTag(name:{eq:""}pagination:{limit:0}){id}}' },
    ]);
  });

  it('keep the structure of literals, with equal entries of a list once', async () => {
    const ids = 'in: ["a", "b"], nin: ["c"], isNull: false';
    await send({ query: `{ listProductTag(id: {${ids}}, pagination: {limit: 7}) { id } }` });
    expect(await operations()).toEqual([]);
    expect(await written()).toMatchObject({ 'StringFilterInput.isNull': 1 });
    expect(await operations()).toMatchObject([
      { text: '{listProductTag(id:{in:[""]nin:[""]isNull:false}pagination:{limit:0}){id}}' },
    ]);
  });

  it('do not include refused documents, invalid variables, introspection and requests without a token', async () => {
    await send({ query: '{ listProductTag { nothing } }' });
    await send({ query: '{ listProductTag { id }' });
    await send({ query: LIST, variables: { name: 5 } });
    await send({ query: '{ __schema { queryType { name } } __typename }' });
    await send({ query: getIntrospectionQuery() });
    await post(`${api.url}/api/v1/admin/graphql`, { query: '{ me { id } }' }, { token: null });
    expect(counts.take()).toEqual([]);
  });
});

describe('the write of counts', () => {
  it('sends nothing if nothing was counted', async () => {
    const before = database.statements.length;
    await writeUsage(database, counts);
    expect(database.statements).toHaveLength(before);
  });

  it('has three statements for a merchant, and adds to what other nodes have written', async () => {
    await send({ query: LIST });
    await writeUsage(database, counts);
    const node = new UsageCounts();
    for (let times = 0; times < 2; times++) node.count(app.session, usageOf(LIST), ['StringFilterInput.eq']);
    const before = database.statements.length;
    await writeUsage(database, node);
    expect(database.statements.slice(before).filter((one) => /insert|select/.test(one))).toHaveLength(2);
    expect(await stored()).toMatchObject({ 'ProductTag.name': 3, 'StringFilterInput.eq': 2 });
    expect(await operations()).toHaveLength(1);
    expect(await countRows('schema_usage', app)).toBe(1);
  });

  it('keeps the counts if it fails, and those that are added meanwhile', async () => {
    await send({ query: LIST });
    const broken = {
      execute: () => Promise.reject(new Error('broken')),
      select: () => {
        throw new Error('broken');
      },
    };
    await expect(writeUsage({ db: broken as never }, counts)).rejects.toThrow('broken');
    await send({ query: LIST });
    expect(await written()).toMatchObject({ 'ProductTag.name': 2, 'Query.listProductTag': 2 });
  });

  it('keeps the texts of 100 operations of an app, and counts the others together', async () => {
    for (let number = 0; number < 103; number++) count(`query Q${number} { listProductTag { id } }`);
    await writeUsage(database, counts);
    expect(await countRows('client_operation', app)).toBe(100);
    count('query Later { listProductTag { name } }');
    count('query Q1 { listProductTag { id } }');
    await writeUsage(database, counts);
    expect(await countRows('client_operation', app)).toBe(100);
    const others = await database.db.execute(sql`
      select requests from schema_usage where merchant_id = ${app.merchantId} and operation = ''`);
    expect(others).toEqual([{ requests: { 'ProductTag.id': 3, 'ProductTag.name': 1, 'Query.listProductTag': 4 } }]);
  });

  it('leaves out texts that are very long, but not their counts', async () => {
    const names = Array.from({ length: 28 }, (_, index) => `${'a'.repeat(400)}${index}: listProductTag { id }`);
    await send({ query: `{ ${names.join(' ')} }` });
    expect(await written()).toEqual({ 'ProductTag.id': 1, 'Query.listProductTag': 1 });
    expect(await operations()).toEqual([]);
  });
});

describe('the memory for counts', () => {
  it('is bounded for an app, whose further operations are counted together, and for all apps', () => {
    const fullCalls = vi.fn<() => void>();
    counts.onFull = fullCalls;
    const many = Array.from({ length: 500 }, (_, index) =>
      usageOf(`query ${'Q'.repeat(4_000)}${index} { listProductTag { id } }`),
    );
    for (let number = 0; number < 20; number++)
      for (const usage of many) counts.count({ merchantId: 'm', authorizedAppId: `app-${number}` }, usage, []);
    const taken = counts.take();
    expect(taken.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(Math.max(...taken.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1024 * 1024);
    expect(fullCalls).toHaveBeenCalledTimes(1);
    const [first] = taken;
    expect(first!.operations.size).toBeLessThan(150);
    const requests = [...first!.operations.values()].reduce((sum, one) => sum + one.requests, 0);
    expect(requests).toBe(500);
    expect(first!.operations.get('')!.inVariables.get('ProductTag.id')).toBeGreaterThan(350);
  });

  it('does not start a write for counts that have just failed to be written', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      usageOf(`query ${'Q'.repeat(4_000)}${index} { listProductTag { id } }`),
    );
    for (let number = 0; number < 20; number++)
      for (const usage of many) counts.count({ merchantId: 'm', authorizedAppId: `app-${number}` }, usage, []);
    const fullCalls = vi.fn<() => void>();
    counts.onFull = fullCalls;
    counts.putBack(counts.take());
    expect(fullCalls).not.toHaveBeenCalled();
    expect(counts.take()).toHaveLength(20);
  });
});

describe('the removal of old counts', () => {
  it('deletes counts and operations of all merchants that are too old, and no others', async () => {
    const apps = [app, await createContext(database.db)];
    for (const { merchantId, session } of apps)
      for (const days of [0, KEPT_DAYS - 2, KEPT_DAYS + 2]) {
        const day = new Date(Math.floor(Date.now() / 86_400_000 - days) * 86_400_000).toISOString();
        await database.db.execute(sql`
          insert into schema_usage values (${merchantId}, ${session.authorizedAppId}, ${day}, 'id', '{"Query.me": 1}')`);
        await database.db.execute(sql`
          insert into client_operation values (${merchantId}, ${session.authorizedAppId}, ${days}, null, '{me{id}}', ${day})`);
      }
    expect(await removeOldUsage(database)).toBe(4);
    for (const one of apps)
      expect([await countRows('schema_usage', one), await countRows('client_operation', one)]).toEqual([2, 2]);
  });

  it('deletes a day with many counts in statements of at most 1,000 rows', async () => {
    const { merchantId, session } = await createContext(database.db);
    await database.db.execute(sql`
      insert into schema_usage
      select ${merchantId}, ${session.authorizedAppId}, date_trunc('day', now()) - interval '50 days', 'id' || n, '{}'
      from generate_series(1, 2500) as n`);
    const deleted: number[] = [];
    const spy = spyDatabase('execute', async ({ owner, run }) => {
      const rows = (await run()) as unknown[];
      if (owner === merchantId) deleted.push(rows.length);
      return rows;
    });
    expect(await removeOldUsage(database).finally(() => spy.mockRestore())).toBe(2_500);
    expect(deleted.reduce((sum, count) => sum + count)).toBe(2_500);
    expect(Math.max(...deleted)).toBe(1_000);
  });
});

function usageOf(text: string): OperationUsage {
  const document = parse(text);
  const [operation] = document.definitions;
  return preparedOperation(schema, document, (operation as { name?: { value: string } }).name?.value).usage;
}

function count(text: string): void {
  counts.count(app.session, usageOf(text), []);
}

async function send(body: object): Promise<Answer> {
  return await post(`${api.url}/api/v1/admin/graphql`, body, { token: app.merchantId });
}

async function written(): Promise<Record<string, number>> {
  await writeUsage(database, counts);
  return await stored();
}

/** Today's requests of the app, by schema coordinate. */
async function stored(): Promise<Record<string, number>> {
  const rows = await database.db.execute<{ coordinate: string; requests: number }>(sql`
    select coordinate, sum(count::int)::int as requests
    from schema_usage, json_each_text(requests) as counts(coordinate, count)
    where merchant_id = ${app.merchantId} and authorized_app_id = ${app.session.authorizedAppId}
      and day = date_trunc('day', now(), 'UTC')
    group by coordinate order by coordinate`);
  return Object.fromEntries(rows.map(({ coordinate, requests }) => [coordinate, requests]));
}

async function operations(): Promise<{ name: string | null; text: string }[]> {
  return await database.db.execute(sql`
    select name, text from client_operation where merchant_id = ${app.merchantId} order by text`);
}
