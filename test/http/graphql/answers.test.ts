import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codes, post } from '../../support/post.ts';
import { open } from '../../support/raw.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

const MIB = 1024 * 1024;
const LONG_TEXT = 'Ж'.repeat(60_000);

const input = { name: 'Long', type: 'PHYSICAL', description: LONG_TEXT, variants: [{ prices: [{ sellPrice: 1 }] }] };
const aliases = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}: description`).join(' ');
const save = `mutation ($input: ProductInput!) { saveProduct(input: $input) { id ${aliases(10)} } }`;

describe('a response that is too large', () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({ maxResponseBytes: MIB });
    ({ token } = await service.createApp());
    for (let count = 0; count < 10; count++)
      await ask('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', { input });
  });
  afterAll(() => service.stop());

  const ask = async (query: string, variables: object = {}, headers: Record<string, string> = {}) =>
    await post(service.graphqlUrl, { query, variables }, { token, headers });
  const count = async () =>
    ((await ask('{ listProduct { count } }')).body.data!['listProduct'] as { count: number }).count;

  it.each([
    [
      'if the database writes its text',
      (limit: number) => `{ listProduct(pagination: {limit: ${limit}}) { data { description } } }`,
      8,
    ],
    ['with aliases', (limit: number) => `{ listProduct(pagination: {limit: ${limit}}) { data { ${aliases(2)} } } }`, 4],
    [
      'if it is of a search',
      (limit: number) => `{ searchProducts(input: {pagination: {limit: ${limit}}}) { results { description } } }`,
      8,
    ],
    [
      'if it has a directive',
      (limit: number) =>
        `{ listProduct(pagination: {limit: ${limit}}) { data { a: description b: description @include(if: true) c: description @skip(if: true) } } }`,
      4,
    ],
    [
      'if it has several root fields',
      (limit: number) =>
        `{ ${Array.from({ length: limit }, (_, index) => `r${index}: listProduct(pagination: {limit: 1, page: ${index + 1}}) { data { description } }`).join(' ')} }`,
      8,
    ],
  ])('is refused %s', async (_, query, most) => {
    expect(codes(await ask(query(most)))).toEqual([]);
    const refused = await ask(query(most + 1));
    expect(codes(refused)).toContain('ARGUMENT_VALIDATION_ERROR');
    const { message, extensions } = refused.body.errors!.at(-1)!;
    expect(message).toMatch(/^The answer would have \d{7} bytes, and at most 1048576 are sent: lower pagination.limit/);
    expect(extensions['issues']).toMatchObject([{ path: ['pagination', 'limit'] }]);
    expect(JSON.stringify(refused.body).length).toBeLessThan(1.1 * MIB);
  });

  it('has the bytes of the page in its error, including those that were not sent', async () => {
    const { body } = await ask('{ listProduct(pagination: {limit: 10}) { data { description } } }');
    const bytes = 10 * (Buffer.byteLength(LONG_TEXT) + '{"description":""},'.length) + 1;
    expect(body.errors![0]!.message).toContain(`would have ${bytes} bytes`);
  });

  it.each([
    ['by itself', {}],
    ['with a key', { 'idempotency-key': 'one' }],
  ])('of a mutation %s is refused before it commits', async (_, headers: Record<string, string>) => {
    const before = await count();
    const refused = await ask(save, { input }, headers);
    expect(codes(refused)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(refused.body.errors![0]!.message).toContain('The answer would have 120');
    expect(await count()).toBe(before);
    const events = await service.owner.execute('select 1 from webhook_delivery');
    expect(events).toHaveLength(0);
  });

  it('of a mutation with a fragment and a directive is counted exactly', async () => {
    const before = await count();
    const query = `mutation ($input: ProductInput!, $all: Boolean!) { saveProduct(input: $input) { id ...Texts @include(if: $all) } } fragment Texts on Product { ${aliases(10)} }`;
    expect(codes(await ask(query, { input, all: true }))).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(await count()).toBe(before);
    expect(codes(await ask(query, { input, all: false }))).toEqual([]);
    expect(await count()).toBe(before + 1);
  });

  it('of a mutation that saves several records is counted as a whole before it commits', async () => {
    const scopes = ['product', 'customer', 'stock'].flatMap((type) => [
      `store/${type}/created`,
      `store/${type}/updated`,
    ]);
    const endpoint = `https://93.184.215.14/${'🙂'.repeat(2_000)}`;
    const texts = Array.from({ length: 29 }, (_, index) => `a${index}: endpoint`).join(' ');
    const query = `mutation ($input: WebhookInput!) { saveWebhook(input: $input) { ${texts} } }`;
    const refused = await ask(query, { input: { endpoint, scopes } });
    expect(codes(refused)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect((await ask('{ listWebhook { id } }')).body.data).toEqual({ listWebhook: [] });
  });

  it('of a revert is refused before it commits', async () => {
    const saved = await ask('mutation ($input: ProductInput!) { saveProduct(input: $input) { id } }', { input });
    const { id } = saved.body.data!['saveProduct'] as { id: string };
    await ask('mutation ($id: ID!) { updateProduct(id: $id, patch: {description: "short"}) { id } }', { id });
    const listed = await ask('{ listChange(pagination: {limit: 1}) { data { id } } }');
    const [change] = (listed.body.data!['listChange'] as { data: { id: string }[] }).data;
    const texts = Array.from({ length: 10 }, (_, index) => `a${index}: after`).join(' ');
    const query = `mutation ($ids: [ID!]) { revertChanges(input: {changeIds: $ids}) { records { members { ${texts} } } } }`;
    const refused = await ask(query, { ids: [change!.id] });
    expect(codes(refused)).toEqual(['ARGUMENT_VALIDATION_ERROR']);
    expect(refused.body.errors![0]!.message).toContain('The answer would have 120');
    const product = await ask('{ listProduct(pagination: {limit: 1}) { data { description } } }');
    expect(product.body.data).toEqual({ listProduct: { data: [{ description: 'short' }] } });
  });

  it('is not refused if only a field that is not selected is large', async () => {
    expect(codes(await ask('{ listProduct { count data { id name shortDescription } } }'))).toEqual([]);
  });
});

