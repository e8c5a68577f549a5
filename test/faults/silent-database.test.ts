import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { codes, post } from '../support/post.ts';
import type { RunningService } from '../support/process.ts';
import { createMerchant, type Merchant, startFaultable } from './support/faulted-service.ts';

const STATEMENT_TIMEOUT_MS = 3_000;
/** The longest time until a request is refused, as docs/reliability.md says. */
const REQUEST_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** The service checks twice a second. The rest is for a busy machine. */
const NOTICED_WITHIN_MS = 2_500;
const CLIENTS = 40;
const QUERY = { query: '{ me { id } listProductTag { id } listProductBrand { id } }' };
const MUTATION = { query: 'mutation { saveProductTag(input: { name: "Tag" }) { id } }' };

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: RunningService;
let merchant: Merchant;
beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.open(database.url);
  service = await startFaultable(proxy.url, {
    STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    POOL_SIZE: '4',
  });
  merchant = await createMerchant(database.db);
});
afterAll(async () => {
  proxy.heal();
  // What was sent into the silence is never answered. Once a stop waited for such an answer; how a service stops is tested
  // in test/worker/termination.test.ts.
  await service.stop('SIGKILL');
  await merchant.ledger.close();
  await proxy.close();
  await database.drop();
});

async function send(body: object) {
  const startedAtMs = performance.now();
  const answer = await post(`${service.url}/api/v1/admin/graphql`, body, { token: merchant.token });
  const retryAfter = answer.headers.get('retry-after');
  return { codes: [...new Set(codes(answer))], retryAfter, tookMs: performance.now() - startedAtMs };
}

it('with a silent database each of forty clients is refused within the time of one request', async () => {
  const bodies = Array.from({ length: CLIENTS }, (_, client) => (client % 4 === 0 ? MUTATION : QUERY));
  await Promise.all(bodies.map(send));
  proxy.silence();
  const first = bodies.map(send);
  // These requests come while connections are replaced, and their sessions are no longer cached.
  await wait(REQUEST_MS / 2);
  const answers = await Promise.all([...first, ...bodies.map(send)]);
  console.log(`refused after ${Math.round(Math.max(...answers.map(({ tookMs }) => tookMs)))} ms at most`);
  for (const answer of answers) {
    expect(answer).toMatchObject({ codes: ['SERVICE_UNAVAILABLE'], retryAfter: '1' });
    expect(answer.tookMs).toBeLessThan(REQUEST_MS + NOTICED_WITHIN_MS);
  }
}, 120_000);
