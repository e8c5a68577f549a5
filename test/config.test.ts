import { KeyObject } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../src/config.ts';
import { keysOf } from '../src/values/secret-key.ts';

const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'config-'));
});
afterAll(() => rm(directory, { recursive: true }));

it('needs no variable', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    role: 'all',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    migrationDatabaseUrl: undefined,
    logLevel: 'info',
    maxEventLoopBlockedMs: 30_000,
    http: { port: 4000, host: '127.0.0.1', trustProxy: false, introspection: 'public' },
    webhook: {
      allowHttp: false,
      allowPrivate: false,
      retryDelaysMs: [10_000, 60_000],
      keepDeliveredDays: 30,
      keepFailedDays: 90,
      maxWaitingBytes: 256 * 1024 * 1024,
    },
    image: { allowHttp: false, allowPrivate: false },
  });
  expect(config.database.poolSize).toBeGreaterThanOrEqual(2);
  expect(config.database.longWritesPoolSize).toBe(3);
});

it('reads every variable', () => {
  const config = loadConfig({
    PORT: '8080',
    HOST: '::',
    DATA_DIR: '/var/lib/commerce',
    DATABASE_URL: 'postgres://user:word@db/commerce',
    SECRET_KEY: KEY,
    MIGRATION_DATABASE_URL: 'postgres://owner:word@db/commerce',
    ROLE: 'api',
    PUBLIC_URL: 'https://shop.example/',
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
    STORAGE_URL: 's3://bucket/prefix',
    POOL_SIZE: '7',
    LONG_WRITES_POOL_SIZE: '3',
    ANSWER_MAX_MIB: '2',
    STATEMENT_TIMEOUT_MS: '3000',
    INTROSPECTION: 'token',
    REQUESTS_EXECUTING_MAX: '16',
    REQUESTS_WAITING_MAX: '500',
    REQUEST_WAIT_MAX_MS: '2000',
    EVENT_LOOP_BLOCKED_MAX_MS: '0',
    RATE_LIMIT_PER_MINUTE: '1000',
    RATE_LIMIT_POINTS_PER_SECOND: '5000',
    TOKEN_RATE_LIMIT_PER_MINUTE: '30',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    WEBHOOK_RETRY_DELAYS_MS: '100, 200',
    WEBHOOK_KEEP_DELIVERED_DAYS: '7',
    WEBHOOK_KEEP_FAILED_DAYS: '14',
    WEBHOOK_WAITING_MAX_MIB: '3',
    DRAIN_DELAY_MS: '5000',
    HISTORY_KEEP_DAYS: '30',
    STOCK_MOVEMENT_KEEP_DAYS: '400',
    STOCK_HOLD_KEEP_DAYS: '100',
    HISTORY_MAX_BYTES: '1000000',
    IMAGE_ALLOW_HTTP: 'true',
    IMAGE_ALLOW_PRIVATE: 'true',
  });
  expect(config).toEqual({
    role: 'api',
    dataDir: '/var/lib/commerce',
    databaseUrl: 'postgres://user:word@db/commerce',
    migrationDatabaseUrl: 'postgres://owner:word@db/commerce',
    secretKey: [expect.any(KeyObject)],
    storageUrl: 's3://bucket/prefix',
    logLevel: 'warn',
    maxEventLoopBlockedMs: 0,
    database: { poolSize: 7, longWritesPoolSize: 3, statementTimeoutMs: 3_000 },
    http: {
      port: 8080,
      host: '::',
      publicUrl: 'https://shop.example',
      trustProxy: ['10.0.0.0/8', '127.0.0.1'],
      introspection: 'token',
      rateLimitPerMinute: 1_000,
      rateLimitPointsPerSecond: 5_000,
      tokenRateLimitPerMinute: 30,
      maxResponseBytes: 2 * 1024 * 1024,
      drainDelayMs: 5_000,
      executionLimits: {
        standard: { max: 16, maxPerMerchant: 14, maxWaiting: 500, maxWaitMs: 2_000 },
        longWrites: { max: 4, maxPerMerchant: 3, maxWaiting: 500, maxWaitMs: 2_000 },
        outbound: { max: 64, maxPerMerchant: 4, maxWaiting: 500, maxWaitMs: 2_000 },
      },
    },
    webhook: {
      allowHttp: true,
      allowPrivate: true,
      retryDelaysMs: [100, 200],
      keepDeliveredDays: 7,
      keepFailedDays: 14,
      maxWaitingBytes: 3 * 1024 * 1024,
    },
    history: { keepDays: 30, maxBytes: 1_000_000 },
    erasure: { log: undefined, keepDeletedDays: 0 },
    stock: { movementKeepDays: 400, holdKeepDays: 100 },
    image: { allowHttp: true, allowPrivate: true },
  });
});

