import type { KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { trustExtraCertificates } from './installation/extra-certificates.ts';
import { withoutEmpty, withSecretsFromFiles } from './installation/secret-files.ts';
import { DEFAULT_RETRY_DELAYS_MS } from './limits/retry-policy.ts';
import { hasEncodedPassword, hasProtocol, isBaseUrl, isStorageUrl } from './values/configured-url.ts';
import { isProxyAddress } from './values/proxy-address.ts';
import { keysFromText } from './values/secret-key.ts';

const MAX_DURATION_MS = 86_400_000;
const MAX_RETENTION_DAYS = 3_650;
/** Concurrent requests that wait for other hosts. They hold sockets and memory, but no database connection. */
const OUTBOUND_REQUESTS = { max: 64, maxPerMerchant: 4 };
/**
 * Measured on 4 connections with 256 requests of one merchant (`bench/overload.ts`): 12 give 4 to 7 % more requests a
 * second than 6, and a second merchant waits no longer. More have no further effect.
 */
const REQUESTS_PER_CONNECTION = 12;
/** Long writes that are prepared while the others occupy all connections of their pool. */
const LONG_WRITES_PREPARED = 1;
/**
 * A merchant may use three quarters of the connections: then one merchant can occupy all processors, and one connection
 * is left.
 */
const DEFAULT_POOL_SIZE = availableParallelism() + 2;

export type Config = ReturnType<typeof groupByComponent>;

export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  override readonly name = 'ConfigError';

  constructor(mistakes: readonly string[]) {
    super(
      `The configuration has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n  ${mistakes.join('\n  ')}`,
    );
    this.mistakes = mistakes;
  }
}

