import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkEndpointHost, openOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { request, type OutboundAnswer } from '../../src/outbound/request.ts';
import { IPV4_CARRIERS, PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from './addresses.ts';
import { listenHttp, type Receiver } from './receiver.ts';

// http is allowed, so that a request that is not refused reaches the canary.
const POLICY = { allowHttp: true, allowPrivate: false };
const REFUSED = { ok: false, failure: 'refused address' };

// Each of them reaches this machine if it is not refused.
const LOOPBACK_HOSTS = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'ⓛocalhost',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7F.1',
  '0177.0.0.1',
  '0x7f.0x0.0x0.0x1',
  '0',
  '0.0.0.0',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[2002:7f00:1::]',
  '1.1.1.1@127.0.0.1',
  '127.0.0.1#.example.com',
  '127.0.0.1?.example.com',
  '127.0.0.1\\.example.com',
  'user:password@127.0.0.1',
  '@127.0.0.1',
  'rebound.example',
  'mixed.example',
  'mapped.example',
  'alias.example',
];

const ADDRESSES_BY_NAME: Record<string, string[]> = {
  'rebound.example': ['127.0.0.1'],
  'mixed.example': ['1.1.1.1', '127.0.0.1', '2606:4700::1111'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'alias.example': ['::1'],
};

async function canary(): Promise<Receiver> {
  return listenHttp((socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'));
}

function ask(outbound: Outbound, url: string): Promise<OutboundAnswer> {
  return request(outbound, { url, body: '{}', timeoutMs: 5_000, maxBodyBytes: 1_000 });
}

test('the canary is reached if private addresses are allowed', async () => {
  const { port, connections } = await canary();
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
  for (const host of ['localhost', '127.0.0.1', '2130706433', '127.1']) {
    expect(await ask(outbound, `http://${host}:${port}/`)).toMatchObject({ ok: true, statusCode: 200 });
  }
  expect(connections()).toBeGreaterThan(0);
});

// docs/reliability-tests.md: 70
test('no notation of a loopback host reaches the canary, neither by http nor by https', async () => {
  const { port, connections } = await canary();
  const outbound = openOutbound(POLICY, async (host) => ADDRESSES_BY_NAME[host] ?? ['127.0.0.1']);
  for (const host of LOOPBACK_HOSTS) {
    for (const scheme of ['http', 'https', 'HTTP']) {
      expect([host, await ask(outbound, `${scheme}://${host}:${port}/`)]).toEqual([host, REFUSED]);
    }
  }
  expect(connections()).toBe(0);
});

// docs/reliability-tests.md: 67
test('no special address is connected to, as a literal or by a name', async () => {
  const { port, connections } = await canary();
  for (const address of SPECIAL_ADDRESSES) {
    const outbound = openOutbound(POLICY, async () => [address]);
    const literal = address.includes(':') ? `[${address.replace('%', '%25')}]` : address;
    expect([address, await ask(outbound, `http://${literal}:${port}/`)]).toEqual([address, REFUSED]);
    expect([address, await ask(outbound, `http://name.example:${port}/`)]).toEqual([address, REFUSED]);
  }
  expect(connections()).toBe(0);
});

// docs/reliability-tests.md: 69
test('no IPv4 address inside an IPv6 address is connected to', async () => {
  const { port, connections } = await canary();
  const octets = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 });
  const carriers = fc.constantFrom(...Object.values(IPV4_CARRIERS));
  await fc.assert(
    fc.asyncProperty(fc.oneof(octets, fc.constant<number[]>([127, 0, 0, 1])), carriers, async (ipv4, carry) => {
      const outbound = openOutbound(POLICY, async () => [carry(ipv4)]);
      expect(await ask(outbound, `http://[${carry(ipv4)}]:${port}/`)).toEqual(REFUSED);
      expect(await ask(outbound, `http://name.example:${port}/`)).toEqual(REFUSED);
    }),
    { numRuns: 200 },
  );
  expect(connections()).toBe(0);
});

// docs/reliability-tests.md: 71
test('1,000 names with public addresses when they are saved and private ones later reach nothing', async () => {
  const { port, connections } = await canary();
  for (let tries = 0; tries < 1_000; tries += 1) {
    let resolutions = 0;
    const decoys = PUBLIC_ADDRESSES.slice(0, tries % 4);
    const outbound = openOutbound(POLICY, async () => {
      resolutions += 1;
      return resolutions === 1 ? ['1.1.1.1'] : [...decoys, '127.0.0.1'];
    });
    const url = `http://rebound${tries}.example:${port}/`;
    expect(await checkEndpointHost(url, outbound)).toBeNull();
    expect(await ask(outbound, url)).toEqual(REFUSED);
    expect(resolutions).toBe(2);
  }
  expect(connections()).toBe(0);
});

test('a name is resolved once per connection, which uses this answer', async () => {
  const { port, connections } = await canary();
  let resolutions = 0;
  const outbound = openOutbound({ allowHttp: true, allowPrivate: true }, async () => {
    resolutions += 1;
    return resolutions === 1 ? ['127.0.0.1'] : ['127.0.0.2'];
  });
  expect(await ask(outbound, `http://flipping.example:${port}/`)).toMatchObject({ ok: true });
  expect([connections(), resolutions]).toEqual([1, 1]);
});

// docs/reliability-tests.md: 73
test.each([
  'file:///etc/hosts',
  'gopher://127.0.0.1:1/',
  'ftp://127.0.0.1/',
  'data:text/plain,x',
  'unix:/tmp/socket',
  'javascript:1',
  'http://unix:/tmp/socket:/',
  '',
])('a request to %j is refused', async (url) => {
  expect(await ask(openOutbound(POLICY), url)).toEqual(REFUSED);
});

test('a kept connection is not used with a policy that does not allow it', async () => {
  const { port, connections } = await listenHttp((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
  });
  const open = openOutbound({ allowHttp: true, allowPrivate: true }, async () => ['127.0.0.1']);
  const strict = openOutbound(POLICY, async () => ['127.0.0.1']);
  expect(await ask(open, `http://shared.example:${port}/`)).toMatchObject({ ok: true });
  expect(await ask(strict, `http://shared.example:${port}/`)).toEqual(REFUSED);
  expect(await ask(open, `http://shared.example:${port}/`)).toMatchObject({ ok: true });
  expect(connections()).toBe(1);
});

// docs/reliability-tests.md: 75
test('proxies and weaker TLS in the environment are ignored', async () => {
  const proxy = await canary();
  const target = await canary();
  const script = `
    import { openOutbound } from './src/outbound/outbound.ts';
    import { request } from './src/outbound/request.ts';
    const outbound = openOutbound({ allowHttp: true, allowPrivate: true });
    const url = 'http://127.0.0.1:${target.port}/';
    console.log(JSON.stringify(await request(outbound, { url, timeoutMs: 5000, maxBodyBytes: 10 })));
    console.log(outbound.agent.https.options.rejectUnauthorized);
    process.exit();
  `;
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
    NO_PROXY: '',
    no_proxy: '',
  };
  const proxies = { HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, HTTPS_PROXY: proxyUrl, ALL_PROXY: proxyUrl };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env: { ...env, ...proxies } });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  await once(child, 'close');
  expect(output).toContain('"statusCode":200');
  expect(output).toContain('true');
  expect([proxy.connections(), target.connections()]).toEqual([0, 1]);
});