it('names every variable with a mistake in one error', () => {
  const environment = {
    PORT: '99999',
    DATABASE_URL: 'mysql://db',
    MIGRATION_DATABASE_URL: 'db',
    ROLE: 'both',
    PUBLIC_URL: 'shop',
    LOG_LEVEL: 'loud',
    SECRET_KEY: 'short',
    STORAGE_URL: 'ftp://x',
    POOL_SIZE: '0',
    STATEMENT_TIMEOUT_MS: '-1',
    INTROSPECTION: 'off',
    RATE_LIMIT_PER_MINUTE: 'x',
    RATE_LIMIT_POINTS_PER_SECOND: '-1',
    TOKEN_RATE_LIMIT_PER_MINUTE: '1.5',
    WEBHOOK_ALLOW_HTTP: 'yes',
    WEBHOOK_ALLOW_PRIVATE: '2',
    WEBHOOK_RETRY_DELAYS_MS: '1,2,3',
    WEBHOOK_WAITING_MAX_MIB: '0',
    IMAGE_ALLOW_HTTP: 'no',
    IMAGE_ALLOW_PRIVATE: 'off',
    REQUESTS_EXECUTING_MAX: '0',
    REQUESTS_WAITING_MAX: '0',
    REQUEST_WAIT_MAX_MS: '0',
    EVENT_LOOP_BLOCKED_MAX_MS: '1s',
  };
  const mistakes = mistakesOf(environment);
  expect(mistakes.map((mistake) => mistake.split(' ')[0]!).toSorted()).toEqual(Object.keys(environment).toSorted());
});

it.each(['MIGRATION_DATABASE_URL', 'CROSS_MERCHANT_DATABASE_URL'])('requires DATABASE_URL with %s', (name) => {
  expect(mistakesOf({ [name]: 'postgres://other:word@db/commerce' })).toEqual([`${name} needs DATABASE_URL beside it`]);
});

it.each(['STOCK_MOVEMENT_KEEP_DAYS', 'STOCK_HOLD_KEEP_DAYS'])(
  'refuses %s of 90, because keys may be removed an hour after 90 days',
  (name) => {
    expect(mistakesOf({ [name]: '90' })).toEqual([expect.stringMatching(`^${name} .* 91 to `)]);
    expect(mistakesOf({ [name]: '91' })).toEqual([]);
  },
);

it('accepts the largest number that the error for a larger one names', () => {
  const [mistake] = mistakesOf({ HISTORY_MAX_BYTES: '9007199254740992' });
  const largest = /to (\d+)$/.exec(mistake!)![1]!;
  expect(loadConfig({ HISTORY_MAX_BYTES: largest }).history.maxBytes).toBe(Number.MAX_SAFE_INTEGER);
});

it('treats an empty variable as one that is not set', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '', ROLE: '' })).toEqual(loadConfig({}));
});

it.each([
  'https://shop.example/?x=1',
  'https://shop.example/?',
  'https://shop.example/#a',
  'https://ada:lovelace@shop.example/',
  'https:///shop.example/',
  'https://shop.example/ ',
  'https://shop.example/a b',
])('refuses the public URL %s, to which no path can be added, and the error does not contain it', (text) => {
  expect(mistakesOf({ PUBLIC_URL: text })).toEqual([
    'PUBLIC_URL must have a host and no user, query, fragment or blank, as in https://shop.example',
  ]);
});

it.each([
  ['PUBLIC_URL', 'http:shop.example', 'http:// or https://'],
  ['PUBLIC_URL', ' https://shop.example', 'http:// or https://'],
  ['STORAGE_URL', 'file:images', 'file:// or s3://'],
])('refuses %s=%s, which does not begin as it has to', (name, text, beginnings) => {
  expect(mistakesOf({ [name]: text })).toEqual([`${name} must be a URL that begins with ${beginnings}`]);
});