/** Reads the environment, and trusts the authorities that it names. Throws one error that lists all mistakes. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const mistakes: string[] = [];
  const given = withSecretsFromFiles(withoutEmpty(environment), mistakes);
  trustExtraCertificates(given.NODE_EXTRA_CA_CERTS, mistakes);
  const parsed = variables.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) mistakes.push(`${path.join('.')} ${message}`);
  if (given.DATABASE_URL && !given.SECRET_KEY) {
    mistakes.push('SECRET_KEY is required with DATABASE_URL: 32 random bytes in hex, as from `openssl rand -hex 32`');
  }
  for (const name of ['MIGRATION_DATABASE_URL', 'CROSS_MERCHANT_DATABASE_URL'] as const)
    if (given[name] && !given.DATABASE_URL) mistakes.push(`${name} needs DATABASE_URL beside it`);
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes);
  return groupByComponent(parsed.data);
}

const variables = z.object({
  PORT: wholeNumber(0, 65_535).default(4000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((path) => resolve(path)),
  DATABASE_URL: databaseUrl().optional(),
  MIGRATION_DATABASE_URL: databaseUrl().optional(),
  CROSS_MERCHANT_DATABASE_URL: databaseUrl().optional(),
  SECRET_KEY: z.string().transform(decodeKeys).optional(),
  ROLE: oneOf('api', 'worker', 'all').default('all'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http:', 'https:').optional(),
  PUBLIC_URL: publicUrl().optional(),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  LOG_FORMAT: oneOf('json', 'text').optional(),
  TRUST_PROXY: z.string().default('false').transform(trustedProxies),
  STORAGE_URL: storageUrl().optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  POOL_SIZE: wholeNumber(1, 1_000).default(DEFAULT_POOL_SIZE),
  LONG_WRITES_POOL_SIZE: wholeNumber(1, 1_000).default(3),
  ANSWER_MAX_MIB: wholeNumber(1, 64).default(16),
  DRAIN_DELAY_MS: wholeNumber(0, 60_000).default(0),
  REQUESTS_EXECUTING_MAX: wholeNumber(1, 10_000).optional(),
  REQUESTS_WAITING_MAX: wholeNumber(1, 100_000).default(1_000),
  REQUEST_WAIT_MAX_MS: wholeNumber(1, MAX_DURATION_MS).default(10_000),
  STATEMENT_TIMEOUT_MS: wholeNumber(100, MAX_DURATION_MS).default(15_000),
  // Ordinary work, such as the start, may block the event loop for shorter times.
  EVENT_LOOP_BLOCKED_MAX_MS: wholeNumber(1_000, MAX_DURATION_MS, { orZero: true }).default(30_000),
  INTROSPECTION: oneOf('public', 'token').default('public'),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(0),
  RATE_LIMIT_POINTS_PER_SECOND: wholeNumber(0, 1_000_000_000).default(50_000_000),
  TOKEN_RATE_LIMIT_PER_MINUTE: wholeNumber(0, 10_000_000).default(600),
  WEBHOOK_ALLOW_HTTP: flag(),
  WEBHOOK_ALLOW_PRIVATE: flag(),
  WEBHOOK_RETRY_DELAYS_MS: z.string().default(DEFAULT_RETRY_DELAYS_MS.join(',')).transform(retryDelays),
  WEBHOOK_KEEP_DELIVERED_DAYS: wholeNumber(1, MAX_RETENTION_DAYS).default(30),
  WEBHOOK_KEEP_FAILED_DAYS: wholeNumber(1, MAX_RETENTION_DAYS).default(90),
  WEBHOOK_WAITING_MAX_MIB: wholeNumber(1, 1_048_576).default(256),
  HISTORY_KEEP_DAYS: wholeNumber(1, MAX_RETENTION_DAYS).default(365),
  // Movements and holds are kept longer than the keys that name them: these are removed up to an hour after 90 days.
  STOCK_MOVEMENT_KEEP_DAYS: wholeNumber(91, MAX_RETENTION_DAYS).optional(),
  STOCK_HOLD_KEEP_DAYS: wholeNumber(91, MAX_RETENTION_DAYS).default(365),
  HISTORY_MAX_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(10 * 1024 ** 3),
  CUSTOMER_KEEP_DELETED_DAYS: wholeNumber(0, MAX_RETENTION_DAYS).default(0),
  ERASURE_LOG: z.string().optional(),
  IMAGE_ALLOW_HTTP: flag(),
  IMAGE_ALLOW_PRIVATE: flag(),
});

/** Groups the flat variables by the component that uses them. */
function groupByComponent(given: z.output<typeof variables>) {
  return {
    role: given.ROLE,
    dataDir: given.DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    migrationDatabaseUrl: given.MIGRATION_DATABASE_URL,
    crossMerchantDatabaseUrl: given.CROSS_MERCHANT_DATABASE_URL,
    secretKey: given.SECRET_KEY,
    storageUrl: given.STORAGE_URL ?? pathToFileURL(resolve(given.DATA_DIR, 'images')).href,
    logLevel: given.LOG_LEVEL,
    /** Not set: text on a terminal, and JSON elsewhere. */
    logFormat: given.LOG_FORMAT,
    /** The base URL of an OpenTelemetry collector. Without it nothing is traced. */
    tracesEndpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** 0: no watchdog. */
    maxEventLoopBlockedMs: given.EVENT_LOOP_BLOCKED_MAX_MS,
    database: {
      poolSize: given.POOL_SIZE,
      longWritesPoolSize: given.LONG_WRITES_POOL_SIZE,
      statementTimeoutMs: given.STATEMENT_TIMEOUT_MS,
    },
    http: {
      port: given.PORT,
      host: given.HOST,
      publicUrl: given.PUBLIC_URL,
      trustProxy: given.TRUST_PROXY,
      introspection: given.INTROSPECTION,
      /** 0: no limit. */
      rateLimitPerMinute: given.RATE_LIMIT_PER_MINUTE,
      /** 0: no limit. */
      rateLimitPointsPerSecond: given.RATE_LIMIT_POINTS_PER_SECOND,
      tokenRateLimitPerMinute: given.TOKEN_RATE_LIMIT_PER_MINUTE,
      maxResponseBytes: given.ANSWER_MAX_MIB * 1024 * 1024,
      drainDelayMs: given.DRAIN_DELAY_MS,
      executionLimits: executionLimits(given),
    },
    webhook: {
      allowHttp: given.WEBHOOK_ALLOW_HTTP,
      allowPrivate: given.WEBHOOK_ALLOW_PRIVATE,
      retryDelaysMs: given.WEBHOOK_RETRY_DELAYS_MS,
      keepDeliveredDays: given.WEBHOOK_KEEP_DELIVERED_DAYS,
      keepFailedDays: given.WEBHOOK_KEEP_FAILED_DAYS,
      /** Payloads of one merchant's paused webhooks. */
      maxWaitingBytes: given.WEBHOOK_WAITING_MAX_MIB * 1024 * 1024,
    },
    history: { keepDays: given.HISTORY_KEEP_DAYS, maxBytes: given.HISTORY_MAX_BYTES },
    /** Without a log receipts are only in the database. With 0 days deleted customers are kept. */
    erasure: { log: given.ERASURE_LOG, keepDeletedDays: given.CUSTOMER_KEEP_DELETED_DAYS },
    stock: { movementKeepDays: given.STOCK_MOVEMENT_KEEP_DAYS ?? null, holdKeepDays: given.STOCK_HOLD_KEEP_DAYS },
    image: { allowHttp: given.IMAGE_ALLOW_HTTP, allowPrivate: given.IMAGE_ALLOW_PRIVATE },
  };
}

