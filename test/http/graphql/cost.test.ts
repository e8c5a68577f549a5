import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BlockingWorkQueue } from '../../../src/http/admission/blocking-work-queue.ts';
import { PointLimiter } from '../../../src/http/admission/point-limiter.ts';
import { HttpError } from '../../../src/http/protocol/problem.ts';
import { codes, get, post } from '../../support/post.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const RATE = 1;
const CAPACITY = 110_000;

let server: TestServer;
let limiter: PointLimiter;
beforeAll(async () => {
  limiter = new PointLimiter(
    { maximumAvailable: CAPACITY, restoreRate: RATE },
    async (_, spentMs) => ({ fullInMs: spentMs }),
    { warn: () => {} },
  );
  server = await startServer({ pointLimiter: limiter });
});
afterAll(async () => {
  limiter.close();
  await server.drain();
});

const told = { 'x-request-cost': 'true' };
/** Costs 8,190 points. */
const parts = `${'{ parts '.repeat(11)}{ id }${' }'.repeat(11)}`;
let apps = 0;

/** A token of an app whose bucket is full. */
function newApp(): string {
  const token = `app-${++apps}`;
  server.sessions.set(token, { ...server.sessions.get('full')!, authorizedAppId: token });
  return token;
}

describe('a request that costs too much', () => {
  const query = `{ me { id } ${Array.from({ length: 30 }, (_, index) => `a${index}: listThing(name: {like: "x"}) ${parts}`).join(' ')} }`;

  // docs/reliability-tests.md: 26
  it('is refused before anything is executed, with the most expensive field, its cost and the limit', async () => {
    const calls = server.calls.length;
    const { status, body } = await post(server.graphqlUrl, { query });
    const message = expect.stringMatching(
      /^a0 \(listThing\) costs \d+ of the \d+ points of the request; a request may cost at most 100000$/,
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      errors: [
        {
          message,
          extensions: {
            code: 'ARGUMENT_VALIDATION_ERROR',
            field: 'listThing',
            fieldCost: expect.any(Number),
            requestedQueryCost: expect.any(Number),
            maximumQueryCost: 100_000,
            issues: [{ path: ['a0'], message: expect.stringContaining('at most 100000') }],
          },
        },
      ],
    });
    expect(server.calls.length).toBe(calls);
  });

  it('is refused with status 400 for clients that accept application/graphql-response+json', async () => {
    expect(
      (await post(server.graphqlUrl, { query }, { headers: { accept: 'application/graphql-response+json' } })).status,
    ).toBe(400);
  });

  it('spends nothing from the bucket', async () => {
    const token = newApp();
    const { body } = await post(server.graphqlUrl, { query }, { token, headers: told });
    expect(body.extensions).toEqual({
      cost: {
        requestedQueryCost: expect.any(Number),
        actualQueryCost: null,
        throttleStatus: { maximumAvailable: CAPACITY, currentlyAvailable: CAPACITY, restoreRate: RATE },
      },
    });
  });
});

describe('an app that has spent its points', () => {
  const dear = `{ ${Array.from({ length: 11 }, (_, index) => `a${index}: listThing(name: {like: "x"}) ${parts}`).join(' ')} }`;

  // docs/reliability-tests.md: 8
  it('gets 429 with the headers that say when to try again, and other apps do not', async () => {
    const token = newApp();
    const answers = [];
    for (let times = 0; times < 3; times++) answers.push(await post(server.graphqlUrl, { query: dear }, { token }));
    const refused = answers.find(({ status }) => status === 429)!;
    expect(answers.map(({ status }) => status)).toEqual([200, 429, 429]);
    expect(answers[0]!.body.errors).toBeUndefined();
    expect(codes(refused)).toEqual(['RATE_LIMITED']);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(CAPACITY / RATE);
    expect(refused.body.errors![0]!.extensions).toEqual({ code: 'RATE_LIMITED', retryAfter });
    expect(refused.headers.get('ratelimit-policy')).toBe(`"points";q=${CAPACITY};w=${CAPACITY / RATE}`);
    expect(refused.headers.get('ratelimit')).toMatch(new RegExp(`^"points";r=\\d+;t=${retryAfter}$`));
    expect((await post(server.graphqlUrl, { query: '{ me { id } }' }, { token: newApp() })).status).toBe(200);
    expect((await post(server.graphqlUrl, { query: '{ me { id } }' }, { token })).status).toBe(200);
  });
});