it.each(['1', '30', '999', '86400001'])('refuses %s ms without the event loop, which may be ordinary', (text) => {
  expect(mistakesOf({ EVENT_LOOP_BLOCKED_MAX_MS: text })).toEqual([
    'EVENT_LOOP_BLOCKED_MAX_MS must be 0 or a whole number from 1000 to 86400000',
  ]);
});

it.each(['0', '1000'])('accepts %s ms without the event loop', (text) => {
  expect(loadConfig({ EVENT_LOOP_BLOCKED_MAX_MS: text }).maxEventLoopBlockedMs).toBe(Number(text));
});

const WRONG_STORAGE_URL =
  'STORAGE_URL must be file:///folder with an absolute path and without ? and #, or s3://bucket/prefix with no options but region, endpoint (http:// or https://) and forcePathStyle (true or false), and no credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have them';

it.each(['file://images', 'file://./images', 'file:///a%2Fb', 's3:///x', 's3://'])(
  'refuses the storage URL %s, which names no folder or bucket, and the error does not contain it',
  (text) => {
    expect(mistakesOf({ STORAGE_URL: text })).toEqual([WRONG_STORAGE_URL]);
  },
);

it.each([
  's3://bucket?regoin=hunter2',
  's3://bucket?region=x&accessKeyId=hunter2',
  's3://bucket?region=x&endpoint=hunter2:9000&forcePathStyle=true',
  's3://bucket?region=x&endpoint=hunter2.local',
  's3://bucket?region=x&endpoint=',
  's3://bucket?region=x&endpoint=http%3A%2F%2Fhunter2:99999',
  's3://bucket?region=x&endpoint=http%3A%2F%2Fa%20hunter2',
  's3://bucket?region=x&endpoint=http%3A%2F%2Fid:hunter2%40127.0.0.1:9',
  's3://bucket?region=x&forcePathStyle=1',
  's3://bucket?region=x&forcePathStyle=True',
])('refuses the storage URL %s for its options, beside other mistakes', (text) => {
  expect(mistakesOf({ STORAGE_URL: text, PORT: 'x' })).toEqual([expect.stringMatching(/^PORT /), WRONG_STORAGE_URL]);
});

it.each([
  's3://key:hunter2@bucket',
  's3://key@bucket',
  's3://bucket:9000/prefix',
  's3://bucket/prefix#hunter2',
  'file:///srv/images#hunter2',
  'file:///srv/images?region=us-east-1',
])('refuses the storage URL %s for a part that nothing would use', (text) => {
  expect(mistakesOf({ STORAGE_URL: text })).toEqual([WRONG_STORAGE_URL]);
});

it.each([
  's3://bucket',
  's3://bucket/prefix?region=us-east-1&endpoint=http://minio:9000&forcePathStyle=true',
  's3://bucket?endpoint=https%3A%2F%2Fs3.example&forcePathStyle=false',
])('accepts the storage URL %s', (text) => {
  expect(loadConfig({ STORAGE_URL: text }).storageUrl).toBe(text);
});

it('accepts a public URL with a port and a path, and capitals', () => {
  expect(loadConfig({ PUBLIC_URL: 'HTTPS://Shop.example:8443/admin/@a/' }).http.publicUrl).toBe(
    'HTTPS://Shop.example:8443/admin/@a',
  );
});

describe('the secret key', () => {
  it('is required with DATABASE_URL', () => {
    expect(mistakesOf({ DATABASE_URL: 'postgres://db/commerce' })).toEqual([
      expect.stringMatching(/^SECRET_KEY is required/),
    ]);
  });

  it.each([
    ['hex', KEY],
    ['hex in capitals', KEY.toUpperCase()],
    ['base64', Buffer.from(KEY, 'hex').toString('base64')],
    ['base64 for URLs', Buffer.from(KEY, 'hex').toString('base64url')],
  ])('is read from %s', (_, text) => {
    expect(keysIn({ SECRET_KEY: text })).toEqual([KEY]);
  });

  it('may be several keys separated by commas', () => {
    const other = KEY.replaceAll('0', '1');
    const base64 = Buffer.from(other, 'hex').toString('base64');
    expect(keysIn({ SECRET_KEY: `${KEY}, ${base64}` })).toEqual([KEY, other]);
  });

  it.each([KEY.slice(2), `${KEY},`, `${KEY},short`, `${KEY}00`, `${KEY.slice(1)}!`, 'x'.repeat(44), 'password'])(
    'is refused if it is %j, and the error does not contain it',
    (text) => {
      const mistakes = mistakesOf({ SECRET_KEY: text });
      expect(mistakes).toEqual(['SECRET_KEY must be 32 bytes in hex or base64']);
    },
  );
});

