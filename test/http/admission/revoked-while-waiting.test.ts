import { hash } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueAccessToken } from '../../../src/app/credentials/access-token.ts';
import { merchantOf } from '../../../src/app/credentials/merchant-prefix.ts';
import type { Database } from '../../../src/db/connection/database.ts';
import { type Answer, codes, post } from '../../support/post.ts';
import { open } from '../../support/raw.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

/** A session older than this is looked up again after a wait. */
const REVOKED_BEFORE_MS = 200;
/** Enough for a request to find that no slot for a large response is free. */
const WAITING_FOR_MS = 1_000;
/** A merchant may receive so many large responses at once. */
const LARGE_RESPONSES = 3;
/** Letters of two bytes. */
const LETTERS = 65_000;
const CATEGORIES = 20;
const refused = [401, 'LOGIN_REQUIRED'];

let service: TestService;
let app: Awaited<ReturnType<TestService['createApp']>>;
let merchantId: string;
let categoryId: string;
beforeAll(async () => {
  service = await startTestService();
  app = await service.createApp();
  merchantId = merchantOf(app.clientId)!;
  const input = { name: 'Large', description: 'ж'.repeat(LETTERS) };
  const query = 'mutation ($input: CategoryInput!) { saveCategory(input: $input) { id } }';
  for (let saved = 0; saved < CATEGORIES; saved++) {
    const { body } = await send({ query, variables: { input } }, app.token);
    ({ id: categoryId } = body.data!['saveCategory'] as { id: string });
  }
});
afterAll(() => service.stop());

describe('a token that is revoked while its request waits', () => {
  // docs/reliability-tests.md: 4
  it('for a request with the same key on this node ends the request', async () => {
    const leaked = await newToken();
    const query = `mutation { saveCategory(input: { id: "${categoryId}", name: "First" }) { id } }`;
    const answers = await inTransaction(async (transaction) => {
      await transaction.execute(
        sql`select from category where merchant_id = ${merchantId} and id = ${categoryId} for update`,
      );
      const ahead = send({ query }, app.token, 'same-node');
      await waitForLocks(service.owner, 1);
      const behind = send({ query }, leaked, 'same-node');
      await wait(WAITING_FOR_MS);
      await revoke(leaked);
      return [ahead, behind];
    });
    const [ahead, behind] = await Promise.all(answers);
    expect(codes(ahead!)).toEqual([]);
    expect(outcome(behind!)).toEqual(refused);
  });

  // docs/reliability-tests.md: 4
  it('for a request with the same key on another node ends the request, and the key stays free', async () => {
    const leaked = await newToken();
    const query = 'mutation { saveProductTag(input: { name: "Other node" }) { id } }';
    const answers = await inTransaction(async (transaction) => {
      await claim(transaction, 'other-node');
      const behind = send({ query }, leaked, 'other-node');
      await waitForLocks(service.owner, 1);
      await revoke(leaked);
      await release(transaction, 'other-node');
      return [behind];
    });
    expect(outcome((await Promise.all(answers))[0]!)).toEqual(refused);
    const repeated = await send({ query }, app.token, 'other-node');
    expect([codes(repeated), repeated.headers.get('idempotency-replayed')]).toEqual([[], null]);
  });

  // docs/reliability-tests.md: 4
  it('until its large response may be sent ends the request', async () => {
    const leaked = await newToken();
    const readers = await slowReaders();
    const answer = send({ query: largeQuery() }, leaked);
    await wait(WAITING_FOR_MS);
    await revoke(leaked);
    for (const reader of readers) reader.destroy();
    expect(outcome(await answer)).toEqual(refused);
  });

  // docs/reliability-tests.md: 4
  it('until its large stored response may be sent ends the request', async () => {
    const leaked = await newToken();
    const query = `mutation { saveCategory(input: { id: "${categoryId}", name: "Second" }) { ${aliases(20)} } }`;
    expect(codes(await send({ query }, app.token, 'stored'))).toEqual([]);
    const readers = await slowReaders();
    const answer = send({ query }, leaked, 'stored');
    await wait(WAITING_FOR_MS);
    await revoke(leaked);
    for (const reader of readers) reader.destroy();
    expect(outcome(await answer)).toEqual(refused);
  });
});

function outcome(answer: Answer): unknown[] {
  return [answer.status, ...codes(answer)];
}

async function send(request: object, token: string, key?: string): Promise<Answer> {
  return await post(service.graphqlUrl, request, {
    token,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
}

async function newToken(): Promise<string> {
  return await issueAccessToken({ db: service.db, merchantId }, { ...app, scopes: ['write_products'] });
}

/** Revokes the token as another node does. */
async function revoke(token: string): Promise<void> {
  await service.owner.execute(
    sql`delete from access_token where merchant_id = ${merchantId} and hash = ${hash('sha256', token)}`,
  );
  await wait(REVOKED_BEFORE_MS);
}

/** Returns the requests that `work` has sent, when the transaction has ended. */
async function inTransaction(work: (transaction: Database) => Promise<Promise<Answer>[]>): Promise<Promise<Answer>[]> {
  const { answers } = await service.owner.transaction(async (transaction) => ({ answers: await work(transaction) }));
  return answers;
}

/** Another node executes a request with this key. */
async function claim(transaction: Database, key: string): Promise<void> {
  await transaction.execute(sql`
    insert into idempotency_key (merchant_id, authorized_app_id, key, content_hash, created_at, expires_at)
    values (${merchantId}, ${app.authorizedAppId}, ${key}, 'x', now(), now() + interval '1 hour')`);
}

/** The request on the other node fails, and leaves its key free. */
async function release(transaction: Database, key: string): Promise<void> {
  await transaction.execute(sql`delete from idempotency_key where merchant_id = ${merchantId} and key = ${key}`);
}

/** Clients that take all slots for large responses, because they do not read theirs. */
async function slowReaders(): Promise<Socket[]> {
  const body = JSON.stringify({ query: largeQuery() });
  const head = `POST /api/v1/admin/graphql HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${app.token}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const readers = Array.from({ length: LARGE_RESPONSES }, () => open(service.url));
  for (const reader of readers) reader.on('error', () => {}).write(head + body);
  await Promise.all(readers.map(async (reader) => await once(reader, 'readable')));
  return readers;
}

/** Its response of 13 MB is more than the system buffers. */
function largeQuery(): string {
  return `{ listCategory { ${aliases(5)} } }`;
}

function aliases(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}: description`).join(' ');
}