describe('the header X-Request-Cost', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('returns the cost, of queries too', async () => {
    const token = newApp();
    const one = await post(server.graphqlUrl, { query: '{ listThing { id parts { id } } }' }, { token, headers: told });
    const { throttleStatus, ...cost } = one.body.extensions!['cost'] as { throttleStatus: object };
    expect(one.body.data).toEqual({ listThing: [{ id: '1', parts: [] }] });
    expect(cost).toEqual({ requestedQueryCost: 6, actualQueryCost: 1 });
    expect(throttleStatus).toEqual({ maximumAvailable: CAPACITY, currentlyAvailable: CAPACITY - 6, restoreRate: RATE });
    const two = await get(
      server.graphqlUrl,
      { query: '{ listThing { id } me { id } }' },
      { token: newApp(), headers: told },
    );
    expect(two.body).toMatchObject({
      data: { me: {} },
      extensions: { cost: { requestedQueryCost: 3, actualQueryCost: 2 } },
    });
  });

  it('returns the cost with errors, and with other extensions', async () => {
    const failed = await post(
      server.graphqlUrl,
      { query: '{ getThing(id: "not-found") { id } }' },
      { token: newApp(), headers: told },
    );
    expect(failed.body).toMatchObject({
      errors: [{}],
      data: { getThing: null },
      extensions: { cost: { requestedQueryCost: 1, actualQueryCost: 1 } },
    });
    const wrong = await post(
      server.graphqlUrl,
      { query: 'query ($id: String!) { getThing(id: $id) { id } }', variables: {} },
      { token: newApp(), headers: told },
    );
    expect(wrong.body.extensions).toMatchObject({ cost: { requestedQueryCost: 1, actualQueryCost: null } });
  });

  it('without the value true returns nothing', async () => {
    for (const headers of [undefined, { 'x-request-cost': 'false' }, { 'x-request-cost': '1' }]) {
      expect(
        (await post(server.graphqlUrl, { query: '{ me { id } }' }, headers && { headers })).body.extensions,
      ).toBeUndefined();
    }
  });

  it('counts one response at a time, since a large one blocks the event loop', async () => {
    const query = '{ me { id merchantId } }';
    // A document is cached when it comes the second time.
    for (let times = 0; times < 2; times++) await post(server.graphqlUrl, { query });
    const run = vi.spyOn(BlockingWorkQueue.prototype, 'run');
    await post(server.graphqlUrl, { query });
    expect(run).not.toHaveBeenCalled();
    const { body } = await post(server.graphqlUrl, { query }, { headers: told });
    expect(body.extensions).toMatchObject({ cost: { actualQueryCost: 1 } });
    expect(run).toHaveBeenCalledOnce();
  });

  it('returns no actual cost if too many responses wait to be counted, and hides nothing that was done', async () => {
    const query = 'mutation { saveThing(input: { name: "a" }) { name } }';
    // A document is cached when it comes the second time.
    for (let times = 0; times < 2; times++) await post(server.graphqlUrl, { query });
    vi.spyOn(BlockingWorkQueue.prototype, 'run').mockRejectedValue(new HttpError(503, 'Too many.'));
    const { body } = await post(server.graphqlUrl, { query }, { headers: told });
    expect(body).toMatchObject({
      data: { saveThing: { name: 'a' } },
      extensions: { cost: { requestedQueryCost: expect.any(Number), actualQueryCost: null } },
    });
  });

  it('returns no bucket without a token, nor without a limit', async () => {
    const stranger = await post(server.graphqlUrl, { query: '{ __typename }' }, { token: null, headers: told });
    expect(stranger.body).toEqual({
      data: { __typename: 'Query' },
      extensions: { cost: { requestedQueryCost: 0, actualQueryCost: 0, throttleStatus: null } },
    });
    const unlimited = await startServer();
    const { body } = await post(unlimited.graphqlUrl, { query: '{ me { id } }' }, { headers: told });
    expect(body.extensions).toEqual({ cost: { requestedQueryCost: 1, actualQueryCost: 1, throttleStatus: null } });
    await unlimited.drain();
  });
});
