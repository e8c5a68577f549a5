import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Answer, codes, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

const one = { max: 1, maxPerMerchant: 1, maxWaiting: 2, maxWaitMs: 60_000 };
const executionLimits = { standard: one, longWrites: one, outbound: one };

async function count(url: string, metric: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^http_requests_${metric} (\\d+)$`, 'm').exec(text)![1]);
}

describe('a server with more requests than it executes at once', () => {
  let server: TestServer;
  let answers: Promise<Answer>[];
  beforeEach(async () => {
    server = await startServer({ executionLimits });
    server.sessions.set('other', { ...server.sessions.get('full')!, merchantId: 'merchant-2' });
    answers = [post(server.graphqlUrl, { query: '{ wait }' })];
    await vi.waitUntil(() => server.calls.includes('wait'));
  });
  afterEach(() => server.drain());

  const save = async (name: string, options: Parameters<typeof post>[2] = {}): Promise<Answer> =>
    await post(server.graphqlUrl, { query: `mutation { saveThing(input: { name: "${name}" }) { name } }` }, options);
  const saveBehind = async (name: string, token?: string): Promise<void> => {
    const waiting = await count(server.url, 'waiting');
    answers.push(save(name, { token }));
    await vi.waitUntil(async () => (await count(server.url, 'waiting')) > waiting);
  };
  const saved = () => server.received.map(({ input }) => (input as { name: string }).name);

  it('executes the others round robin by merchant, and reports their number', async () => {
    await saveBehind('one');
    await saveBehind('two');
    expect([await count(server.url, 'executing'), await count(server.url, 'waiting'), server.calls]).toEqual([
      1,
      2,
      ['wait'],
    ]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(saved()).toEqual(['one', 'two']);
    expect([
      await count(server.url, 'executing'),
      await count(server.url, 'waiting'),
      await count(server.url, 'refused_total'),
    ]).toEqual([0, 0, 0]);
  });

  it.each(['application/json', 'application/graphql-response+json'])(
    'refuses requests past the limit with 503 in %s, and executes nothing of them',
    async (accept) => {
      await saveBehind('one');
      await saveBehind('two');
      const refused = await save('three', { headers: { accept } });
      expect([refused.status, codes(refused), refused.body.data]).toEqual([503, ['SERVICE_UNAVAILABLE'], undefined]);
      expect(refused.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await count(server.url, 'refused_total')).toBe(1);
      server.release();
      await Promise.all(answers);
      expect(saved()).toEqual(['one', 'two']);
    },
  );

  it('refuses the merchant with the longest queue, and not the new request of another', async () => {
    await saveBehind('one');
    await saveBehind('two');
    const other = save('of another', { token: 'other' });
    const [, , two] = answers;
    expect((await two!).status).toBe(503);
    server.release();
    expect((await other).status).toBe(200);
    await Promise.all(answers);
    // The other merchant has used less time.
    expect(saved()).toEqual(['of another', 'one']);
  });
});

describe('a request that was refused', () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({ executionLimits: { ...executionLimits, standard: { ...one, maxWaitMs: 200 } } });
    ({ token } = await service.createApp());
  });
  afterAll(() => service.stop());

  it('does not use its idempotency key', async () => {
    const headers = { 'idempotency-key': 'one-key' };
    const save = async () =>
      await post(
        service.graphqlUrl,
        { query: 'mutation { saveProductTag(input: { name: "Tag" }) { name } }' },
        { token, headers },
      );
    const [held, refused] = await service.db.transaction(async (transaction) => {
      await transaction.execute(sql`lock table product_brand in access exclusive mode`);
      const held = post(service.graphqlUrl, { query: '{ listProductBrand { id } }' }, { token });
      await vi.waitUntil(async () => (await count(service.url, 'executing')) === 1);
      return [held, await save()];
    });
    expect([refused.status, codes(refused), refused.headers.get('retry-after')]).toEqual([
      503,
      ['SERVICE_UNAVAILABLE'],
      '1',
    ]);
    expect((await held).status).toBe(200);
    const again = await save();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const tags = await post(service.graphqlUrl, { query: '{ listProductTag { name } }' }, { token });
    expect(tags.body.data).toEqual({ listProductTag: [{ name: 'Tag' }] });
  });
});
