import { createSecretKey } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createConsoleCode } from '../../src/app/console-code.ts';
import { exchangeSignInCode } from '../../src/app/credentials/sign-in-code.ts';
import { findAppId } from '../../src/cli/database/find-merchant.ts';
import type { Context } from '../../src/context.ts';
import { createContext } from '../support/context.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const secretKey = createSecretKey(Buffer.alloc(32));

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const signIn = async (ctx: Context) =>
  await exchangeSignInCode(ctx, await createConsoleCode({ ...ctx, secretKey }, { isReadOnly: true }));

async function deleteConsole(ctx: Context): Promise<string> {
  const [deleted] = await database.db.execute<{ id: string }>(sql`
    update authorized_app set deleted = true
    where merchant_id = ${ctx.merchantId} and store_app_id = 'console' returning id`);
  return deleted!.id;
}

it('signs in to a new console if plain SQL deleted the app of the former one', async () => {
  const ctx = await createContext(database.db);
  await signIn(ctx);
  await deleteConsole(ctx);
  expect(await signIn(ctx)).toMatchObject({ accessToken: expect.any(String) });
});

it('is found by its name beside a console that plain SQL deleted', async () => {
  const ctx = await createContext(database.db);
  await signIn(ctx);
  const deleted = await deleteConsole(ctx);
  await signIn(ctx);
  expect(await findAppId(ctx, 'console')).not.toBe(deleted);
});
