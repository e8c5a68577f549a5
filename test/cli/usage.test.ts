import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Context } from '../../src/context.ts';
import { coordinatesInVariables } from '../../src/graphql/usage/operation-usage.ts';
import { buildSchema, readSources } from '../../src/graphql/schema/schema.ts';
import { resolvers } from '../../src/resolvers.ts';
import { UsageCounts } from '../../src/usage/usage-counts.ts';
import { writeUsage } from '../../src/usage/write-usage.ts';
import { runCommand } from '../support/command.ts';
import { createContext } from '../support/context.ts';
import { preparedOperation } from '../support/execute.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type Finished, run } from '../support/process.ts';

// Some commands are separate processes, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 120_000 });

const STOCK = 'query Stock($type: StringFilterInput) { listProduct(id: $type) { data { totalStock } } }';
const today = new Date().toISOString().slice(0, 10);

let database: TestDatabase;
let one: Context;
let other: Context;
beforeAll(async () => {
  database = await createDatabase();
  [one, other] = [await createContext(database.db), await createContext(database.db)];
  const schema = buildSchema(readSources(), resolvers);
  const counts = new UsageCounts();
  const used = preparedOperation(schema, parse(STOCK), 'Stock').usage;
  const given = coordinatesInVariables(used, { type: { eq: 'x' } });
  counts.count(one.session, used, given);
  counts.count(one.session, used, []);
  counts.count(other.session, used, given);
  await writeUsage(database, counts);
});
afterAll(() => database.drop());

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, SECRET_KEY: randomBytes(32).toString('hex') };
}

async function usage(...args: string[]): Promise<Finished> {
  return await runCommand(['usage', ...args], environment());
}

describe('the command usage', () => {
  it('prints the uses of a field by app and operation, with the texts of the operations', async () => {
    const running = run('src/cli/admin.ts', ['usage', 'Product.totalStock'], environment());
    const { code, stdout, stderr } = await running.finished;
    expect([code, stderr]).toEqual([0, '']);
    const { merchantId, session } = one;
    expect(JSON.parse(stdout)).toMatchObject({ until: today, countedSince: today });
    const report = JSON.parse(stdout) as { uses: object[]; operations: object[] };
    const operation = expect.stringMatching(/^[0-9a-f]{16}$/) as string;
    const { authorizedAppId } = session;
    expect(report.uses).toHaveLength(2);
    expect(report.uses).toContainEqual({
      coordinate: 'Product.totalStock',
      merchantId,
      authorizedAppId,
      appName: 'Test',
      operation,
      requests: 2,
      lastUsedOn: today,
    });
    expect(report.operations).toContainEqual({
      merchantId,
      authorizedAppId,
      operation,
      name: 'Stock',
      text: 'query Stock($type:StringFilterInput){listProduct(id:$type){data{totalStock}}}',
    });
  });

  it('includes the members of a type and the arguments of a field, for one merchant with --merchant', async () => {
    const members = await usage('StringFilterInput', '--merchant', other.merchantId);
    expect(JSON.parse(members.stdout)).toMatchObject({
      uses: [
        { coordinate: 'StringFilterInput', merchantId: other.merchantId, requests: 1 },
        { coordinate: 'StringFilterInput.eq', requests: 1 },
      ],
    });
    const field = JSON.parse((await usage('Query.listProduct')).stdout) as { uses: { coordinate: string }[] };
    expect([...new Set(field.uses.map(({ coordinate }) => coordinate))]).toEqual([
      'Query.listProduct',
      'Query.listProduct(id:)',
    ]);
  });

  it('distinguishes a part that nobody uses, an unknown part and an invalid name', async () => {
    const unused = await usage('Product.id');
    expect([unused.code, JSON.parse(unused.stdout)]).toMatchObject([0, { uses: [], operations: [] }]);
    expect(unused.stderr).toContain(`There are counts since ${today}.`);
    expect((await usage('Product.zzzzzz')).stderr).toBe('Product.zzzzzz is not in the schema of this version.\n');
    expect((await usage('Product.totalStok')).stderr).toBe(
      'Product.totalStok is not in the schema of this version. Did you mean Product.totalStock?\n',
    );
    expect((await usage('Product id')).code).toBe(2);
    expect((await usage('--days', '41')).code).toBe(2);
    expect((await usage('--merchant', randomUUID())).code).toBe(1);
  });

  it.skipIf(!existsSync('/usr/bin/script'))(
    'shows sums of all apps on a terminal, and for a field each app',
    async () => {
      const env = { ...process.env, ...environment() };
      const command = 'node src/cli/admin.ts usage';
      const shown = await promisify(execFile)(
        'script',
        ['-qec', `${command} && ${command} Product.totalStock`, '/dev/null'],
        {
          env,
        },
      );
      const lines = shown.stdout.split('\r\n').map((line) => line.split(/ {2,}/));
      expect(lines).toContainEqual(['Product.totalStock', '2', '3', today]);
      const { merchantId, session } = one;
      const use = ['Product.totalStock', 'Test', session.authorizedAppId, merchantId, 'Stock', '2', today];
      expect(lines).toContainEqual(use);
    },
  );
});
