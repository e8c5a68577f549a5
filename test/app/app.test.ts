import { createSecretKey, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { salesChannel } from '../../drizzle/index.ts';
import { createApp } from '../../src/app/create-app.ts';
import { getAuthorizedApp } from '../../src/app/getAuthorizedApp.ts';
import { listApps } from '../../src/app/list-apps.ts';
import { me } from '../../src/app/me.ts';
import { revokeApp } from '../../src/app/revoke-app.ts';
import { type AppScope, appScopes } from '../../src/app-scope.ts';
import type { Context } from '../../src/context.ts';
import { newId } from '../../src/db/sql/id.ts';
import type { Selection } from '../../src/db/read/projection.ts';
import { pipeline } from '../../src/db/connection/pipeline.ts';
import { insert } from '../../src/db/write/write.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const secretKey = createSecretKey(randomBytes(32));
const shared: Selection = {
  id: {},
  addedDate: {},
  partnerId: {},
  salesChannelId: {},
  scope: {},
  storeAppId: {},
  supportsMultipleInstallation: {},
};

let database: TestDatabase;
let ctx: Context;
let stranger: Context;

beforeAll(async () => {
  database = await createDatabase();
  ctx = await createContext(database.db);
  stranger = await createContext(database.db);
});
afterAll(() => database.drop());

describe('me and getAuthorizedApp', () => {
  it('return the calling app, also if the merchant has other apps', async () => {
    const salesChannelId = newId();
    await pipeline(ctx, insert(ctx, salesChannel, [{ id: salesChannelId, name: 'Web', type: 'STOREFRONT' }]));
    const before = Date.now();
    const app = await createApp(withKey(ctx), {
      input: {
        name: 'A "quoted" app',
        scopes: ['read_products', 'write_customers'],
        email: 'app@example.com',
        partnerId: 'p',
        storeAppId: 's',
        salesChannelId,
        supportsMultipleInstallation: true,
      },
    });
    const caller = as(ctx, app.authorizedAppId, ['read_products', 'write_customers']);
    const common = {
      id: app.authorizedAppId,
      addedDate: expect.any(Number),
      partnerId: 'p',
      salesChannelId,
      scope: 'read_products,write_customers',
      storeAppId: 's',
      supportsMultipleInstallation: true,
    };
    const answer = await me(caller);
    expect(answer).toEqual({
      ...common,
      name: 'A "quoted" app',
      email: 'app@example.com',
      scopes: ['READ_PRODUCTS', 'WRITE_CUSTOMERS'],
    });
    expect(Math.abs(answer.addedDate! - before)).toBeLessThan(10_000);
    expect(await getAuthorizedApp(caller, { ...shared, createdAt: {}, updatedAt: {}, deleted: {} })).toEqual({
      ...common,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      deleted: false,
    });
  });

  it('answer null for members that were not set', async () => {
    const app = await createApp(withKey(ctx), { input: { name: 'Bare', scopes: [...appScopes] } });
    const answer = await me(as(ctx, app.authorizedAppId));
    expect(answer).toMatchObject({ email: null, salesChannelId: null, supportsMultipleInstallation: false });
    expect(answer.scopes).toEqual(appScopes.map((scope) => scope.toUpperCase()));
    expect(answer.scope).toBe(appScopes.join(','));
  });

  it('return the scopes of the token and those of the app', async () => {
    const app = await createApp(withKey(ctx), {
      input: { name: 'Narrowed', scopes: ['write_products', 'read_customers'] },
    });
    const narrowed = as(ctx, app.authorizedAppId, ['read_products']);
    expect(await me(narrowed)).toMatchObject({ scope: 'read_products', scopes: ['READ_PRODUCTS'] });
    expect(await getAuthorizedApp(narrowed, shared)).toMatchObject({ scope: 'write_products,read_customers' });
  });
});

describe('createApp', () => {
  it("refuses a sales channel that is missing, unknown or another merchant's", async () => {
    const foreign = newId();
    await pipeline(stranger, insert(stranger, salesChannel, [{ id: foreign, name: 'Foreign', type: 'POS' }]));
    for (const salesChannelId of [foreign, newId(), 'x']) {
      await expect(
        createApp(withKey(ctx), { input: { name: 'x', scopes: ['read_products'], salesChannelId } }),
      ).rejects.toMatchObject({
        code: 'NOT_FOUND',
        extensions: { type: 'SalesChannel', ids: [salesChannelId] },
      });
    }
  });

  it('refuses an unknown merchant', async () => {
    const merchantId = newId();
    const created = createApp({ ...withKey(ctx), merchantId }, { input: { name: 'x', scopes: ['read_products'] } });
    await expect(created).rejects.toMatchObject({
      code: 'NOT_FOUND',
      extensions: { type: 'Merchant', ids: [merchantId] },
    });
  });

  it('names the invalid member', async () => {
    const created = createApp(withKey(ctx), { input: { name: ' ', scopes: ['read_everything' as never] } });
    await expect(created).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
      extensions: { issues: [{ path: ['input', 'name'] }, { path: ['input', 'scopes', 0] }] },
    });
    await expect(createApp(withKey(ctx), { input: { name: 'x', scopes: [] } })).rejects.toMatchObject({
      code: 'ARGUMENT_VALIDATION_ERROR',
    });
  });
});

describe('listApps', () => {
  it("lists the merchant's own apps, revoked ones too, and no secret", async () => {
    const own = await createContext(database.db);
    const apps = [];
    for (const name of ['first', 'second'])
      apps.push(await createApp(withKey(own), { input: { name, scopes: ['read_products', 'read_products'] } }));
    await revokeApp(own, apps[0]!);
    const listed = (await listApps(own)).filter(({ name }) => name !== 'Test');
    expect(listed).toEqual([
      {
        authorizedAppId: apps[0]!.authorizedAppId,
        clientId: apps[0]!.clientId,
        name: 'first',
        storeAppId: expect.any(String),
        salesChannelId: null,
        scopes: ['read_products'],
        addedDate: expect.any(Number),
        revokedAt: expect.any(Number),
        deleted: true,
      },
      expect.objectContaining({ name: 'second', revokedAt: null, deleted: false }),
    ]);
  });
});

function as(ctx: Context, authorizedAppId: string, scopes: readonly AppScope[] = appScopes): Context {
  return { ...ctx, session: { ...ctx.session, authorizedAppId, scopes: new Set(scopes) } };
}

function withKey(ctx: Context) {
  return { ...ctx, secretKey };
}