describe('a secret from a file', () => {
  it('is read without the line end', async () => {
    const [database, key] = [join(directory, 'database'), join(directory, 'key')];
    await writeFile(database, 'postgres://user:word@db/commerce\n');
    await writeFile(key, `${KEY}\n`);
    const config = loadConfig({
      DATABASE_URL_FILE: database,
      MIGRATION_DATABASE_URL_FILE: database,
      CROSS_MERCHANT_DATABASE_URL_FILE: database,
      SECRET_KEY_FILE: key,
    });
    expect([config.databaseUrl, config.migrationDatabaseUrl, config.crossMerchantDatabaseUrl]).toEqual(
      Array(3).fill('postgres://user:word@db/commerce'),
    );
    expect(keysIn({ SECRET_KEY_FILE: key })).toEqual([KEY]);
  });

  it('is refused if the variable is set too, and if the file is missing or empty', async () => {
    const empty = join(directory, 'empty');
    await writeFile(empty, '\n');
    const environment = { SECRET_KEY: KEY, SECRET_KEY_FILE: empty, STORAGE_URL_FILE: join(directory, 'absent') };
    expect(mistakesOf(environment)).toEqual([
      'SECRET_KEY_FILE is given beside SECRET_KEY: give one of them',
      `SECRET_KEY_FILE names an empty file: ${empty}`,
      `STORAGE_URL_FILE names a file that cannot be read: ${join(directory, 'absent')}`,
    ]);
  });
});

it.each([
  ['a file whose name is the URL', { DATABASE_URL_FILE: 'postgres://user:Hunter2@host/commerce' }],
  ['a file whose name is the key', { SECRET_KEY_FILE: KEY }],
  ['a file whose name is two keys', { SECRET_KEY_FILE: `${KEY},${KEY}` }],
  ['another database system', { DATABASE_URL: 'mysql://user:Hunter2@host/commerce' }],
  ['a slash in the password', { DATABASE_URL: 'postgres://user:12/Hunter2@host/commerce' }],
  ['a number sign in the password', { DATABASE_URL: 'postgres://user:12#Hunter2@host/commerce' }],
  ['a percent sign in the password', { DATABASE_URL: 'postgres://user:Hunter2%zz@host/commerce' }],
])('refuses %s, and does not repeat the secret', (_, environment) => {
  const text = mistakesOf({ SECRET_KEY: 'SECRET_KEY_FILE' in environment ? '' : KEY, ...environment }).join('\n');
  expect(text).toContain(Object.keys(environment)[0]);
  expect(text).not.toContain('Hunter2');
  expect(text).not.toContain(KEY);
});

it.each([
  ['false', false],
  ['true', true],
  ['10.0.0.1', ['10.0.0.1']],
  ['loopback, 10.0.0.0/255.0.0.0', ['loopback', '10.0.0.0/255.0.0.0']],
  ['::1,fc00::/7', ['::1', 'fc00::/7']],
])('reads TRUST_PROXY=%s', (text, trustProxy) => {
  expect(loadConfig({ TRUST_PROXY: text }).http.trustProxy).toEqual(trustProxy);
});

it.each(['1', 'proxy.internal', '10.0.0.1,', '10.1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/255.0.255.0', 'TRUE'])(
  'refuses TRUST_PROXY=%s, and names what is no address',
  (text) => {
    const wrong = JSON.stringify(text.split(',').at(-1));
    expect(mistakesOf({ TRUST_PROXY: `10.0.0.1,${text}` })).toEqual([
      `TRUST_PROXY must be true, false, or addresses and networks of proxies, as in 10.0.0.0/8,fd00::1: ${wrong} is none`,
    ]);
  },
);

it('does not show a database password in its errors', () => {
  expect(mistakesOf({ DATABASE_URL: 'mysql://user:hunter2@db', SECRET_KEY: KEY }).join()).not.toContain('hunter2');
});

function keysIn(environment: NodeJS.ProcessEnv): string[] {
  return keysOf(loadConfig(environment).secretKey!).map((key) => key.export().toString('hex'));
}

function mistakesOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}
