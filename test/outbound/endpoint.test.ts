import { expect, test } from 'vitest';
import { checkEndpoint } from '../../src/outbound/endpoint.ts';
import { checkEndpointHost, openOutbound } from '../../src/outbound/outbound.ts';
import { PUBLIC_ADDRESSES, SPECIAL_ADDRESSES } from './addresses.ts';

const STRICT = { allowHttp: false, allowPrivate: false };
const OPEN = { allowHttp: true, allowPrivate: true };

const NOT_PUBLIC = /^must not point to a private/;
const NO_SPACES = /^must not contain spaces/;
const HTTPS_ONLY = /^must start with https:\/\/$/;
const NO_CREDENTIALS = /^must not contain a user name/;
const NO_FRAGMENT = /^must not contain a fragment/;
const BAD_PORT = /^must not use the port/;
const VALID = /^must be a valid URL$/;

test.each([
  'https://example.com',
  'https://example.com/',
  'HTTPS://Example.COM/Hook',
  'https://hooks.example.com:8443/a/b?c=d&e=f@g',
  'https://bücher.example/haken',
  'https://example.com./hook',
  'https://1.1.1.1/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://localhost.example.com/',
  'https://example.com/path%20with%20spaces',
  `https://example.com/${'a'.repeat(2_028)}`,
  `https://example.com/${'𝒶'.repeat(2_028)}`,
])('accepts %s', (url) => {
  expect(checkEndpoint(url, STRICT)).toBeNull();
});

test('refuses a text of megabytes without taking it apart', () => {
  const startedAtMs = performance.now();
  expect(checkEndpoint(`https://example.com/${'€'.repeat(20_000_000)}`, STRICT)).toMatch(/^must be at most 2048/);
  expect(performance.now() - startedAtMs).toBeLessThan(250);
});

// docs/reliability-tests.md: 42, 73
test.each<[string, RegExp]>([
  ['', HTTPS_ONLY],
  ['example.com/hook', HTTPS_ONLY],
  ['//example.com/hook', HTTPS_ONLY],
  ['/hook', HTTPS_ONLY],
  ['https:example.com', HTTPS_ONLY],
  ['https:/example.com', HTTPS_ONLY],
  ['https:///example.com', HTTPS_ONLY],
  ['https://', HTTPS_ONLY],
  ['https://?a=b', HTTPS_ONLY],
  ['http://example.com', HTTPS_ONLY],
  ['file:///etc/passwd', HTTPS_ONLY],
  ['gopher://example.com/_x', HTTPS_ONLY],
  ['ftp://example.com', HTTPS_ONLY],
  ['data:text/plain,x', HTTPS_ONLY],
  ['javascript:alert(1)', HTTPS_ONLY],
  ['unix:/var/run/docker.sock', HTTPS_ONLY],
  ['blob:https://example.com/x', HTTPS_ONLY],
  ['ws://example.com', HTTPS_ONLY],
  [' https://example.com', NO_SPACES],
  ['https://example.com ', NO_SPACES],
  ['https://exam\tple.com', NO_SPACES],
  ['https://example.com/\r\nX-Injected: 1', NO_SPACES],
  ['https://example.com\u0000.evil.com', NO_SPACES],
  ['https://example.com\\@127.0.0.1/', NO_SPACES],
  ['https:\\\\example.com', NO_SPACES],
  ['https://user:password@example.com/', NO_CREDENTIALS],
  ['https://user@example.com/', NO_CREDENTIALS],
  ['https://@example.com/', NO_CREDENTIALS],
  ['https://example.com@127.0.0.1/', NO_CREDENTIALS],
  ['https://example.com/#', NO_FRAGMENT],
  ['https://example.com#@127.0.0.1/', NO_FRAGMENT],
  ['https://127.0.0.1#.example.com/', NO_FRAGMENT],
  ['https://example.com:22/', BAD_PORT],
  ['https://example.com:25/', BAD_PORT],
  ['https://example.com:5432/', BAD_PORT],
  ['https://example.com:6379/', BAD_PORT],
  ['https://example.com:0/', BAD_PORT],
  ['https://example.com:65536/', VALID],
  ['https://example.com:-1/', VALID],
  ['https://256.256.256.256/', VALID],
  ['https://1.2.3.4.5/', VALID],
  ['https://exa%mple.com/', VALID],
  ['https://[::1/', VALID],
  ['https://[fe80::1%25eth0]/', VALID],
  [`https://example.com/${'a'.repeat(2_029)}`, /^must be at most 2048 characters/],
  [`https://example.com/${'𝒶'.repeat(2_029)}`, /^must be at most 2048 characters/],
])('refuses %j', (url, reason) => {
  expect(checkEndpoint(url, STRICT)).toMatch(reason);
});

