import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSession, openSessionCache } from '../../../src/app/credentials/access-token.ts';
import { createSignInCode, exchangeSignInCode } from '../../../src/app/credentials/sign-in-code.ts';
import { createApp, type NewApp } from '../../../src/app/create-app.ts';
import { revokeApp } from '../../../src/app/revoke-app.ts';
import type { AppScope } from '../../../src/app-scope.ts';
import type { Context } from '../../../src/context.ts';
import { inTransaction } from '../../../src/db/connection/transaction.ts';
import { createContext } from '../../support/context.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { waitForLocks } from '../../support/wait-for-locks.ts';

const refused = { code: 'invalid_grant' };
const scopes: AppScope[] = ['read_products'];

let database: TestDatabase;
let own: Context;
let app: NewApp;
beforeAll(async () => {
  database = await createDatabase();
  own = await createContext(database.db);
  app = await newApp();
});
afterAll(() => database.drop());

describe('a sign-in code', () => {
  it('is exchanged for one token of its app with its scopes', async () => {
    const issued = await exchangeSignInCode(own, await newCode());
    expect(issued).toMatchObject({ expiresInS: 14_400, scopes });
    expect(await findSession({ db: own.db, sessions: openSessionCache() }, issued.accessToken)).toEqual({
      merchantId: own.merchantId,
      authorizedAppId: app.authorizedAppId,
      scopes: new Set(scopes),
      language: 'en',
      hasDynamicPriceLists: false,
      hasAutomatedCategories: false,
    });
  });

  it('works once, also for requests at the same time', async () => {
    const code = await newCode();
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, async () => await exchangeSignInCode(own, code)),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(refused);
    await expect(exchangeSignInCode(own, code)).rejects.toMatchObject(refused);
  });

  it('expires after five minutes, and is removed with the next one', async () => {
    const code = await newCode();
    const [stored] = await codes();
    expect(stored!.secondsLeft).toBeGreaterThan(290);
    // The clock of a virtual machine may be set back a little between two statements.
    expect(stored!.secondsLeft).toBeLessThan(301);
    await database.db.execute(sql`
      update sign_in_code set expires_at = now() - interval '1 second' where merchant_id = ${own.merchantId}`);
    await expect(exchangeSignInCode(own, code)).rejects.toMatchObject(refused);
    await newCode();
    expect(await codes()).toHaveLength(1);
  });

  it('is stored as a hash only', async () => {
    const code = await newCode();
    const stored = JSON.stringify(await codes());
    for (const secret of [code, code.split('.')[1]!]) expect(stored).not.toContain(secret);
    expect(Buffer.from(code.split('.')[1]!, 'base64url')).toHaveLength(32);
  });

  it('becomes invalid when its app is revoked', async () => {
    const revoked = await newApp();
    const code = await newCode(revoked);
    await revokeApp(own, revoked);
    await expect(exchangeSignInCode(own, code)).rejects.toMatchObject(refused);
  });

  it('is refused when its app is revoked while it is exchanged', async () => {
    const revoked = await newApp();
    const code = await newCode(revoked);
    let exchanged: Promise<unknown> | undefined;
    await inTransaction(own, async (ctx) => {
      // The rest of a revocation deletes the tokens that it sees, which are not those of the exchange.
      await ctx.db.execute(sql`
        update authorized_app set revoked_at = now(), deleted = true
        where merchant_id = ${own.merchantId} and id = ${revoked.authorizedAppId}`);
      exchanged = exchangeSignInCode(own, code).catch((error: unknown) => error);
      await waitForLocks(database.owner, 1);
    });
    expect(await exchanged).toMatchObject(refused);
  });

  it.each(['', 'x', 'x'.repeat(100_000), `${'A'.repeat(22)}.${'A'.repeat(43)}`, "'; drop table sign_in_code; --"])(
    'that was never issued is refused like a used one: %.40s',
    async (code) => {
      await expect(exchangeSignInCode(own, code)).rejects.toMatchObject(refused);
    },
  );

  it('does not work for another merchant', async () => {
    const other = await createContext(database.db);
    const code = await newCode();
    const random = code.split('.')[1]!;
    const prefix = Buffer.from(other.merchantId.replaceAll('-', ''), 'hex').toString('base64url');
    await expect(exchangeSignInCode(own, `${prefix}.${random}`)).rejects.toMatchObject(refused);
    await expect(exchangeSignInCode(own, code)).resolves.toMatchObject({ scopes });
  });
});

async function newApp(): Promise<NewApp> {
  const secretKey = createSecretKey(randomBytes(32));
  return await createApp({ ...own, secretKey }, { input: { name: 'Console', scopes: ['write_products'] } });
}

async function newCode({ authorizedAppId } = app): Promise<string> {
  return await createSignInCode(own, { authorizedAppId, scopes });
}

async function codes() {
  return await database.db.execute<{ secondsLeft: number }>(sql`
    select *, extract(epoch from expires_at - now())::float8 as "secondsLeft" from sign_in_code
    where merchant_id = ${own.merchantId} and expires_at > now() - interval '1 minute' order by expires_at desc`);
}
