import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { isLoopbackHost } from '../../src/cli/webhook/listen/loopback.ts';
import { post } from '../support/post.ts';
import { type Finished, run, type RunningProcess } from '../support/process.ts';
import { startTestService, type TestService } from '../support/whole-service.ts';

// Each command is a separate process, and CI has two cores for all of them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const PROGRAM = 'src/cli/admin.ts';
const ARRIVAL = { timeout: 20_000 };
const SAVE_CUSTOMER = 'mutation ($name: String!) { saveCustomer(input: { firstName: $name }) { id } }';

type Received = { headers: Record<string, unknown>; body: string };
type Line = { id: string; scope: string; recordId: string; statusCode: number | null; error: string | null };
type App = Awaited<ReturnType<TestService['createApp']>>;

let service: TestService;
let app: App;
let receiver: Server;
let endpoint: string;
let received: Received[];
let answer: { status: number; text: string };
let command: RunningProcess | null = null;

beforeAll(async () => {
  service = await startTestService({}, 'all', { webhook: { allowHttp: true, allowPrivate: true } });
  app = await service.createApp(['write_customers', 'read_products']);
  receiver = await listenWith(async (request, response) => {
    received.push({ headers: request.headers, body: (await buffer(request)).toString() });
    response.writeHead(answer.status).end(answer.text);
  });
  endpoint = `${addressOf(receiver)}/webhooks`;
});
afterAll(async () => {
  receiver.close();
  await service.stop();
});
beforeEach(() => {
  received = [];
  answer = { status: 200, text: '' };
});
afterEach(async () => {
  await interrupt();
});

