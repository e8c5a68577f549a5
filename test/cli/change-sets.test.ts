import { createSecretKey, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appRevoke } from '../../src/cli/app/revoke.ts';
import { appCreate } from '../../src/cli/app/create.ts';
import { appRotateSecret } from '../../src/cli/app/rotate-secret.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { runCommand } from '../support/command.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createContext } from '../support/context.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

type Recorded = { operation: string | null; role: string | null; kind: string };

async function changes(merchantId: string, recordType: string): Promise<Recorded[]> {
  return await database.owner.execute<Recorded>(sql`
    select s.operation, s.database_role as role, c.kind from change c
    join change_set s on s.merchant_id = c.merchant_id and s.id = c.change_set_id
    where c.merchant_id = ${merchantId} and c.record_type = ${recordType} order by c.id`);
}

async function commerceOf(): Promise<{ merchantId: string; commerce: (...args: string[]) => Promise<any> }> {
  const { merchantId } = await createContext(database.db);
  const env = { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
  const commerce = async (...args: string[]): Promise<any> => {
    const { code, stdout } = await runCommand([...args, '--merchant', merchantId], env);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  return { merchantId, commerce };
}

it('names the commands that change apps', async () => {
  const { merchantId, commerce } = await commerceOf();
  const { authorizedAppId } = await commerce('app', 'create', '--name', 'Command');
  await commerce('app', 'rotate-secret', authorizedAppId, '--overlap', '1h');
  await commerce('app', 'revoke', authorizedAppId);
  const found = (await changes(merchantId, 'AUTHORIZED_APP')).slice(-3);
  expect(found.map(({ operation, role }) => [operation, role])).toEqual([
    [`commerce app ${appCreate().name()}`, null],
    [`commerce app ${appRotateSecret().name()}`, null],
    [`commerce app ${appRevoke().name()}`, null],
  ]);
});

it('names the command that authorizes the console, and gives it more scopes', async () => {
  const { merchantId, commerce } = await commerceOf();
  await commerce('console');
  await commerce('console', '--revert');
  expect((await changes(merchantId, 'AUTHORIZED_APP')).slice(-2)).toEqual([
    { operation: 'commerce console', role: null, kind: 'CREATED' },
    { operation: 'commerce console', role: null, kind: 'UPDATED' },
  ]);
});

it('names the command that makes the demo shop, with one change set for all its records', async () => {
  const secretKey = createSecretKey(randomBytes(32));
  const { merchantId, created } = await createDemo({ db: database.db, across: database.across, secretKey });
  expect(created).toBe(true);
  for (const recordType of ['AUTHORIZED_APP', 'PRICE_LIST', 'STOCK_LOCATION', 'SALES_CHANNEL'])
    expect(await changes(merchantId, recordType)).toEqual([
      { operation: 'commerce demo', role: null, kind: 'CREATED' },
    ]);
  const [sets] = await database.owner.execute<{ n: number }>(
    sql`select count(*)::int as n from change_set where merchant_id = ${merchantId}`,
  );
  expect(sets!.n).toBe(1);
});
