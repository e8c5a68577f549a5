import { Agent, request } from 'node:http';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codes } from '../support/post.ts';
import { attack, type AttackedService, expectUnharmed, startAttackedService } from './support/attacked-service.ts';

const FLOOD_MS = 500;
/** The bodies that wait at the end of a flood are parsed too, which takes longer than the flood. */
const PARSED_CONNECTIONS = 8;
/** So few that a flood exceeds them on a busy machine too. */
const TOKEN_REQUESTS = 100;
/** The number up to which `/metrics` counts them. */
const WAITING_DELIVERIES = 100_000;
/** Waits for this after a flood, so that its remains do not affect the next test. */
const MAX_MEMORY_MIB = 700;

const MIB = 1024 * 1024;
const PAGE_CLIENTS = 64;
/** The page has 2 MB uncompressed. */
const MAX_PAGE_MIB = 0.7;
const MAX_PAGE_MEMORY_GROWTH_MIB = 150;

const KEYS = 3;
const REPEATING_CLIENTS = 16;
const REPEATED_MS = 1_200;
/** Letters of two bytes. With 30 aliases the response has 3.9 MB; at most 4 MiB are stored. */
const LETTERS = 65_000;
const NAMES = 30;

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService({ TOKEN_RATE_LIMIT_PER_MINUTE: String(TOKEN_REQUESTS) });
});
afterAll(() => service.stop());

// First, because they measure the growth of the memory.
describe('the page of GraphiQL', () => {
  it.each([
    ['that take every coding', { 'accept-encoding': 'gzip, deflate, br, zstd' }],
    ['that take gzip', { 'accept-encoding': 'gzip' }],
    ['that do not say what they take', {}],
  ])('anonymous clients %s flood the page', async (name, headers) => {
    const memoryMib = service.memoryMib();
    let pages: Page[] = [];
    const report = await attack(`GraphiQL, clients ${name}`, service, async () => (pages = await floodPage(headers)));
    const pageMib = pages.reduce((sum, { bytes }) => sum + bytes, 0) / pages.length / MIB;
    console.log(`${pages.length} pages of ${pageMib.toFixed(2)} MiB`);
    expectUnharmed(report);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]));
    expect(pageMib).toBeLessThan(MAX_PAGE_MIB);
    expect(service.memoryMib() - memoryMib).toBeLessThan(MAX_PAGE_MEMORY_GROWTH_MIB);
  });

  it('browsers with a cached page ask whether it has changed', async () => {
    const { etag } = await askPage({});
    let pages: Page[] = [];
    const report = await attack(
      'GraphiQL, clients that have it',
      service,
      async () => (pages = await floodPage({ 'if-none-match': etag })),
    );
    expectUnharmed(report);
    expect(pages.filter(({ status, bytes }) => status !== 304 || bytes > 0)).toEqual([]);
  });
});

type Statuses = Record<string, number>;

/** Sends one request after the other on each connection. */
async function flood(connections: number, send: (n: number) => Promise<Response>): Promise<Statuses> {
  const end = performance.now() + FLOOD_MS;
  const statuses: Statuses = {};
  let next = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const response = await send(next++);
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return statuses;
}

async function unharmedBy(
  name: string,
  connections: number,
  send: (n: number) => Promise<Response>,
): Promise<Statuses> {
  let statuses: Statuses = {};
  const report = await attack(name, service, async () => (statuses = await flood(connections, send)));
  expectUnharmed(report);
  expect(service.memoryMib()).toBeLessThan(MAX_MEMORY_MIB);
  return statuses;
}

async function post(body: string, token?: string): Promise<Response> {
  return await fetch(service.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body,
  });
}

const list = <Entry>(length: number, entry: (index: number) => Entry): Entry[] =>
  Array.from({ length }, (_, index) => entry(index));