// docs/reliability-tests.md: 68
test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'metadata.google.internal.',
  'router.home.arpa',
  'localhost.localdomain',
  'intranet',
  'kubernetes',
  'kubernetes.default.svc.cluster.local',
  'ⓛocalhost',
  'localhost。',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '127.1',
  '127.0.1',
  '0177.0.0.1',
  '0x7f.0.0.0x1',
  '127.0.0.1.',
  '0',
  '0.',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '%6c%6f%63%61%6c%68%6f%73%74',
  '2852039166',
  '0xa9fea9fe',
  '0xa9.0xfe.0xa9.0xfe',
  '169.254.43518',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7F00:0001]',
  '[0:0:0:0:0:ffff:169.254.169.254]',
])('refuses the host %s in every notation of a special address', (host) => {
  expect(checkEndpoint(`https://${host}/hook`, STRICT)).toMatch(NOT_PUBLIC);
  expect(checkEndpoint(`https://${host}:8443/hook`, STRICT)).toMatch(NOT_PUBLIC);
});

test('refuses each special address, and no public one', () => {
  const special = SPECIAL_ADDRESSES.filter((address) => !address.includes('%'));
  expect(special.filter((address) => checkEndpoint(urlOf(address), STRICT) === null)).toEqual([]);
  expect(PUBLIC_ADDRESSES.filter((address) => checkEndpoint(urlOf(address), STRICT) !== null)).toEqual([]);
});

test('http and private addresses can be allowed separately', () => {
  expect(checkEndpoint('http://localhost:3000/hook', OPEN)).toBeNull();
  expect(checkEndpoint('http://[::1]:3000/hook', OPEN)).toBeNull();
  expect(checkEndpoint('http://example.com/', { allowHttp: true, allowPrivate: false })).toBeNull();
  expect(checkEndpoint('http://10.0.0.1/', { allowHttp: true, allowPrivate: false })).toMatch(NOT_PUBLIC);
  expect(checkEndpoint('https://10.0.0.1/', { allowHttp: false, allowPrivate: true })).toBeNull();
  expect(checkEndpoint('http://10.0.0.1/', { allowHttp: false, allowPrivate: true })).toMatch(HTTPS_ONLY);
});

test('schemes other than http and https, credentials and ports of other services are never allowed', () => {
  expect(checkEndpoint('ftp://localhost/', OPEN)).toBe('must start with https:// or http://');
  expect(checkEndpoint('http://root@localhost/', OPEN)).toMatch(NO_CREDENTIALS);
  expect(checkEndpoint('http://localhost:6379/', OPEN)).toMatch(BAD_PORT);
});

// docs/reliability-tests.md: 51
test('checks a long hostile text fast', () => {
  const startedAtMs = performance.now();
  for (const text of [
    'https://' + '@'.repeat(100_000),
    'https://' + 'a.'.repeat(50_000),
    'https://[' + ':'.repeat(100_000),
  ]) {
    expect(checkEndpoint(text, STRICT)).not.toBeNull();
  }
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
});

test('a name is refused when it is saved if one of its addresses is special', async () => {
  const addressesOf: Record<string, string[]> = {
    'public.example': ['1.1.1.1', '2606:4700::1111'],
    'private.example': ['10.0.0.1'],
    'mixed.example': ['1.1.1.1', '2606:4700::1111', '::1'],
    'mapped.example': ['::ffff:10.0.0.1'],
    'unknown.example': [],
  };
  const outbound = openOutbound(STRICT, async (host) => addressesOf[host]!);
  const problemOf = (host: string): Promise<string | null> => checkEndpointHost(`https://${host}/hook`, outbound);
  const special = 'must not have a private, loopback, link-local or otherwise special address';
  expect(await problemOf('public.example')).toBeNull();
  expect(await problemOf('private.example')).toBe(special);
  expect(await problemOf('mixed.example')).toBe(special);
  expect(await problemOf('mapped.example')).toBe(special);
  expect(await problemOf('unknown.example')).toBeNull();
  expect(await problemOf('127.0.0.1')).toMatch(NOT_PUBLIC);
  expect(await problemOf('1.1.1.1')).toBeNull();
});

test('a name is accepted when it is saved while the name servers fail', async () => {
  const outbound = openOutbound(STRICT, () => Promise.reject(new Error('SERVFAIL')));
  expect(await checkEndpointHost('https://example.com/', outbound)).toBeNull();
});

function urlOf(address: string): string {
  return address.includes(':') ? `https://[${address}]/` : `https://${address}/`;
}
