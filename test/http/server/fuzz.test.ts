import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broken, findBroken } from '../../../src/cli/references/find-broken.ts';
import type { AcrossContext } from '../../../src/db/connection/across-merchants.ts';
import { listMerchants } from '../../../src/merchant/list-merchants.ts';
import { CAMPAIGN_ENVIRONMENT, runCampaign } from '../../fuzz/campaign.ts';
import { openTarget } from '../../fuzz/shop.ts';
import { argumentsOf } from '../../support/arbitrary.ts';
import { createDatabase } from '../../support/database.ts';
import { operations } from '../../support/operation.ts';
import { codes, post } from '../../support/post.ts';
import { createDataDir, startMain } from '../../support/process.ts';
import { startTestService, type TestService } from '../../support/whole-service.ts';

/** For more: FUZZ_RUNS=1000 npx vitest run test/http/server/fuzz.test.ts */
const runs = Number(process.env['FUZZ_RUNS'] ?? 8);
const timeoutMs = 30_000 + runs * 2_000;
/** Two batches. For more: npm run fuzz */
const campaignRequests = 400;
/** Another one in each run. A fault names the seed of its batch: npm run fuzz -- --seed 1 --requests 100 */
const campaignSeed = randomInt(2 ** 31);
const campaignMemoryMib = 700;
const expected = new Set(['ARGUMENT_VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'INVALID_SCOPE']);

let service: TestService;
let token: string;
const ids: string[] = [];

beforeAll(async () => {
  service = await startTestService();
  ({ token } = await service.createApp());
  for (const [name, input] of [
    ['saveProductBrand', { name: 'Brand' }],
    ['saveProductTag', { name: 'Tag' }],
    ['saveCategory', { name: 'Category' }],
  ] as const) {
    const { body } = await post(
      service.graphqlUrl,
      {
        query: `mutation ($input: ${name.replace('save', '')}Input!) { ${name}(input: $input) { id } }`,
        variables: { input },
      },
      { token },
    );
    ids.push((body.data![name] as { id: string }).id);
  }
});
afterAll(() => service.stop());

describe('generated requests', () => {
  // docs/reliability-tests.md: 36, 40
  it(
    'cause no 5xx, reveal nothing internal, and leave no unexpected error in the log and no damage in the tables',
    { timeout: 600_000 },
    async () => {
      const [database, dataDir] = await Promise.all([createDatabase(), createDataDir()]);
      const process = await startMain({
        DATABASE_URL: database.url,
        SECRET_KEY: '0'.repeat(64),
        DATA_DIR: dataDir.path,
        ...CAMPAIGN_ENVIRONMENT,
      });
      try {
        const target = await openTarget(process.url, database.db);
        const report = await runCampaign(target, process, {
          seed: campaignSeed,
          requests: campaignRequests,
          connections: 4,
        });
        expect(report.faults).toEqual([]);
        expect(report.sent).toBe(campaignRequests);
        expect(await brokenRows(database)).toEqual([]);
        expect(Math.max(...report.residentMib)).toBeLessThan(campaignMemoryMib);
        // Enough requests must be executed, or the test would check only refusals.
        expect(report.codes['none']! + (report.codes['NOT_FOUND'] ?? 0)).toBeGreaterThan(campaignRequests / 10);
      } finally {
        expect((await process.stop()).code).toBe(0);
        await database.drop();
        await dataDir.remove();
      }
    },
  );
});

describe('for any arguments of a client', () => {
  // docs/reliability-tests.md: 46, 47
  it.each([...operations.keys()])('%s executes it, or names the invalid part', { timeout: timeoutMs }, async (name) => {
    const { kind, field } = operations.get(name)!;
    const declared = field.args.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(', ');
    const passed = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
    const query = `${kind} ${declared && `(${declared})`} { ${name} ${passed && `(${passed})`} ${isLeaf(String(field.type)) ? '' : '{ __typename }'} }`;
    await fc.assert(
      fc.asyncProperty(argumentsOf(field.args, ids), async (variables) => {
        const answer = await post(service.graphqlUrl, { query, variables }, { token });
        expect(answer.status).toBe(200);
        expect(codes(answer).filter((code) => !expected.has(String(code)))).toEqual([]);
      }),
      { numRuns: runs, interruptAfterTimeLimit: timeoutMs - 10_000 },
    );
  });

  // docs/reliability-tests.md: 53
  it('leaves no unexpected error in the log', () => {
    const unexpected = service.lines.filter((line) => line.includes('unexpected error'));
    expect(unexpected.map((line) => line.slice(0, 2_000))).toEqual([]);
  });
});

function isLeaf(type: string): boolean {
  return /^\[?(Boolean|String|ID)\b/.test(type);
}

/** The findings of `admin doctor --references`. */
async function brokenRows({ db, across }: AcrossContext): Promise<Broken[]> {
  const found: Broken[] = [];
  for (const { merchantId } of await listMerchants({ across })) {
    for await (const { broken } of findBroken({ db, merchantId })) found.push(...broken);
  }
  return found;
}