// docs/reliability-tests.md: 38
describe('many connections that send megabytes of JSON', () => {
  const query = '{ __typename }';
  const strange = JSON.stringify({ query, variables: { list: list(400_000, (index) => ({ [`member${index}`]: 1 })) } });
  const many = JSON.stringify({
    query,
    variables: { list: list(249_000, (index) => ({ [`member${index % 4_000}`]: 1 })) },
  });

  it('without a token are refused before they are read', async () => {
    expect(Object.keys(await unharmedBy('bodies without a token', 16, async () => await post(strange)))).toEqual([
      '401',
    ]);
  });

  it('with only different names are refused before they are parsed', async () => {
    expect(
      Object.keys(
        await unharmedBy('bodies of strange names', 16, async () => await post(strange, service.attacker.token)),
      ),
    ).toEqual(['413']);
  });

  it('with as many values and names as allowed are parsed one at a time', async () => {
    const statuses = await unharmedBy(
      'bodies of many values',
      PARSED_CONNECTIONS,
      async () => await post(many, service.attacker.token),
    );
    expect(Object.keys(statuses).filter((status) => !['200', '503'].includes(status))).toEqual([]);
  });
});

it('four connections that send bulk requests of seven megabytes harm nobody', async () => {
  const description = 'lorem ipsum '.repeat(600);
  const variants = [{ prices: [{ sellPrice: 1 }] }, { prices: [{ sellPrice: 2 }] }];
  const products = (n: number) =>
    list(1_000, (index) => ({
      name: `Product ${n} ${index}`,
      type: 'PHYSICAL',
      description,
      variants,
      categories: [{ name: ['Category'] }],
      tags: [{ name: 'Tag' }],
      productVariantTypes: [],
    }));
  const query = 'mutation ($input: [BulkUpdateProductsInput!]!) { bulkUpdateProducts(input: $input) }';
  const statuses = await unharmedBy(
    'bulk requests',
    4,
    async (n) => await post(JSON.stringify({ query, variables: { input: products(n) } }), service.attacker.token),
  );
  expect(statuses['200']).toBeGreaterThan(0);
});

// docs/reliability-tests.md: 29
describe('sixty-four connections that send new documents', () => {
  const fields = list(1_900, (index) => `field${index}`).join(' ');
  const overlapping = `listProduct { data { ${'... { id name } '.repeat(99)} ${'variants { prices { sellPrice } images { order } } '.repeat(90)} } }`;
  const schema =
    '__schema { types { name description fields { name description type { name } args { name description type { name } } } inputFields { name description type { name } } } }';

  it.each([
    ['of fields that do not exist', fields, '200'],
    ['of fields that overlap', overlapping, '401'],
    ['about the whole schema', schema, '200'],
  ])('%s harm nobody', async (what, selected, status) => {
    const statuses = await unharmedBy(
      `documents ${what}`,
      64,
      async (n) => await post(JSON.stringify({ query: `{ ${selected} } #${n}` })),
    );
    expect(Object.keys(statuses)).toContain(status);
    expect(statuses).not.toHaveProperty('500');
  });
});

it('sixty-four connections that request unknown pictures harm nobody', async () => {
  const { merchantId } = service.attacker.ctx;
  const statuses = await unharmedBy(
    'pictures that do not exist',
    64,
    async (n) =>
      await fetch(
        `${service.url}/images/${merchantId}/0199c0de-5f6a-7c3e-9d41-${String(n).padStart(12, '0')}/image_540.webp`,
      ),
  );
  expect(Object.keys(statuses)).toEqual(['404']);
});

it('sixty-four connections that request tokens with a wrong secret harm nobody', async () => {
  const body = (n: number) =>
    new URLSearchParams({ grant_type: 'client_credentials', client_id: `client-${n}`, client_secret: 'wrong' });
  const statuses = await unharmedBy(
    'wrong secrets',
    64,
    async (n) => await fetch(`${service.url}/api/admin/oauth/token`, { method: 'POST', body: body(n) }),
  );
  expect(Object.keys(statuses).sort()).toEqual(['401', '429']);
});