/** The server looks for clients that exceed it every half second. */
const RESPONSE_MS = 500;

describe('a client that does not read its response', () => {
  let server: TestServer;
  afterEach(() => server.drain());

  /** A request whose answer contains an id of 6 MB. */
  function request(id = 'x'.repeat(6_000_000)): string {
    const body = JSON.stringify({ query: 'query ($id: String!) { getThing(id: $id) { id } }', variables: { id } });
    return `POST /api/v1/admin/graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer full\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  }

  it('is disconnected after a timeout', async () => {
    server = await startServer({ timeouts: { responseMs: RESPONSE_MS } });
    const socket = open(server.url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).pause();
    socket.write(request());
    await vi.waitUntil(() => server.calls.includes('getThing'));
    await wait(3 * RESPONSE_MS);
    let received = 0;
    socket.on('data', (chunk) => (received += chunk.length)).resume();
    await closed;
    expect(received).toBeLessThan(6_000_000);
  }, 15_000);

  it('occupies the limiter until it has read the response or disconnects', async () => {
    const one = { max: 1, maxPerMerchant: 1, maxWaiting: 10, maxWaitMs: 10_000 };
    server = await startServer({ executionLimits: { standard: one, longWrites: one, outbound: one } });
    const socket = open(server.url);
    socket.on('error', () => {}).pause();
    socket.write(request());
    await vi.waitUntil(() => server.calls.includes('getThing'));
    const other = post(server.graphqlUrl, { query: '{ me { id } }' });
    await wait(500);
    expect(server.calls).not.toContain('me');
    socket.destroy();
    expect((await other).status).toBe(200);
  }, 15_000);
});