/** A merchant may use seven eighths of the concurrent requests, and all long writes but one. */
function executionLimits(given: z.output<typeof variables>) {
  const waiting = { maxWaiting: given.REQUESTS_WAITING_MAX, maxWaitMs: given.REQUEST_WAIT_MAX_MS };
  const max = given.REQUESTS_EXECUTING_MAX ?? given.POOL_SIZE * REQUESTS_PER_CONNECTION;
  const longMax = given.LONG_WRITES_POOL_SIZE + LONG_WRITES_PREPARED;
  return {
    standard: { max, maxPerMerchant: Math.ceil((max * 7) / 8), ...waiting },
    longWrites: { max: longMax, maxPerMerchant: longMax - 1, ...waiting },
    outbound: { ...OUTBOUND_REQUESTS, ...waiting },
  };
}

function wholeNumber(min: number, max: number, { orZero = false } = {}) {
  const isWithin = (number: number): boolean => (number >= min && number <= max) || (orZero && number === 0);
  const error = `must be ${orZero ? '0 or ' : ''}a whole number from ${min} to ${max}`;
  const text = z.string().refine((text) => /^\d{1,16}$/.test(text) && isWithin(Number(text)), error);
  return text.transform(Number);
}

function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

function flag() {
  return z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .default('false')
    .transform((word) => word === 'true' || word === '1');
}

/** The message does not contain the value, since a URL may contain a password. */
function url(...protocols: string[]) {
  const beginnings = protocols.map((protocol) => `${protocol}//`).join(' or ');
  const error = `must be a URL that begins with ${beginnings}`;
  return z.string().refine((text) => hasProtocol(text, protocols), { error, abort: true });
}

function publicUrl() {
  return url('http:', 'https:')
    .refine(isBaseUrl, 'must have a host and no user, query, fragment or blank, as in https://shop.example')
    .transform((text) => text.replace(/\/+$/, ''));
}

function storageUrl() {
  const error =
    'must be file:///folder with an absolute path and without ? and #, or s3://bucket/prefix with no options but region, endpoint (http:// or https://) and forcePathStyle (true or false), and no credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY have them';
  return url('file:', 's3:').refine(isStorageUrl, error);
}

function databaseUrl() {
  const error = 'has a password with special characters: percent-encode them, as in %2F for a slash';
  return url('postgres:', 'postgresql:').refine(hasEncodedPassword, error);
}

function decodeKeys(text: string, context: z.RefinementCtx): readonly KeyObject[] {
  const keys = keysFromText(text);
  if (!keys) context.addIssue({ code: 'custom', message: 'must be 32 bytes in hex or base64' });
  return keys ?? [];
}

/** `false`, `true` for any proxy, or a list of addresses and networks of the proxies. */
function trustedProxies(text: string, context: z.RefinementCtx): boolean | string[] {
  if (text === 'true' || text === 'false') return text === 'true';
  const addresses = text.split(',').map((address) => address.trim());
  for (const address of addresses.filter((address) => !isProxyAddress(address)))
    context.addIssue({
      code: 'custom',
      message: `must be true, false, or addresses and networks of proxies, as in 10.0.0.0/8,fd00::1: "${address}" is none`,
    });
  return addresses;
}

/** The delays before the second and the third attempt, which is the last. */
function retryDelays(text: string, context: z.RefinementCtx): [number, number] {
  const delays = text.split(',').map((part) => (/^ *\d{1,8} *$/.test(part) ? Number(part) : Number.NaN));
  const areGood = delays.length === 2 && delays.every((delay) => delay <= MAX_DURATION_MS);
  if (!areGood)
    context.addIssue({
      code: 'custom',
      message: `must be two delays of at most ${MAX_DURATION_MS}, as in 10000,60000`,
    });
  return [delays[0]!, delays[1] ?? 0];
}
