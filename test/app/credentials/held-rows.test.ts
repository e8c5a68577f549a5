import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NewApp } from '../../../src/app/create-app.ts';
import { merchantOf } from '../../../src/app/credentials/merchant-prefix.ts';
import { createSignInCode } from '../../../src/app/credentials/sign-in-code.ts';
import { post } from '../../support/post.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

/** More than the service has connections for requests. */
const CREDENTIALS = 5;
/** Those of the connections that one merchant may use. */
const OF_ONE_MERCHANT = 3;
/** Less than the time limit of statements, which would end the wait for a lock. */
const ANSWERED_WITHIN_MS = 5_000;

let service: TestService;
let app: NewApp;
let merchantId: string;
let other: { token: string };
beforeAll(async () => {
  service = await startTestService();
  app = await service.createApp();
  merchantId = merchantOf(app.clientId)!;
  other = await service.createApp();
});
afterAll(() => service.stop());

it('the first uses of tokens that another transaction holds delay no merchant', async () => {
  const tokens = await credentials(async () => await issue());
  await whileHeld('access_token', async () => {
    for (const token of [...tokens, other.token]) expect(await statusOf(token)).toBe(200);
  });
});

it('revocations of tokens that another transaction holds delay no other merchant', async () => {
  const tokens = await credentials(async () => await issue());
  let revoked: Promise<Response>[] = [];
  await whileHeld('access_token', async () => {
    revoked = await oneByOne(tokens, async (token) => await send('revoke', { ...client(), token }));
    expect(await statusOf(other.token)).toBe(200);
  });
  expect((await Promise.all(revoked)).map(({ status }) => status)).toEqual(tokens.map(() => 200));
});

it('sign-in codes that another transaction holds delay no other merchant', async () => {
  const own = { db: service.db, merchantId };
  const codes = await credentials(async () => await createSignInCode(own, { ...app, scopes: ['read_products'] }));
  let exchanged: Promise<Response>[] = [];
  await whileHeld('sign_in_code', async () => {
    exchanged = await oneByOne(codes, async (code) => await send('token', { grant_type: 'authorization_code', code }));
    expect(await statusOf(other.token)).toBe(200);
  });
  expect((await Promise.all(exchanged)).map(({ status }) => status)).toEqual(codes.map(() => 200));
});

/** Holds the merchant's rows of the table, as a long dry run does that revokes them. */
async function whileHeld(table: string, work: () => Promise<void>): Promise<void> {
  await service.owner.transaction(async (transaction) => {
    await transaction.execute(sql`select from ${sql.identifier(table)} where merchant_id = ${merchantId} for update`);
    await work();
  });
}

/** The status of a request with this token; null if it is not answered soon. */
async function statusOf(token: string): Promise<number | null> {
  return await Promise.race([
    post(service.graphqlUrl, { query: '{ me { id } }' }, { token }).then(({ status }) => status),
    wait(ANSWERED_WITHIN_MS, null, { ref: false }),
  ]);
}

/** Sends each request after the one before waits for a lock, or for a connection of its merchant. */
async function oneByOne(
  credentials: readonly string[],
  request: (credential: string) => Promise<Response>,
): Promise<Promise<Response>[]> {
  const sent: Promise<Response>[] = [];
  for (const credential of credentials) {
    sent.push(request(credential));
    await waitForLocks(service.owner, Math.min(sent.length, OF_ONE_MERCHANT));
  }
  return sent;
}

async function credentials(create: () => Promise<string>): Promise<string[]> {
  return await Promise.all(Array.from({ length: CREDENTIALS }, create));
}

async function issue(): Promise<string> {
  const response = await send('token', { grant_type: 'client_credentials', ...client() });
  return ((await response.json()) as { access_token: string }).access_token;
}

function client(): Record<string, string> {
  return { client_id: app.clientId, client_secret: app.clientSecret };
}

async function send(endpoint: 'token' | 'revoke', fields: Record<string, string>): Promise<Response> {
  return await fetch(`${service.url}/api/admin/oauth/${endpoint}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
}
