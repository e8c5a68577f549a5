import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchangeSignInCode } from '../../src/app/credentials/sign-in-code.ts';
import { createMerchant } from '../../src/merchant/create-merchant.ts';
import { runCommand } from '../support/command.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';

let database: TestDatabase;
let env: Record<string, string>;
let merchantIds: string[];
beforeAll(async () => {
  database = await createDatabase();
  env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex'), PUBLIC_URL: 'https://shop.example' };
  const input = { email: 'owner@example.com', firstName: 'Ada', lastName: 'L' };
  merchantIds = [];
  for (let count = 0; count < 2; count++) merchantIds.push((await createMerchant(database, { input })).merchantId);
});
afterAll(() => database.drop());

const command = async (...args: string[]) => await runCommand(['console', ...args], env);
const link = async (...args: string[]) => linkIn(await command(...args));

function linkIn({ stdout, code }: Finished): { merchantId: string; base: string; code: string } {
  expect(code).toBe(0);
  const { merchantId, url } = JSON.parse(stdout) as { merchantId: string; url: string };
  const [base, fragment] = url.split('#') as [string, string];
  return { merchantId, base, code: fragment.replace(/^code=/, '') };
}

describe('commerce console', () => {
  it('prints a link whose code is exchanged for a token of the console, which is one app', async () => {
    const first = linkIn(await run('src/cli/admin.ts', ['console'], env).finished);
    const second = await link('--read-only', '--url', 'http://localhost:9999/');
    expect([first.base, second.base]).toEqual(['https://shop.example/console', 'http://localhost:9999/console']);
    expect([first.merchantId, second.merchantId]).toEqual([merchantIds[0], merchantIds[0]]);
    const { scopes } = await exchangeSignInCode(database, first.code);
    expect(scopes).toEqual(expect.arrayContaining(['read_products', 'write_webhooks', 'write_apps']));
    expect(scopes).not.toContain('write_products');
    const readOnly = await exchangeSignInCode(database, second.code);
    expect(readOnly.scopes.filter((scope) => scope.startsWith('write_'))).toEqual([]);
    expect(await database.owner.execute('select name from authorized_app')).toEqual([{ name: 'Console' }]);
  });

  it('has scopes to take changes back only with --revert, also for a console that was authorized before', async () => {
    const [first, taking] = [await link(), await link('--revert')];
    const writes = ['write_customers', 'write_inventories', 'write_products'];
    const granted = async ({ code }: { code: string }) => (await exchangeSignInCode(database, code)).scopes;
    expect((await granted(first)).filter((scope) => writes.includes(scope))).toEqual([]);
    expect((await granted(taking)).filter((scope) => writes.includes(scope)).toSorted()).toEqual(writes);
    const [app] = await database.owner.execute<{ scopes: string[] }>(
      'select to_json(scopes) as scopes from authorized_app',
    );
    expect(app!.scopes).toEqual(expect.arrayContaining(writes));
    expect((await granted(await link())).filter((scope) => writes.includes(scope))).toEqual([]);
    const { code, stderr } = await command('--revert', '--read-only');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--read-only')]);
  });

  it('signs in to the merchant of --merchant, and refuses an unknown id', async () => {
    expect(await link('--merchant', merchantIds[1]!)).toMatchObject({ merchantId: merchantIds[1] });
    expect((await command('--merchant', 'nobody')).code).toBe(1);
    for (const address of ['javascript:alert(1)', 'https://shop.example/?page=1', 'https://shop.example/#top']) {
      const { code, stderr } = await command('--url', address);
      expect([code, stderr]).toEqual([2, expect.stringContaining('must begin with')]);
    }
  });
});
