import { createSecretKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createConsoleCode } from '../../src/app/console-code.ts';
import { rotateAppSecret } from '../../src/app/credentials/rotate-app-secret.ts';
import { findSession, issueAccessToken, openSessionCache } from '../../src/app/credentials/access-token.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import type { Context } from '../../src/context.ts';
import { inTransaction } from '../../src/db/connection/transaction.ts';
import { newId } from '../../src/db/sql/id.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startOperations } from '../support/operation.ts';
import { waitForLocks } from '../support/wait-for-locks.ts';
import { createEvents, createOtherApp, deliveriesOf, save } from '../webhook/deliveries.ts';

type App = { id: string; updatedAt: number; lastUsedAt: number | null; revokedAt: number | null; deleted: boolean };
type Token = { id: string; authorizedAppId: string; lastUsedAt: number | null; createdAt: number; expiresAt: number };

let database: TestDatabase;
let api: Awaited<ReturnType<typeof startOperations>>;
beforeAll(async () => {
  database = await createDatabase();
  api = await startOperations(database.db);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function call<Result>(ctx: Context, name: string, variables: object = {}): Promise<Result> {
  const { data, errors } = await api.call(ctx, name, variables);
  expect(errors).toBeUndefined();
  return data![name] as Result;
}

const apps = async (ctx: Context, variables: object = {}) => await call<App[]>(ctx, 'listAuthorizedApp', variables);
const tokens = async (ctx: Context, variables: object = {}) =>
  (await call<{ data: Token[] }>(ctx, 'listAccessToken', variables)).data;
const issue = async (ctx: Context) =>
  await issueAccessToken(ctx, { authorizedAppId: ctx.session.authorizedAppId, scopes: ['read_products'] });

async function uses(ctx: Context, token: string): Promise<boolean> {
  return (await findSession({ db: ctx.db, sessions: openSessionCache() }, token)) !== null;
}

/** Waits for the record of the last use, which the service writes without delaying the response. */
async function usedTokens(ctx: Context): Promise<Token[]> {
  for (;;) {
    const [listed, [app]] = [await tokens(ctx), await apps(ctx, { id: { eq: ctx.session.authorizedAppId } })];
    if (app!.lastUsedAt !== null && listed.some(({ lastUsedAt }) => lastUsedAt !== null)) return listed;
    await sleep(20);
  }
}

describe('listAuthorizedApp', () => {
  it("lists the merchant's own apps, newest first, and never a secret", async () => {
    const own = await createContext(database.db);
    const other = await createOtherApp(own);
    const listed = await apps(own);
    expect(listed.map(({ id }) => id)).toEqual([other.session.authorizedAppId, own.session.authorizedAppId]);
    expect(listed[0]).toMatchObject({ name: 'Other', email: null, scopes: [], lastUsedAt: null, revokedAt: null });
    expect(listed[1]).toMatchObject({ scopes: expect.arrayContaining(['READ_APPS', 'WRITE_PRODUCTS']) });
    expect(JSON.stringify(listed)).not.toMatch(/secret|v1\./i);
    expect(await apps(own, { name: { eq: 'Other' } })).toHaveLength(1);
  });
});

describe('listAccessToken', () => {
  it("lists the valid tokens of the merchant's own apps, newest first, and never a token", async () => {
    const own = await createContext(database.db);
    const other = await createOtherApp(own);
    const issued = [await issue(own), await issue(other)];
    const listed = await tokens(own);
    expect(listed.map(({ authorizedAppId }) => authorizedAppId)).toEqual([
      other.session.authorizedAppId,
      own.session.authorizedAppId,
    ]);
    const [{ createdAt, expiresAt }] = listed as [Token];
    expect(expiresAt - createdAt).toBe(14_400_000);
    expect(listed[0]).toMatchObject({ scopes: ['READ_PRODUCTS'], lastUsedAt: null });
    for (const token of issued) expect(JSON.stringify(listed)).not.toContain(token.split('.')[1]);
    expect(await tokens(own, { authorizedAppId: { eq: own.session.authorizedAppId } })).toHaveLength(1);
    expect(await tokens(await createContext(database.db))).toEqual([]);
    await database.owner.execute(`update access_token set expires_at = now() where id = '${listed[0]!.id}'`);
    expect(await tokens(own)).toHaveLength(1);
  });

  it('shows the last use of a token and of its app, without a write for each request', async () => {
    const own = await createContext(database.db);
    const [token] = [await issue(own), await issue(own)];
    expect(await uses(own, token)).toBe(true);
    const [unused, used] = (await usedTokens(own)) as [Token, Token];
    expect([unused.lastUsedAt, used.lastUsedAt]).toEqual([null, expect.any(Number)]);
    expect(Math.abs(Date.now() - used.lastUsedAt!)).toBeLessThan(60_000);
    const sent = database.statements.length;
    await uses(own, token);
    expect(database.statements.slice(sent)).toHaveLength(1);
    await database.owner.execute(`update access_token set last_used_at = now() - interval '6 minutes'`);
    await uses(own, token);
    await expect.poll(async () => (await tokens(own))[1]!.lastUsedAt).toBeGreaterThanOrEqual(used.lastUsedAt!);
  });
});

describe('revokeAuthorizedApp', () => {
  it('ends the app and its tokens, and only those; a repetition succeeds', async () => {
    const own = await createContext(database.db);
    const other = await createOtherApp(own);
    const [ownToken, otherToken] = [await issue(own), await issue(other)];
    const id = other.session.authorizedAppId;
    for (let times = 0; times < 2; times++) expect(await call(own, 'revokeAuthorizedApp', { id })).toBe(true);
    expect([await uses(own, ownToken), await uses(own, otherToken)]).toEqual([true, false]);
    expect((await apps(own)).map((app) => app.id)).toEqual([own.session.authorizedAppId]);
    expect(await apps(own, { includeDeleted: true, id: { eq: id } })).toMatchObject([
      { deleted: true, revokedAt: expect.any(Number) },
    ]);
  });

  it('deletes the webhooks of the app, and only those, so that no later event is recorded for it', async () => {
    const own = await createContext(database.db);
    const other = await createOtherApp(own);
    for (const ctx of [own, other]) await save(ctx, ['store/customer/created']);
    await call(own, 'revokeAuthorizedApp', { id: other.session.authorizedAppId });
    await createEvents(own, 1);
    expect([(await deliveriesOf(own)).length, await deliveriesOf(other)]).toEqual([1, []]);
    const { authorizedAppId } = own.session;
    expect(await call(own, 'listWebhook')).toMatchObject([{ authorizedAppId }]);
  });

  it('leaves no webhook that the app saves meanwhile', async () => {
    const own = await createContext(database.db);
    const other = await createOtherApp(own);
    let saved: Promise<unknown> | undefined;
    await inTransaction(own, async (ctx) => {
      await revokeApp(ctx, other.session);
      saved = save(other, ['store/customer/created']).catch((error: unknown) => error);
      await waitForLocks(database.owner, 1);
    });
    expect(await saved).toMatchObject({ code: 'LOGIN_REQUIRED' });
    expect(await call(own, 'listWebhook')).toEqual([]);
  });
});

describe('revokeAccessTokenList', () => {
  it('ends the named tokens, all or none', async () => {
    const own = await createContext(database.db);
    const issued = [await issue(own), await issue(own)];
    const ids = (await tokens(own)).map(({ id }) => id);
    const unknown = newId();
    const { errors } = await api.call(own, 'revokeAccessTokenList', { idList: [ids[0], unknown] });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND', ids: [unknown], path: ['idList'] } }]);
    expect(await tokens(own)).toHaveLength(2);
    expect(await call(own, 'revokeAccessTokenList', { idList: [ids[1], ids[1]] })).toBe(true);
    expect([await uses(own, issued[0]!), await uses(own, issued[1]!)]).toEqual([false, true]);
  });
});

describe('updatedAt of an app', () => {
  const secretKey = createSecretKey(Buffer.alloc(32));
  const updated = async (ctx: Context, condition: object) => {
    const [app] = await apps(ctx, { includeDeleted: true, ...condition });
    // The next change has a later time.
    await sleep(5);
    return app!;
  };

  it('stays when the app is revoked again', async () => {
    const own = await createContext(database.db);
    const { id } = await updated(await createOtherApp(own), { name: { eq: 'Other' } });
    await call(own, 'revokeAuthorizedApp', { id });
    const { updatedAt, revokedAt } = await updated(own, { id: { eq: id } });
    expect(updatedAt).toBe(revokedAt);
    await call(own, 'revokeAuthorizedApp', { id });
    expect(await updated(own, { id: { eq: id } })).toMatchObject({ updatedAt, revokedAt });
  });

  it('stays when its secret is rotated, which it does not show', async () => {
    const own = await createContext(database.db);
    const { id, updatedAt } = await updated(own, {});
    await rotateAppSecret({ ...own, secretKey }, { authorizedAppId: id, overlapMs: 60_000 });
    expect(await updated(own, {})).toMatchObject({ updatedAt });
  });

  it('moves when the console gets another scope', async () => {
    const own = await createContext(database.db);
    const name = { name: { eq: 'Console' } };
    await createConsoleCode({ ...own, secretKey }, { isReadOnly: false });
    const { updatedAt } = await updated(own, name);
    await createConsoleCode({ ...own, secretKey }, { isReadOnly: false });
    expect(await updated(own, name)).toMatchObject({ updatedAt });
    await createConsoleCode({ ...own, secretKey }, { isReadOnly: false, takesBack: true });
    expect((await updated(own, name)).updatedAt).toBeGreaterThan(updatedAt);
  });
});