describe('sixty-four connections without a token', () => {
  beforeAll(async () => {
    const { ctx } = service.attacker;
    const { db } = service.database;
    const [webhook] = await db.execute<{ id: string }>(sql`
      insert into webhook (merchant_id, authorized_app_id, scope, endpoint) values (${ctx.merchantId}, ${ctx.session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/')
      returning id`);
    await service.database.owner.transaction(async (transaction) => {
      // Triggers do not fire, so that there are no jobs which the worker would execute during the test.
      await transaction.execute(sql`set local session_replication_role = replica`);
      await transaction.execute(sql`
        insert into webhook_delivery (merchant_id, webhook_id, authorized_app_id, scope, endpoint, sequence, data, record_id)
        select ${ctx.merchantId}, ${webhook!.id}, ${ctx.session.authorizedAppId}, 'store/customer/created', 'https://receiver.example/', n, '{}', uuid_v7()
        from generate_series(1, ${WAITING_DELIVERIES}::int) as n`);
    });
  });

  it.each([
    ['/metrics', '200'],
    ['/readyz', '200'],
    ['/nothing/at/all', '404'],
    ['/api/v1/admin/graphql?query={me{id}}', '401'],
  ])('that request %s harm nobody', async (path, status) => {
    const statuses = await unharmedBy(
      path,
      64,
      async (n) => await fetch(`${service.url}${path}${path === '/nothing/at/all' ? `/${n}` : ''}`),
    );
    console.log(path, statuses);
    expect(Object.keys(statuses)).toEqual([status]);
  });
});

// docs/reliability-tests.md: 26
it('the longest stored responses, repeated by sixteen clients, delay no other merchant', async () => {
  const { attacker } = service;
  const firsts: Answer[] = [];
  for (let key = 0; key < KEYS; key++) firsts.push(await send(key));
  expect(firsts.flatMap(codes)).toEqual([]);
  const repeated: Answer[] = [];
  const memoryMib = service.memoryMib();
  const report = await attack(
    `${KEYS} responses of 4 MiB repeated by ${REPEATING_CLIENTS} clients`,
    service,
    async () => {
      const endsAtMs = performance.now() + REPEATED_MS;
      const repeat = async (client: number): Promise<void> => {
        for (let n = client; performance.now() < endsAtMs; n++) repeated.push(await send(n % KEYS));
      };
      await Promise.all(Array.from({ length: REPEATING_CLIENTS }, (_, client) => repeat(client)));
    },
  );
  console.log(`${repeated.length} repeats, memory +${service.memoryMib() - memoryMib} MiB`);
  for (const { status, headers, body } of repeated) {
    expect([status, headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(firsts.some((first) => JSON.stringify(first.body) === JSON.stringify(body))).toBe(true);
  }
  expectUnharmed(report);

  async function send(key: number): Promise<Answer> {
    const names = Array.from({ length: NAMES }, (_, index) => `a${index}: description`).join(' ');
    const query = `mutation ($input: CategoryInput!) { saveCategory(input: $input) { ${names} } }`;
    const input = { name: `Category ${key}`, description: description(key) };
    return await attacker.send({ query, variables: { input } }, { 'idempotency-key': `key-${key}` });
  }
});

type Page = { status: number; etag: string; bytes: number };

/** Clients that request the page again as soon as they have it. */
async function floodPage(headers: Record<string, string>): Promise<Page[]> {
  const agent = new Agent({ keepAlive: true });
  const endsAtMs = performance.now() + FLOOD_MS;
  const pages: Page[] = [];
  const askOnAndOn = async (): Promise<void> => {
    while (performance.now() < endsAtMs) pages.push(await askPage(headers, agent));
  };
  await Promise.all(Array.from({ length: PAGE_CLIENTS }, askOnAndOn));
  agent.destroy();
  return pages;
}

async function askPage(headers: Record<string, string>, agent?: Agent): Promise<Page> {
  return await new Promise((resolve, reject) => {
    const asked = request(service.graphqlUrl, { headers: { accept: 'text/html', ...headers }, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response
        .once('error', reject)
        .once('end', () => resolve({ status: response.statusCode!, etag: response.headers.etag ?? '', bytes }));
    });
    asked.once('error', reject).end();
  });
}

/** Letters without repetitions, so that PostgreSQL cannot compress them much. */
function description(seed: number): string {
  let state = seed + 1;
  return String.fromCharCode(
    ...Array.from({ length: LETTERS }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return 0x430 + (state % 32);
    }),
  );
}
