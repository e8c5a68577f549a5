import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApp } from '../../src/app/revoke-app.ts';
import { createDemo } from '../../src/demo/create-demo.ts';
import { issueDemoToken } from '../../src/demo/issue-demo-token.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir, type RunningService, startMain } from '../support/process.ts';
import { isInstalled } from '../support/programs.ts';
import { blocksOf, kindOf, kinds, pages } from './blocks.ts';
import { PageRun, PROGRAMS } from './page-run.ts';

/** Hosts in the examples. The test replaces them by a server that sends a picture and accepts pushes. */
const OTHER_HOSTS = ['https://example.com', 'https://receiver.example'];
const PICTURE = 'examples/pictures/linen-tee.webp';
const ALLOWED = ['WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_PRIVATE', 'IMAGE_ALLOW_HTTP', 'IMAGE_ALLOW_PRIVATE'];
/** Paths of tests in the reasons of `not run` and `run by`. */
const TEST_PATH = /test\/[\w/-]+(?:\.test\.ts)?/g;
const README_URL = 'http://127.0.0.1:4000';

const all = pages()
  .map((page) => ({ page, blocks: blocksOf(page) }))
  .filter(({ blocks }) => blocks.length > 0);
const missingPrograms: Record<string, string> = {};

let database: TestDatabase;
let dataDir: DataDir;
let service: RunningService;
let otherHost: Server;
let environment: Record<string, string>;
let token: string;
beforeAll(async () => {
  [database, dataDir, otherHost] = await Promise.all([createDatabase(), createDataDir(), startOtherHost()]);
  const secretKey = randomBytes(32);
  await createOwnDemo(createSecretKey(secretKey));
  token = (await issueDemoToken(database))!.accessToken;
  const allowed = Object.fromEntries(ALLOWED.map((name) => [name, 'true']));
  environment = { DATABASE_URL: database.url, SECRET_KEY: secretKey.toString('hex'), DATA_DIR: dataDir.path };
  service = await startMain({ ...environment, ...allowed });
  for (const [language, { program, packageName }] of Object.entries(PROGRAMS))
    if (!(await isInstalled(program)))
      missingPrograms[language] = `${program} is not installed (Debian's package ${packageName})`;
});
afterAll(async () => {
  await service.stop();
  otherHost.close();
  await Promise.all([database.drop(), dataDir.remove()]);
});

describe('the examples', () => {
  it.each(all)('of $page run, and get the answers that the page shows', async ({ page, blocks }) => {
    const executed = blocks.map((block) => kindOf(block) === 'executed' && !missingPrograms[block.language]);
    const folder = join(dataDir.path, page.replaceAll(/\W/g, '-'));
    await mkdir(folder);
    const run = await PageRun.begin({ page, folder, url: service.url, token, environment, addresses: addresses() });
    const problems: string[] = [];
    for (const [index, block] of blocks.entries()) {
      if (!executed[index]) continue;
      const found = await run.problems(block, blocks[index + 1]);
      problems.push(...found.map((problem) => `${page}:${block.line}: ${problem}`));
    }
    expect(problems).toEqual([]);
  });

  it('are all executed, here or in a test that they name, or have a reason why not', () => {
    const blocks = all.flatMap((page) => page.blocks);
    const counts = kinds.map((kind) => `${blocks.filter((block) => kindOf(block) === kind).length} ${kind}`);
    const reasons = blocks.flatMap(({ page, line, notRun }) => (notRun ? [`${page}:${line}: not run: ${notRun}`] : []));
    const skipped = Object.entries(missingPrograms).map(([language, reason]) => `${language}: skipped: ${reason}`);
    console.log([`${blocks.length} blocks: ${counts.join(', ')}`, ...reasons, ...skipped].join('\n'));
    const named = blocks.flatMap(({ runBy, notRun }) => (runBy ?? notRun ?? '').match(TEST_PATH) ?? []);
    expect(named.filter((test) => !existsSync(test))).toEqual([]);
    expect(blocks.filter((block) => kindOf(block) === 'executed').length).toBeGreaterThan(20);
  });
});

/** On a cluster all test files share a database, and the secret of another file's demo app has another key. */
async function createOwnDemo(secretKey: KeyObject): Promise<void> {
  const { created, merchantId, authorizedAppId } = await createDemo({ ...database, secretKey });
  if (created) return;
  await revokeApp({ db: database.db, merchantId }, { authorizedAppId });
  await createDemo({ ...database, secretKey });
}

function addresses(): Map<string, string> {
  const { port } = otherHost.address() as AddressInfo;
  return new Map([
    [README_URL, service.url],
    ...OTHER_HOSTS.map((host) => [host, `http://127.0.0.1:${port}`] as const),
  ]);
}

async function startOtherHost(): Promise<Server> {
  const picture = await readFile(PICTURE);
  const server = createServer((request, response) => response.end(request.method === 'GET' ? picture : 'OK'));
  return await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