async function listenWith(answerTo: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => void answerTo(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function start(args: string[], credentials: Partial<Record<'CLIENT_ID' | 'CLIENT_SECRET', string>> = {}) {
  const env = { CLIENT_ID: app.clientId, CLIENT_SECRET: app.clientSecret, ...credentials };
  return run(PROGRAM, ['webhook', 'listen', ...args], env);
}

/** Starts the command, and resolves when it has begun to listen. */
async function listen(url = service.url, ...args: string[]): Promise<RunningProcess> {
  command = start(['--forward-to', endpoint, '--url', url, ...args]);
  await expect.poll(() => command!.stderr(), ARRIVAL).toContain('End with Ctrl-C');
  return command;
}

async function interrupt(): Promise<Finished | null> {
  const running = command;
  command = null;
  running?.child.kill('SIGINT');
  return (await running?.finished) ?? null;
}

async function saveCustomer(name: string): Promise<string> {
  const { body } = await post(service.graphqlUrl, { query: SAVE_CUSTOMER, variables: { name } }, { token: app.token });
  return (body.data!['saveCustomer'] as { id: string }).id;
}

function lines(running: RunningProcess): Line[] {
  return running
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

describe('commerce webhook listen', () => {
  it('sends each event once, signed, and prints the answers; ends with 0, and nothing is left in the database', async () => {
    await saveCustomer('Before');
    const listening = await listen();
    const first = await saveCustomer('First');
    await expect.poll(() => lines(listening), ARRIVAL).toHaveLength(1);
    answer = { status: 500, text: 'no\ntable' };
    const second = await saveCustomer('Second');
    await expect.poll(() => lines(listening), ARRIVAL).toHaveLength(2);
    const library = new Webhook(`whsec_${Buffer.from(app.clientSecret).toString('base64')}`);
    for (const { body, headers } of received)
      expect(library.verify(body, headers as Record<string, string>)).toMatchObject({
        authorizedAppId: app.authorizedAppId,
      });
    const scope = 'store/customer/created';
    expect(lines(listening)).toMatchObject([
      { scope, recordId: first, statusCode: 200, error: null },
      { scope, recordId: second, statusCode: 500, error: 'status 500', responseBody: 'no\ntable' },
    ]);
    const ended = await interrupt();
    expect([ended!.code, ended!.signal, received.length]).toEqual([0, null, 2]);
    for (const table of ['webhook', 'webhook_delivery', 'webhook_record'])
      expect(await service.owner.execute(sql`select 1 from ${sql.identifier(table)}`)).toEqual([]);
  });

  it('sends what a registered webhook sends', async () => {
    const scopes = ['store/customer/created'];
    await listen(service.url, '--scopes', scopes.join());
    const query = 'mutation ($input: WebhookInput!) { saveWebhook(input: $input) { id } }';
    await post(service.graphqlUrl, { query, variables: { input: { endpoint, scopes } } }, { token: app.token });
    await saveCustomer('Both "ü"');
    await expect.poll(() => received, ARRIVAL).toHaveLength(2);
    const [one, other] = received.map(({ headers, body }) => {
      const { id: _, createdAt: __, ...members } = JSON.parse(body) as Record<string, unknown>;
      const { 'content-length': ___, ...others } = headers;
      return { members, names: Object.keys(others).toSorted(), order: Object.keys(JSON.parse(body) as object) };
    });
    expect(one).toEqual(other);
    const deletion = 'mutation { deleteWebhook(scopes: ["store/customer/created"]) }';
    await post(service.graphqlUrl, { query: deletion }, { token: app.token });
  });

  it('goes on with the events that it missed while the service did not answer, or its token had ended', async () => {
    let failure: number | null = null;
    const proxy = await listenWith(async (request, response) => {
      const body = await buffer(request);
      if (failure !== null) return void response.writeHead(failure).end();
      const headers = request.headers as Record<string, string>;
      const { status, text } = await forward(`${service.url}${request.url}`, headers, body);
      response.writeHead(status, { 'content-type': 'application/json', date: new Date().toUTCString() }).end(text);
    });
    const listening = await listen(addressOf(proxy));
    failure = 503;
    await expect.poll(() => listening.stderr(), ARRIVAL).toContain('answers 503. Trying again until it answers.');
    const missed = await saveCustomer('Missed');
    failure = null;
    await expect.poll(() => lines(listening).map(({ recordId }) => recordId), ARRIVAL).toEqual([missed]);
    await service.owner.execute(sql`delete from access_token`);
    app = { ...app, token: await newToken() };
    const later = await saveCustomer('Later');
    await expect.poll(() => lines(listening).map(({ recordId }) => recordId), ARRIVAL).toEqual([missed, later]);
    expect((await interrupt())!.code).toBe(0);
    proxy.close();
  });

  it.each([
    'http://192.168.1.5/hook',
    'https://example.com/hook',
    'http://localhost.example.com/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.0.0.1:5432/',
    'http://user:password@127.0.0.1:3000/',
    'ftp://127.0.0.1/',
    '3000',
  ])('does not send to %s', async (address) => {
    const { code, stdout, stderr } = await start(['--forward-to', address, '--url', service.url]).finished;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: option '--forward-to <url>' must /);
  });

  it.each([
    [['--forward-to', 'http://localhost:3000'], { CLIENT_SECRET: '' }, 2, 'CLIENT_SECRET'],
    [[], {}, 2, "required option '--forward-to <url>'"],
    [['--url', 'localhost'], {}, 2, 'http://'],
    [['--forward-to', 'http://localhost:3000'], { CLIENT_SECRET: 'wrong' }, 1, 'No token: '],
    [
      ['--forward-to', 'http://localhost:3000', '--scopes', 'store/stock/created'],
      {},
      1,
      'read_inventories is required',
    ],
    [['--forward-to', 'http://localhost:3000', '--scopes', 'store/order/created'], {}, 1, 'There is no webhook scope'],
    [['--forward-to', 'http://localhost:3000', '--url', 'http://127.0.0.1:2'], {}, 1, 'cannot be reached'],
  ] as [string[], object, number, string][])(
    '%j %j ends with %i and says why',
    async (args, credentials, code, text) => {
      const url = args.includes('--url') ? [] : ['--url', service.url];
      const ended = await start([...args, ...url], credentials).finished;
      expect([ended.code, ended.stdout]).toEqual([code, '']);
      expect(ended.stderr).toContain(text);
      expect(ended.stderr).not.toMatch(/^ {4}at /m);
    },
  );
});

it.each([
  ['127.0.0.1', true],
  ['127.255.0.9', true],
  ['[::1]', true],
  ['localhost', true],
  ['128.0.0.1', false],
  ['0.0.0.0', false],
  ['[::]', false],
  ['[::ffff:7f00:1]', false],
  ['a.localhost', false],
  ['example.com', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isLoopbackHost(host)).toBe(expected);
});

async function forward(url: string, headers: Record<string, string>, body: Buffer) {
  const { authorization = '', 'content-type': type = '' } = headers;
  const sent = { 'content-type': type, ...(authorization === '' ? {} : { authorization }) };
  const response = await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
}

async function newToken(): Promise<string> {
  const { clientId, clientSecret } = app;
  const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${service.url}/api/admin/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(grant),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}
