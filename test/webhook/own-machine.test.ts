import { type ChildProcess, spawn } from 'node:child_process';
import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDemo } from '../../src/demo/create-demo.ts';
import { issueDemoToken } from '../../src/demo/issue-demo-token.ts';
import { type Block, blocksOf } from '../docs/blocks.ts';
import { skipOnCluster } from '../support/cluster.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { createDataDir, type DataDir } from '../support/process.ts';
import { post } from '../support/post.ts';
import { shell } from '../support/programs.ts';
import { freePort } from '../support/free-port.ts';

// The service, the receiver and the command are processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const THIS_TEST = 'test/webhook/own-machine.test.ts';
const ARRIVAL = { timeout: 40_000 };
const IN_REPOSITORY = ['package.json', 'node_modules', 'src', 'drizzle', 'migrations', 'schema', 'examples', 'docs'];
const SAVE_PRODUCT =
  'mutation ($name: String!) { saveProduct(input: { name: $name, type: PHYSICAL, variants: [{ prices: [{ sellPrice: 1 }] }] }) { id } }';

type Running = { child: ChildProcess; output: () => string };

let database: TestDatabase;
let folder: DataDir;
let environment: Record<string, string>;
let ports: { service: number; receiver: number };
let token: string;
const running: Running[] = [];

beforeAll(async () => {
  [database, folder] = await Promise.all([createDatabase(), createDataDir()]);
  const secretKey = randomBytes(32);
  await createDemo({ ...database, secretKey: createSecretKey(secretKey) });
  token = (await issueDemoToken(database))!.accessToken;
  environment = { DATABASE_URL: database.url, SECRET_KEY: secretKey.toString('hex'), DATA_DIR: folder.path };
  ports = { service: await freePort(), receiver: await freePort() };
  for (const name of IN_REPOSITORY) await symlink(resolve(name), join(folder.path, name));
  const receiver = blocksOf('docs/webhooks.md').find(({ language }) => language === 'js')!;
  await writeFile(join(folder.path, 'receiver.mjs'), receiver.text);
});
afterAll(async () => {
  for (const { child } of running) await end(child, 'SIGTERM');
  await Promise.all([database.drop(), folder.remove()]);
});

/** The examples of the section, with the ports of the test. */
function examples(): string[] {
  return blocksOf('docs/webhooks.md')
    .filter(({ runBy }: Block) => runBy === THIS_TEST)
    .map(({ text }) =>
      text
        .replaceAll(':4000/', `:${ports.service}/`)
        .replaceAll(':3000/', `:${ports.receiver}/`)
        .replaceAll('PORT=3000', `PORT=${ports.receiver}`),
    );
}

/** Runs commands as a terminal does, with the port of the service in the environment, as in `.env`. */
function start(commands: string): Running {
  const env = { ...process.env, ...environment, PORT: String(ports.service), PATH: path() };
  const child = spawn('bash', ['-euc', commands], { cwd: folder.path, env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const started = { child, output: () => output };
  running.push(started);
  return started;
}

function path(): string {
  return `${resolve('node_modules/.bin')}:${process.env['PATH']}`;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  process.kill(-child.pid!, signal);
  await closed;
}

async function saveProduct(name: string): Promise<void> {
  const url = `http://127.0.0.1:${ports.service}/api/v1/admin/graphql`;
  const { body } = await post(url, { query: SAVE_PRODUCT, variables: { name } }, { token });
  expect(body.errors).toBeUndefined();
}

it('a receiver on the own machine works as the page says', async (test) => {
  skipOnCluster(test, 'its test files share a merchant, whose products would be sent too');
  const [create, receive, listenTo, serve, register] = examples() as [string, string, string, string, string];
  const service = start(serve);
  await expect.poll(service.output, ARRIVAL).toContain('ready');
  const receiver = start(`${create}\ndeclare -p CLIENT_ID CLIENT_SECRET > app.sh\n${receive}\nwait`);
  await expect.poll(receiver.output, ARRIVAL).toContain('listening');

  const listening = start(`. ./app.sh\nexec ${listenTo.trim()}`);
  await expect.poll(listening.output, ARRIVAL).toContain('End with Ctrl-C.');
  await saveProduct('Listened to');
  await expect.poll(receiver.output, ARRIVAL).toContain("name: 'Listened to'");
  await expect.poll(listening.output, ARRIVAL).toContain('"statusCode":200');
  // npm ends by the signal itself: test/cli/webhook-listen.test.ts has the exit code of the command.
  await end(listening.child, 'SIGINT');
  expect(listening.output()).not.toMatch(/^(?:npm )?error|^ {4}at /im);

  const env = { ...process.env, ...environment, PATH: path() };
  const { stdout } = await shell('bash', ['-euc', `. ./app.sh\n${register}`], { cwd: folder.path, env });
  const webhook = { endpoint: `http://127.0.0.1:${ports.receiver}/`, status: 'ACTIVE' };
  const scopes = ['store/product/created', 'store/product/updated'];
  expect(JSON.parse(stdout)).toMatchObject({ data: { saveWebhook: scopes.map((scope) => ({ ...webhook, scope })) } });
  await saveProduct('Registered for');
  await expect.poll(receiver.output, ARRIVAL).toContain("name: 'Registered for'");
  expect(receiver.output().match(/^store\/product\/created 1/gm)).toHaveLength(2);
});
