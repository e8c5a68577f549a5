import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOutbound } from '../../src/outbound/outbound.ts';
import { envelope } from '../../src/webhook/sending/envelope.ts';
import { push } from '../../src/webhook/sending/push.ts';
import { signatureHeaders } from '../../src/webhook/sending/signature.ts';
import { blocksOf } from '../docs/blocks.ts';
import { needs } from '../support/programs.ts';
import { listen } from '../outbound/receiver.ts';

const SECRET = 'client-secret-ğ';
const MINUTE_MS = 60_000;
const DATA = '{"id":"c1","firstName":"Şule \\"S\\" 🛍"}';
const ID = '0199c0de-0000-7000-8000-000000000001';

// The expected results of verifyHeaders and verifyData.
const VERDICTS = {
  genuine: [true, true],
  otherSecret: [false, false],
  unsigned: [false, true],
  stale: [false, true],
  changed: [false, false],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webhook-docs-'));
});

afterAll(() => rm(folder, { recursive: true }));

function snippet(language: string): string {
  return blocksOf('docs/webhooks.md').find((block) => block.language === language)!.text;
}

function bodyOf(id: string, secret = SECRET): string {
  const delivery = {
    id,
    createdAt: new Date(),
    scope: 'store/customer/created',
    merchantId: 'm1',
    authorizedAppId: 'a1',
  };
  return envelope({ ...delivery, sequence: 1, data: DATA }, secret);
}

// docs/reliability-tests.md: 86
test('the Node receiver accepts genuine pushes once, and refuses all others', async () => {
  const { endpoint, receiver, output } = await startReceiver();
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  const send = async (body: string, headers: Record<string, string>): Promise<number | null> =>
    (await push(outbound, { endpoint, body, headers })).statusCode;
  try {
    const body = bodyOf(ID);
    const headers = signatureHeaders(ID, new Date(), body, [SECRET]);
    expect(await send(body, headers)).toBe(200);
    expect(await send(body, signatureHeaders(ID, new Date(), body, [SECRET]))).toBe(200);
    expect(await send(body, { ...headers, 'webhook-signature': `v1,bm9uZQ== ${headers['webhook-signature']}` })).toBe(
      200,
    );

    expect(await send(body, {})).toBe(401);
    expect(await send(body, signatureHeaders(ID, new Date(), body, ['other secret']))).toBe(401);
    expect(await send(body.replace('Şule', 'Veli'), headers)).toBe(401);
    expect(await send(body, { ...headers, 'webhook-id': 'other' })).toBe(401);
    expect(await send(body, { ...headers, 'webhook-timestamp': 'now' })).toBe(401);
    const forgedData = bodyOf(ID, 'other secret');
    expect(await send(forgedData, signatureHeaders(ID, new Date(), forgedData, [SECRET]))).toBe(401);
    for (const shiftMs of [-6 * MINUTE_MS, 6 * MINUTE_MS]) {
      expect(await send(body, signatureHeaders(ID, new Date(Date.now() + shiftMs), body, [SECRET]))).toBe(401);
    }
    expect(output().match(/store\/customer\/created 1/g)).toHaveLength(1);
    expect(output()).toContain('Şule');
  } finally {
    receiver.kill();
    await once(receiver, 'close');
  }
});

test('the Node receiver accepts pushes during a rotation with overlap if it has both secrets', async () => {
  const { endpoint, receiver } = await startReceiver(`new secret,${SECRET}`);
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  try {
    for (const bodySecret of [SECRET, 'new secret', 'other secret']) {
      const body = bodyOf(ID, bodySecret);
      const headers = signatureHeaders(ID, new Date(), body, ['new secret', SECRET]);
      expect((await push(outbound, { endpoint, body, headers })).statusCode).toBe(
        bodySecret === 'other secret' ? 401 : 200,
      );
    }
  } finally {
    receiver.kill();
    await once(receiver, 'close');
  }
});

test('a library of Standard Webhooks verifies a push with the secret in the form that the page describes', () => {
  const body = bodyOf(ID);
  const library = new Webhook(`whsec_${Buffer.from(SECRET).toString('base64')}`);
  expect(library.verify(body, signatureHeaders(ID, new Date(), body, [SECRET]))).toMatchObject({ id: ID, data: DATA });
});

test('the Python functions accept genuine pushes and refuse all others', async (context) => {
  await needs(context, 'python3', 'python3');
  const driver = `
import json, sys
case = json.load(sys.stdin)
body = case["body"].encode()
print(json.dumps([verify_headers(case["headers"], body, case["secret"]), verify_data(json.loads(body), case["secret"])]))
`;
  await writeFile(join(folder, 'verify.py'), snippet('python') + driver);
  expect(verdictsOf('python3', 'verify.py')).toEqual(VERDICTS);
});

test('the PHP functions accept genuine pushes and refuse all others', async (context) => {
  await needs(context, 'php', 'php-cli');
  const driver = `
$case = json_decode(stream_get_contents(STDIN), true);
foreach ($case['headers'] as $name => $value) {
    $_SERVER['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
}
$push = json_decode($case['body'], true);
echo json_encode([verifyHeaders($case['body'], $case['secret']), verifyData($push, $case['secret'])]);
`;
  await writeFile(join(folder, 'verify.php'), snippet('php') + driver);
  expect(verdictsOf('php', 'verify.php')).toEqual(VERDICTS);
});

function verdictsOf(program: string, script: string): Record<keyof typeof VERDICTS, unknown> {
  const body = bodyOf(ID);
  const headers = signatureHeaders(ID, new Date(), body, [SECRET]);
  const stale = signatureHeaders(ID, new Date(Date.now() - 6 * MINUTE_MS), body, [SECRET]);
  const verdict = (given: object): unknown => {
    const input = JSON.stringify({ body, headers, secret: SECRET, ...given });
    return JSON.parse(spawnSync(program, [join(folder, script)], { input }).stdout.toString());
  };
  return {
    genuine: verdict({}),
    otherSecret: verdict({ secret: 'other' }),
    unsigned: verdict({ headers: {} }),
    stale: verdict({ headers: stale }),
    changed: verdict({ body: body.replace('Şule', 'Veli') }),
  };
}

async function startReceiver(
  clientSecret = SECRET,
): Promise<{ endpoint: string; receiver: ChildProcess; output: () => string }> {
  await writeFile(join(folder, 'receiver.mjs'), snippet('js'));
  const { port, close } = await listen((socket) => socket.resume());
  await close();
  const receiver = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { ...process.env, CLIENT_SECRET: clientSecret, PORT: String(port) },
  });
  let output = '';
  receiver.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 10_000 }).toContain('listening');
  return { endpoint: `http://127.0.0.1:${port}/hook`, receiver, output: () => output };
}
